/* junit.c: conditions as JUnit's XML, for CI systems. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "compare/diff_write.h"

/* A text of an attribute: XML has no control characters, not even escaped. */
static void put_text(struct mp_out *out, const char *text)
{
	size_t left = strlen(text);

	while (left) {
		char safe[20] = "";
		int32_t cp;
		size_t len = mp_utf8_next(text, left, &cp);

		if (cp == '&')
			mp_out_text(out, "&amp;");
		else if (cp == '<')
			mp_out_text(out, "&lt;");
		else if (cp == '>')
			mp_out_text(out, "&gt;");
		else if (cp == '"')
			mp_out_text(out, "&quot;");
		else if (cp == 0xFFFE || cp == 0xFFFF)
			mp_out_text(out, "\xEF\xBF\xBD");
		else
			mp_out_write(out, safe, mp_sanitise(safe, sizeof(safe), text, len));
		text += len;
		left -= len;
	}
}

static void put_attribute(struct mp_out *out, const char *name, const char *text)
{
	mp_out_char(out, ' ');
	mp_out_text(out, name);
	mp_out_text(out, "=\"");
	put_text(out, text);
	mp_out_char(out, '"');
}

/* What a gate is for JUnit; NULL: it passed. */
static const char *element_of(const struct mp_gate *g, enum mp_undecided undecided)
{
	if (g->result == MP_GATE_HOLDS)
		return "failure";
	if (g->result == MP_GATE_PASSED)
		return NULL;
	return undecided == MP_UNDECIDED_FAILS ? "failure" : undecided == MP_UNDECIDED_PASSES ? "skipped" : "error";
}

static void put_count(struct mp_out *out, const struct mp_gates *gates, const char *name, const char *element,
    enum mp_undecided undecided)
{
	char text[24];
	size_t count = 0;

	for (size_t i = 0; i < gates->count; i++) {
		const char *is = element_of(&gates->items[i], undecided);

		count += !element || (is && strcmp(is, element) == 0);
	}
	snprintf(text, sizeof(text), "%zu", count);
	put_attribute(out, name, text);
}

void mp_gates_write_junit(const struct mp_gates *gates, enum mp_undecided undecided, struct mp_out *out)
{
	mp_out_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"msprof diff\"");
	put_count(out, gates, "tests", NULL, undecided);
	put_count(out, gates, "failures", "failure", undecided);
	put_count(out, gates, "errors", "error", undecided);
	put_count(out, gates, "skipped", "skipped", undecided);
	mp_out_text(out, ">\n");
	for (size_t i = 0; i < gates->count; i++) {
		const struct mp_gate *g = &gates->items[i];
		const char *element = element_of(g, undecided);
		char why[256];

		mp_gate_tell(g, why, sizeof(why));
		mp_out_text(out, "<testcase classname=\"msprof.diff\"");
		put_attribute(out, "name", g->text);
		mp_out_char(out, '>');
		if (element) {
			mp_out_char(out, '<');
			mp_out_text(out, element);
			put_attribute(out, "message", why);
			mp_out_text(out, "/>");
		} else {
			mp_out_text(out, "<system-out>");
			put_text(out, why);
			mp_out_text(out, "</system-out>");
		}
		mp_out_text(out, "</testcase>\n");
	}
	mp_out_text(out, "</testsuite>\n</testsuites>\n");
}

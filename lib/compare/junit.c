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

/* What the gates are written with. */
struct junit {
	const struct mp_gates *gates;
	enum mp_undecided undecided;
	const char *failure;
	struct mp_out *out;
};

/* What a gate is for JUnit; NULL: it passed. */
static const char *element_of(const struct junit *j, const struct mp_gate *g)
{
	if (j->failure)
		return "error";
	if (g->result == MP_GATE_HOLDS)
		return "failure";
	if (g->result == MP_GATE_PASSED)
		return NULL;
	return j->undecided == MP_UNDECIDED_FAILS    ? "failure"
	       : j->undecided == MP_UNDECIDED_PASSES ? "skipped"
						     : "error";
}

static void put_count(const struct junit *j, const char *name, const char *element)
{
	char text[24];
	size_t count = 0;

	for (size_t i = 0; i < j->gates->count; i++) {
		const char *is = element_of(j, &j->gates->items[i]);

		count += !element || (is && strcmp(is, element) == 0);
	}
	snprintf(text, sizeof(text), "%zu", count);
	put_attribute(j->out, name, text);
}

void mp_gates_write_junit(
    const struct mp_gates *gates, enum mp_undecided undecided, const char *failure, struct mp_out *out)
{
	const struct junit j = {gates, undecided, failure, out};

	mp_out_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"msprof diff\"");
	put_count(&j, "tests", NULL);
	put_count(&j, "failures", "failure");
	put_count(&j, "errors", "error");
	put_count(&j, "skipped", "skipped");
	mp_out_text(out, ">\n");
	for (size_t i = 0; i < gates->count; i++) {
		const struct mp_gate *g = &gates->items[i];
		const char *element = element_of(&j, g);
		char why[256];

		if (!failure)
			mp_gate_tell(g, why, sizeof(why));
		mp_out_text(out, "<testcase classname=\"msprof.diff\"");
		put_attribute(out, "name", g->text);
		mp_out_char(out, '>');
		if (element) {
			mp_out_char(out, '<');
			mp_out_text(out, element);
			put_attribute(out, "message", failure ? failure : why);
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

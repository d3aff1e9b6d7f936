/* gate.c: reads conditions, and decides them by the intervals of a diff. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "base/text.h"
#include "base/value.h"
#include "compare/diff_write.h"

const char *const mp_gate_results[MP_GATE_RESULTS] = {"passed", "holds", "undecided"};

#define BLANKS " \t"

static int refuse(const char *text, struct mp_error *err)
{
	return mp_fail(err, "invalid condition '%s' (total > N%%, p95 > N%%, op NAME > N%% or call NAME > N%%)", text);
}

/* Read what stands before the '>'. */
static bool read_subject(struct mp_gate *g, const char *from, const char *end)
{
	static const struct {
		const char *word;
		bool has_name;
	} kinds[MP_GATE_KINDS] = {{"total", false}, {"p95", false}, {"op", true}, {"call", true}};
	size_t len;

	from += strspn(from, BLANKS);
	while (end > from && strchr(BLANKS, end[-1]))
		end--;
	len = strcspn(from, BLANKS ">");
	for (int i = 0; i < MP_GATE_KINDS; i++) {
		if (strlen(kinds[i].word) != len || memcmp(from, kinds[i].word, len) != 0)
			continue;
		g->kind = (enum mp_gate_kind)i;
		from += len;
		from += from < end ? strspn(from, BLANKS) : 0;
		g->name = from;
		g->name_len = (size_t)(end - from);
		return kinds[i].has_name == (g->name_len > 0);
	}
	return false;
}

int mp_gate_parse(struct mp_gate *g, const char *text, struct mp_error *err)
{
	const char *sign = strrchr(text, '>');
	char *rest;

	*g = (struct mp_gate){.text = text};
	if (!sign || !read_subject(g, text, sign))
		return refuse(text, err);
	sign += 1 + strspn(sign + 1, BLANKS);
	if (!*sign || !strchr("0123456789.", *sign) || sign[strspn(sign, "0123456789.")] == 'x')
		return refuse(text, err);
	g->share = strtod(sign, &rest) / 100;
	rest += strspn(rest, BLANKS);
	if (*rest != '%' || rest[1 + strspn(rest + 1, BLANKS)] || !(g->share >= 0 && g->share <= 1e6))
		return refuse(text, err);
	return 0;
}

static bool is_text(const struct mp_gate *g, const char *text, size_t len)
{
	return text && len == g->name_len && memcmp(text, g->name, len) == 0;
}

/* The row has the name on one side, or it has the layer. */
static bool is_meant(const struct mp_gate *g, const struct mp_diff_row *row)
{
	if ((row->name && is_text(g, row->name, strlen(row->name))) ||
	    (row->base_name && is_text(g, row->base_name, strlen(row->base_name))))
		return true;
	for (const char *at = row->layers; at; at = strchr(at, MP_LIST_SEPARATOR)) {
		at += *at == MP_LIST_SEPARATOR;
		if (is_text(g, at, strcspn(at, "\x1f")))
			return true;
	}
	return false;
}

/* Of several decisions that counts which a pipeline must not miss. */
static void decide(
    struct mp_gate *g, const struct mp_noise *noise, const struct mp_change *change, bool is_new, const char *group)
{
	int decided = mp_change_decide(change, g->share);
	enum mp_gate_result result = noise->is_doubtful      ? MP_GATE_UNDECIDED
				     : decided > 0 || is_new ? MP_GATE_HOLDS
				     : decided < 0           ? MP_GATE_PASSED
							     : MP_GATE_UNDECIDED;

	g->is_doubtful = noise->is_doubtful;
	g->caution = noise->caution;
	if (g->change && (g->result == MP_GATE_HOLDS || result == MP_GATE_PASSED))
		return;
	g->result = result;
	g->change = change;
	g->is_new = is_new;
	g->group = group;
}

static void judge_rows(struct mp_gate *g, const struct mp_noise *noise, const struct mp_group_diff *group)
{
	for (size_t i = 0; i < group->row_count; i++) {
		const struct mp_diff_row *row = &group->rows[i];

		if ((row->kind == MP_ITEM_OPERATOR || row->kind == MP_ITEM_CALL) && is_meant(g, row))
			decide(g, noise, &row->change, row->how == MP_MATCH_NEW, group->base->title);
	}
}

int mp_gate_judge(struct mp_gate *g, const struct mp_diff *diff, struct mp_error *err)
{
	for (size_t i = 0; i < diff->group_count; i++) {
		const struct mp_group_diff *group = &diff->groups[i];

		if (g->kind == MP_GATE_OP)
			judge_rows(g, &diff->noise, group);
		else if (g->kind != MP_GATE_CALL)
			decide(g, &diff->noise, g->kind == MP_GATE_P95 ? &group->p95.change : &group->total.change,
			    false, group->base->title);
	}
	if (g->kind == MP_GATE_CALL)
		judge_rows(g, &diff->noise, &diff->calls);
	if (g->change)
		return 0;
	return mp_fail(err, "neither BASE nor NEW has the %s '%.*s' of the condition '%s'",
	    g->kind == MP_GATE_CALL ? "call" : "operator", (int)g->name_len, g->name, g->text);
}

/* Noise would decide, but the change does not differ from the limit by the floor. */
static bool is_near_limit(const struct mp_gate *g, double base)
{
	double limit = g->share * base;

	return g->result == MP_GATE_UNDECIDED && (g->change->low > limit || g->change->high < limit);
}

static void tell(const struct mp_gate *g, char *text, size_t size)
{
	const struct mp_change *c = g->change;
	double base = fabs(c->base_median);
	char shift[MP_SAY_NUMBER], low[MP_SAY_NUMBER], high[MP_SAY_NUMBER], floor[MP_SAY_NUMBER];
	const struct mp_said words[] = {{"shift", shift}, {"low", low}, {"high", high}, {"floor", floor}};
	const char *const key = g->is_doubtful            ? "gate.doubtful"
				: g->is_new               ? g->kind == MP_GATE_CALL ? "gate.new.call" : "gate.new"
				: !(base > 0)             ? "gate.none"
				: is_near_limit(g, base)  ? "gate.near"
				: c->unit == MP_UNIT_NONE ? "gate.few"
							  : "gate.changed";
	struct mp_error err;

	snprintf(shift, sizeof(shift), "%+.2f", 100 * c->shift / base);
	snprintf(low, sizeof(low), "%+.2f", 100 * c->low / base);
	snprintf(high, sizeof(high), "%+.2f", 100 * c->high / base);
	snprintf(floor, sizeof(floor), "%.2f", 100 * c->floor / base);
	if (mp_say(text, size, key, words, 4, &err))
		snprintf(text, size, "%s", err.text);
}

void mp_gate_tell(const struct mp_gate *g, char *text, size_t size)
{
	size_t used;

	tell(g, text, size);
	used = strlen(text);
	if (g->caution && !g->is_doubtful)
		snprintf(text + used, size - used, "%s%s", mp_say_word("; "), mp_say_word(g->caution));
}

/* Conditions as JUnit's XML, for CI systems. */

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

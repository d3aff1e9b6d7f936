/* diff_write.c: a diff as sections of a report. */
#include "compare/diff_write.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/say.h"
#include "base/text.h"
#include "insight/sweep.h"

enum { TITLE_SIZE = 640, HEADING_SIZE = 2048, NAME_SIZE = 8192, VERDICT_SIZE = 64 };

static struct mp_value us_of(int64_t ns)
{
	return mp_real((double)ns / 1000);
}

/* Rounded to so many hundredths; nothing where it is no number. */
static struct mp_value hundredths(double number)
{
	return isfinite(number) ? mp_real(floor(number * 100 + 0.5) / 100) : mp_null();
}

static struct mp_value percent_of(double part, double whole)
{
	return whole > 0 ? hundredths(100 * part / whole) : mp_null();
}

static double change_of(int64_t base_ns, int64_t new_ns)
{
	return (double)mp_span_ns(base_ns, new_ns);
}

/* "faster", or "faster (in doubt)". */
static struct mp_value verdict_of(enum mp_verdict verdict, const struct mp_noise *n, char text[VERDICT_SIZE])
{
	const bool is_flat = !n->caution || n->is_doubtful || verdict == MP_INCONCLUSIVE;

	snprintf(text, VERDICT_SIZE, is_flat ? "%s" : "%s%s%s%s", mp_say_word(mp_verdict_names[verdict]),
	    mp_say_word(" ("), is_flat ? "" : mp_say_word(n->caution), mp_say_word(")"));
	return mp_string(text);
}

static int write_gates(const struct mp_gates *gates, struct mp_writer *w, struct mp_error *err)
{
	static const char *const titles[] = {"Condition", "Result", "Why"};
	const struct mp_section s = {.title = "Conditions", .heading = "", .titles = titles, .column_count = 3};

	if (!gates->count)
		return 0;
	if (w->section(w, &s, err))
		return -1;
	for (size_t i = 0; i < gates->count; i++) {
		char why[256];

		mp_gate_tell(&gates->items[i], why, sizeof(why));
		if (w->row(w,
			(const struct mp_value[]){mp_string(gates->items[i].text),
			    mp_string(mp_gate_results[gates->items[i].result]), mp_string(why)},
			err))
			return -1;
	}
	return w->end(w, 0, err);
}

/* The value of a fact. What is in doubt is a list of words, each of which is said. */
static const char *say_fact(char text[TITLE_SIZE], const char *name, const char *value)
{
	size_t used = 0;

	if (!value || (strcmp(name, "doubt") != 0 && strcmp(name, "contradicted") != 0))
		return value;
	text[0] = '\0';
	for (const char *at = value; *at; at += strspn(at, ", ")) {
		const size_t len = strcspn(at, ",");
		char word[96];

		snprintf(word, sizeof(word), "%.*s", (int)len, at);
		used += (size_t)snprintf(
		    text + used, TITLE_SIZE - used, "%s%s", used ? mp_say_word(", ") : "", mp_say_word(word));
		if (len >= sizeof(word) || used >= TITLE_SIZE)
			return value;
		at += len;
	}
	return text;
}

/* What stands beside the verdicts, a line each. */
static int tell_caution(char *text, size_t size, const struct mp_diff *d, struct mp_error *err)
{
	static const char *const names[] = {"doubt", "model"}, *const keys[] = {"diff.doubt", "diff.models"};

	*text = '\0';
	for (size_t i = 0; i < 2 && size; i++) {
		const char *base = mp_side_find(d->base, names[i]), *new = mp_side_find(d->new, names[i]);
		const bool is_told = i ? base && new &&strcmp(base, new) != 0 : base || new;
		const char *sides[] = {base, new};
		char texts[2][TITLE_SIZE], shown[2][101];
		const struct mp_said words[] = {{"base", shown[0]}, {"new", shown[1]}};

		for (size_t k = 0; k < 2; k++) {
			const char *said = sides[k] ? say_fact(texts[k], names[i], sides[k]) : mp_say_word("nothing");

			snprintf(shown[k], sizeof(shown[k]), "%.*s", (int)mp_cut(said, 100), said);
		}
		if (is_told && mp_say(text + strlen(text), size - strlen(text), keys[i], words, 2, err))
			return -1;
		if (is_told)
			snprintf(text + strlen(text), size - strlen(text), "\n");
	}
	return 0;
}

/* "20 inferences" */
static int tell_count(char *text, size_t size, const char *what, int64_t count, struct mp_error *err)
{
	char key[64], number[24];

	snprintf(key, sizeof(key), "count.%.40s%s", what, count == 1 ? "" : "s");
	snprintf(number, sizeof(number), "%lld", (long long)count);
	return mp_say(text, size, key, &(const struct mp_said){"count", number}, 1, err);
}

/* "1 job, 20 inferences" */
static int tell_side(char text[96], const struct mp_group *g, int64_t steps, struct mp_error *err)
{
	char jobs[40], sum[48];
	const struct mp_said words[] = {{"jobs", jobs}, {"steps", sum}};

	return tell_count(jobs, sizeof(jobs), "job", g->run_count, err) ||
		       tell_count(sum, sizeof(sum), g->what, steps, err) || mp_say(text, 96, "diff.side", words, 2, err)
		   ? -1
		   : 0;
}

/* "80 of 100" */
static int tell_score(char *text, size_t size, const struct mp_diff *d, const char *unknown, struct mp_error *err)
{
	char score[16];

	snprintf(text, size, "%s", mp_say_word(unknown));
	snprintf(score, sizeof(score), "%d", d->score);
	return d->score < 0 ? 0 : mp_say(text, size, "diff.score", &(const struct mp_said){"score", score}, 1, err);
}

static int tell_samples(
    char *text, size_t size, const struct mp_diff *d, const struct mp_group_diff *g, struct mp_error *err)
{
	static const char *const keys[] = {"diff.samples.jobs", "diff.samples.steps", "diff.samples.none"};
	const struct mp_noise *n = &d->noise;
	const double floors[] = {n->floor_runs, n->floor_steps, n->floor_none};
	const enum mp_sample_unit unit = g->total.change.unit;
	char base[96], new[96], score[48], floor[MP_SAY_NUMBER], cautions[TITLE_SIZE] = "";
	const struct mp_said words[] = {{"base", base}, {"new", new}, {"score", score}, {"floor", floor}};
	int used;

	if (tell_score(score, sizeof(score), d, "unknown", err) || tell_side(base, g->base, g->base_steps, err) ||
	    tell_side(new, g->new, g->new_steps, err))
		return -1;
	mp_say_percent(floor, floors[unit]);
	if (tell_caution(cautions, sizeof(cautions), d, err) || mp_say(text, size, "diff.sides", words, 4, err))
		return -1;
	used = (int)strlen(text);
	used += snprintf(text + used, size - (size_t)used, "\n%s", cautions);
	if ((size_t)used >= size)
		return 0;
	if (mp_say(
		text + used, size - (size_t)used, n->is_doubtful ? "diff.samples.doubtful" : keys[unit], words, 4, err))
		return -1;
	used = (int)strlen(text);
	used += snprintf(text + used, size - (size_t)used, "\n");
	return (size_t)used < size ? mp_say(text + used, size - (size_t)used, "diff.totals", words, 4, err) : 0;
}

static int write_total(
    const struct mp_diff *d, const char *name, const struct mp_total *t, struct mp_writer *w, struct mp_error *err)
{
	double base = fabs(t->change.base_median);
	char verdict[VERDICT_SIZE];
	const struct mp_value cells[] = {mp_string(name), us_of(t->base_ns), us_of(t->new_ns),
	    percent_of(change_of(t->base_ns, t->new_ns), fabs((double)t->base_ns)), percent_of(t->change.shift, base),
	    percent_of(t->change.low, base), percent_of(t->change.high, base),
	    verdict_of(t->verdict, &d->noise, verdict)};

	return w->row(w, cells, err);
}

static int write_totals(
    const struct mp_diff *d, const struct mp_group_diff *g, struct mp_writer *w, struct mp_error *err)
{
	static const char *const titles[] = {
	    "What", "Base(us)", "New(us)", "Change(%)", "Shift(%)", "From(%)", "To(%)", "Verdict"};
	char title[TITLE_SIZE], heading[HEADING_SIZE];
	const struct mp_section s = {.title = title, .heading = heading, .titles = titles, .column_count = 8};

	return mp_say(title, sizeof(title), "diff.change", &(const struct mp_said){"group", g->new->title}, 1, err) ||
		       tell_samples(heading, sizeof(heading), d, g, err) || w->section(w, &s, err) ||
		       write_total(d, g->base->what, &g->total, w, err) || write_total(d, "p95", &g->p95, w, err) ||
		       w->end(w, 0, err)
		   ? -1
		   : 0;
}

static int write_parts(const struct mp_group_diff *g, struct mp_writer *w, struct mp_error *err)
{
	static const char *const titles[] = {"Part", "Change(us)", "Change(%)"};
	const struct mp_section s = {
	    .title = "Where the change is", .heading = "", .titles = titles, .column_count = 3};
	const struct {
		const char *name;
		int64_t ns;
	} parts[] = {{"new operators", g->new_ns}, {"gone operators", g->gone_ns}, {"more or fewer calls", g->calls_ns},
	    {"slower or faster each", g->each_ns}, {"all", mp_span_ns(g->total.base_ns, g->total.new_ns)}};

	if (w->section(w, &s, err))
		return -1;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (w->row(w,
			(const struct mp_value[]){mp_string(parts[i].name), us_of(parts[i].ns),
			    percent_of((double)parts[i].ns, (double)g->total.base_ns)},
			err))
			return -1;
	return w->end(w, 0, err);
}

/* The name of a row for people: what it was, and where only one side has it. */
static struct mp_value name_of(const struct mp_diff_row *row, char *text, size_t size)
{
	const bool is_item = row->kind == MP_ITEM_IDLE || row->kind == MP_ITEM_OVERLAP;
	const char *own = row->name ? row->name : row->base_name, *name = is_item ? mp_say_word(own) : own;
	const char *begin = mp_say_word(" ("), *end = mp_say_word(")"), *was = mp_say_word("was");

	if (row->how == MP_MATCH_LAYERS)
		snprintf(text, size, "%s%s%s %s%s", name, begin, was, row->base_name, end);
	else if (row->how == MP_MATCH_SHAPE)
		snprintf(text, size, "%s%s%s%s%s %s%s", name, begin,
		    row->detail ? row->detail : mp_say_word("no shape"), mp_say_word(", "), was,
		    row->base_detail ? row->base_detail : mp_say_word("no shape"), end);
	else if (row->how != MP_MATCH_SAME)
		snprintf(text, size, "%s%s%s%s", name, begin, mp_say_word(mp_match_names[row->how]), end);
	else
		snprintf(text, size, "%s", name);
	return mp_string(text);
}

static struct mp_value per_step(int64_t count, int64_t steps)
{
	return hundredths((double)count / (double)steps);
}

/* Calls of a step: one number where it is the same on both sides. */
static struct mp_value calls_of(const struct mp_diff_row *r, const struct mp_group_diff *g, char *text, size_t size)
{
	const struct mp_value base = per_step(r->base_count, g->base_steps), new = per_step(r->new_count, g->new_steps);

	if (base.d == new.d)
		snprintf(text, size, "%.10g", new.d);
	else
		snprintf(text, size, "%.10g > %.10g", base.d, new.d);
	return mp_string(text);
}

/* The columns of a row, with the verdict against what the operators have in common. */
static int write_row(
    const struct mp_diff_row *r, const struct mp_group_diff *g, struct mp_writer *w, struct mp_error *err)
{
	char name[NAME_SIZE], times[64];
	const struct mp_value cells[] = {name_of(r, name, sizeof(name)), calls_of(r, g, times, sizeof(times)),
	    us_of(r->base_ns), us_of(r->new_ns), us_of(mp_span_ns(r->base_ns, r->new_ns)),
	    percent_of(change_of(r->base_ns, r->new_ns), fabs((double)r->base_ns)),
	    mp_string(mp_verdict_names[r->beside]), mp_string(r->detail ? r->detail : r->base_detail)};

	return w->row(w, cells, err);
}

/* The rows that do not differ, as one. */
static int write_folded(const struct mp_diff_row *sum, size_t count, bool is_call, const struct mp_group_diff *g,
    struct mp_writer *w, struct mp_error *err)
{
	char name[96], number[24];
	const struct mp_said words[] = {{"count", number}};
	const struct mp_value none = {.type = MP_NULL};

	if (!count)
		return 0;
	snprintf(number, sizeof(number), "%zu", count);
	if (mp_say(name, sizeof(name),
		is_call          ? "diff.folded.calls"
		: g->common.rows ? "diff.folded.common"
				 : "diff.folded",
		words, 1, err))
		return -1;
	return w->row(w,
	    (const struct mp_value[]){mp_string(name), none, us_of(sum->base_ns), us_of(sum->new_ns),
		us_of(mp_span_ns(sum->base_ns, sum->new_ns)),
		percent_of(change_of(sum->base_ns, sum->new_ns), (double)sum->base_ns),
		mp_string(mp_verdict_names[MP_SAME]), none},
	    err);
}

static int tell_columns(
    const struct mp_diff *d, const struct mp_group_diff *g, bool is_call, char *text, size_t size, struct mp_error *err)
{
	const struct mp_said caution = {"caution", d->noise.caution ? mp_say_word(d->noise.caution) : ""};

	if (mp_say(text, size,
		is_call          ? "diff.columns.calls"
		: g->common.rows ? "diff.columns.common"
				 : "diff.columns",
		NULL, 0, err))
		return -1;
	return d->noise.caution ? mp_say(text + strlen(text), size - strlen(text), "diff.caution", &caution, 1, err)
				: 0;
}

/* `top` below 0: rows that do not differ are one. */
static int write_rows(const struct mp_diff *d, const struct mp_group_diff *g, const char *title, int64_t top,
    struct mp_writer *w, struct mp_error *err)
{
	static const char *const operators[] = {
	    "Operator", "Calls", "Base(us)", "New(us)", "Change(us)", "Change(%)", "Verdict"};
	static const char *const calls[] = {
	    "Call", "Calls", "Base(us)", "New(us)", "Change(us)", "Change(%)", "Verdict", "Thread"};
	const bool is_calls = g->row_count && g->rows[0].kind == MP_ITEM_CALL;
	char heading[HEADING_SIZE];
	const struct mp_section s = {.title = title,
	    .heading = heading,
	    .titles = is_calls ? calls : operators,
	    .column_count = is_calls ? 8 : 7,
	    .decides = "Operator, Call, Base(us), New(us), Change(%), Verdict, Change(us)"};
	struct mp_diff_row sum = {.base_ns = 0};
	size_t folded = 0, shown = 0, left_out = 0;

	if (tell_columns(d, g, is_calls, heading, sizeof(heading), err) || w->section(w, &s, err))
		return -1;
	for (size_t i = 0; i < g->row_count; i++) {
		const struct mp_diff_row *r = &g->rows[i];

		if (top < 0 && r->beside == MP_SAME) {
			sum.base_ns = mp_add_ns(sum.base_ns, r->base_ns);
			sum.new_ns = mp_add_ns(sum.new_ns, r->new_ns);
			folded++;
		} else if (top > 0 && shown == (size_t)top) {
			left_out++;
		} else if (shown++, write_row(r, g, w, err)) {
			return -1;
		}
	}
	return write_folded(&sum, folded, is_calls, g, w, err) || w->end(w, (int64_t)left_out, err) ? -1 : 0;
}

/* A sentence for each group. */
static int write_verdict(const struct mp_diff *d, struct mp_writer *w, struct mp_error *err)
{
	char text[HEADING_SIZE];
	const struct mp_section s = {.title = "", .heading = text};

	for (size_t i = 0; i < d->group_count; i++)
		if (mp_diff_tell(d, &d->groups[i], text, sizeof(text), err) || w->section(w, &s, err) ||
		    w->end(w, 0, err))
			return -1;
	return 0;
}

static int write_facts(const struct mp_diff *d, struct mp_writer *w, struct mp_error *err)
{
	static const char *const titles[] = {"What differs", "BASE", "NEW"};
	char heading[128];
	struct mp_section s = {.title = "Comparable", .heading = heading, .titles = titles, .column_count = 3};
	size_t differ = 0;

	for (size_t i = 0; i < d->fact_count; i++)
		differ += !d->facts[i].base || !d->facts[i].new || strcmp(d->facts[i].base, d->facts[i].new) != 0;
	if (tell_score(heading, sizeof(heading), d, "nothing is known of both", err))
		return -1;
	if (!differ)
		s.absent = "none: no fact differs";
	if (w->section(w, &s, err))
		return -1;
	for (size_t i = 0; i < d->fact_count; i++) {
		const struct mp_fact_diff *f = &d->facts[i];
		char base[TITLE_SIZE], new[TITLE_SIZE];

		if ((!f->base || !f->new || strcmp(f->base, f->new) != 0) &&
		    w->row(w,
			(const struct mp_value[]){mp_string(f->title), mp_string(say_fact(base, f->name, f->base)),
			    mp_string(say_fact(new, f->name, f->new))},
			err))
			return -1;
	}
	return w->end(w, 0, err);
}

static int write_calls(const struct mp_diff *d, int64_t top, struct mp_writer *w, struct mp_error *err)
{
	char title[TITLE_SIZE];

	return mp_say(title, sizeof(title), "diff.calls", NULL, 0, err) || write_rows(d, &d->calls, title, top, w, err)
		   ? -1
		   : 0;
}

int mp_diff_write(
    const struct mp_diff *d, const struct mp_gates *gates, int64_t top, struct mp_writer *w, struct mp_error *err)
{
	if (write_verdict(d, w, err) || write_gates(gates, w, err))
		return -1;
	for (size_t i = 0; i < d->group_count; i++)
		if (write_totals(d, &d->groups[i], w, err) || write_parts(&d->groups[i], w, err) ||
		    write_rows(d, &d->groups[i], "Operators", top, w, err))
			return -1;
	return (d->calls.row_count && write_calls(d, top, w, err)) || write_facts(d, w, err) ? -1 : 0;
}

enum { SHEET_COLUMNS = 18 };

static int sheet_row(struct mp_writer *w, const char *group, const char *kind, const struct mp_diff_row *r,
    const struct mp_group_diff *g, struct mp_error *err)
{
	const struct mp_change *c = &r->change;
	double base = fabs(c->base_median);
	const struct mp_value none = {.type = MP_NULL};
	const struct mp_value cells[SHEET_COLUMNS] = {mp_string(group), mp_string(kind), mp_string(r->name),
	    mp_string(r->base_name), mp_string(r->detail ? r->detail : r->base_detail),
	    mp_string(mp_match_names[r->how]), per_step(r->base_count, g->base_steps),
	    per_step(r->new_count, g->new_steps), us_of(r->base_ns), us_of(r->new_ns),
	    us_of(mp_span_ns(r->base_ns, r->new_ns)),
	    percent_of(change_of(r->base_ns, r->new_ns), fabs((double)r->base_ns)), percent_of(c->shift, base),
	    percent_of(c->low, base), percent_of(c->high, base),
	    c->p < 0 ? none : (struct mp_value){.type = MP_REAL, .d = c->p}, mp_string(mp_verdict_names[r->verdict]),
	    mp_string(mp_verdict_names[r->beside])};

	return w->row(w, cells, err);
}

static int sheet_total(struct mp_writer *w, const char *name, const struct mp_total *t, const struct mp_group_diff *g,
    struct mp_error *err)
{
	const struct mp_diff_row row = {.name = name,
	    .base_name = name,
	    .base_count = g->base_steps,
	    .new_count = g->new_steps,
	    .base_ns = t->base_ns,
	    .new_ns = t->new_ns,
	    .change = t->change,
	    .verdict = t->verdict,
	    .beside = t->verdict};

	return sheet_row(w, g->base->title, "total", &row, g, err);
}

int mp_diff_write_rows(const struct mp_diff *d, struct mp_writer *w, struct mp_error *err)
{
	static const char *const titles[SHEET_COLUMNS] = {"Group", "Kind", "Name", "Base name", "Shape or thread",
	    "Match", "Base calls", "New calls", "Base(us)", "New(us)", "Change(us)", "Change(%)", "Shift(%)", "From(%)",
	    "To(%)", "p", "Verdict", "Against common"};
	const struct mp_section s = {
	    .title = "Changes", .heading = "", .titles = titles, .column_count = SHEET_COLUMNS};

	if (w->section(w, &s, err))
		return -1;
	for (size_t i = 0; i <= d->group_count; i++) {
		const struct mp_group_diff *g = i < d->group_count ? &d->groups[i] : &d->calls;

		if (g != &d->calls &&
		    (sheet_total(w, "total", &g->total, g, err) || sheet_total(w, "p95", &g->p95, g, err)))
			return -1;
		for (size_t k = 0; k < g->row_count; k++)
			if (sheet_row(w, g->base->title, mp_item_kinds[g->rows[k].kind], &g->rows[k], g, err))
				return -1;
	}
	return w->end(w, 0, err);
}

/* diff_write.c: a diff as sections of a report. */
#include "compare/diff_write.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "insight/sweep.h"

enum { TITLE_SIZE = 640, HEADING_SIZE = 2048, NAME_SIZE = 8192, VERDICT_SIZE = 64 };

static struct mp_value text_of(const char *text)
{
	return mp_string(text);
}

static struct mp_value us_of(int64_t ns)
{
	return (struct mp_value){.type = MP_REAL, .d = (double)ns / 1000};
}

/* Rounded to so many hundredths; nothing where it is no number. */
static struct mp_value hundredths(double number)
{
	struct mp_value v = {.type = isfinite(number) ? MP_REAL : MP_NULL};

	if (v.type == MP_REAL)
		v.d = floor(number * 100 + 0.5) / 100;
	return v;
}

static struct mp_value percent_of(double part, double whole)
{
	return whole > 0 ? hundredths(100 * part / whole) : (struct mp_value){.type = MP_NULL};
}

static double change_of(int64_t base_ns, int64_t new_ns)
{
	return (double)mp_span_ns(base_ns, new_ns);
}

/* "faster", or "faster (in doubt)". */
static struct mp_value verdict_of(enum mp_verdict verdict, const struct mp_noise *n, char text[VERDICT_SIZE])
{
	const bool is_flat = !n->caution || n->is_doubtful || verdict == MP_INCONCLUSIVE;

	snprintf(text, VERDICT_SIZE, is_flat ? "%s" : "%s (%s)", mp_verdict_names[verdict], n->caution);
	return text_of(text);
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
			(const struct mp_value[]){text_of(gates->items[i].text),
			    text_of(mp_gate_results[gates->items[i].result]), text_of(why)},
			err))
			return -1;
	}
	return w->end(w, 0, err);
}

/* What stands beside the verdicts, a line each. Returns the bytes that it takes. */
static int tell_caution(char *text, size_t size, const struct mp_diff *d)
{
	const struct {
		const char *name, *title;
	} facts[] = {{"doubt", "in doubt"}, {"model", "other models"}};
	int used = 0;

	for (size_t i = 0; i < 2 && size; i++) {
		const char *base = mp_side_find(d->base, facts[i].name), *new = mp_side_find(d->new, facts[i].name);
		const bool is_told = i ? base && new &&strcmp(base, new) != 0 : base || new;

		if (is_told)
			used += snprintf(text + used, size - (size_t)used, "%s: BASE %.100s, NEW %.100s\n",
			    facts[i].title, base ? base : "nothing", new ? new : "nothing");
	}
	return used;
}

static void tell_samples(char *text, size_t size, const struct mp_diff *d, const struct mp_group_diff *g)
{
	const struct mp_noise *n = &d->noise;
	char score[24] = "unknown";
	int used;

	if (d->score >= 0)
		snprintf(score, sizeof(score), "%d of 100", d->score);
	used = snprintf(text, size, "BASE: %d job%s, %lld %s%s; NEW: %d job%s, %lld %s%s; comparable: %s\n",
	    g->base->run_count, g->base->run_count == 1 ? "" : "s", (long long)g->base_steps, g->base->what,
	    g->base_steps == 1 ? "" : "s", g->new->run_count, g->new->run_count == 1 ? "" : "s",
	    (long long)g->new_steps, g->new->what, g->new_steps == 1 ? "" : "s", score);

	if (used < 0 || (size_t)used >= size)
		return;
	text += used;
	size -= (size_t)used;
	used = tell_caution(text, size, d);
	text += used;
	size -= (size_t)used;
	if (n->is_doubtful)
		snprintf(
		    text, size, "the data of a side contradicts itself: nothing is decided; 'msprof check' tells how");
	else if (g->total.change.unit == MP_UNIT_RUNS)
		snprintf(text, size, "samples are jobs: a change counts from %.1f %% on", 100 * n->floor_runs);
	else if (g->total.change.unit == MP_UNIT_STEPS)
		snprintf(text, size,
		    "samples are steps of jobs, which are correlated: a change counts from %.1f %% on;\n"
		    "more jobs on each side tell more",
		    100 * n->floor_steps);
	else
		snprintf(text, size,
		    "too few samples for a test: a change counts beyond %.1f %% and their spread;\n"
		    "more jobs on each side tell more",
		    100 * n->floor_none);
}

static int write_total(
    const struct mp_diff *d, const char *name, const struct mp_total *t, struct mp_writer *w, struct mp_error *err)
{
	double base = fabs(t->change.base_median);
	char verdict[VERDICT_SIZE];
	const struct mp_value cells[] = {text_of(name), us_of(t->base_ns), us_of(t->new_ns),
	    percent_of(t->change.shift, base), percent_of(t->change.low, base), percent_of(t->change.high, base),
	    verdict_of(t->verdict, &d->noise, verdict)};

	return w->row(w, cells, err);
}

static int write_totals(
    const struct mp_diff *d, const struct mp_group_diff *g, struct mp_writer *w, struct mp_error *err)
{
	static const char *const titles[] = {"What", "Base(us)", "New(us)", "Change(%)", "From(%)", "To(%)", "Verdict"};
	char title[TITLE_SIZE], heading[HEADING_SIZE];
	const struct mp_section s = {.title = title, .heading = heading, .titles = titles, .column_count = 7};

	snprintf(title, sizeof(title), "Change of %s", g->new->title);
	tell_samples(heading, sizeof(heading), d, g);
	return w->section(w, &s, err) || write_total(d, g->base->what, &g->total, w, err) ||
		       write_total(d, "p95", &g->p95, w, err) || w->end(w, 0, err)
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
			(const struct mp_value[]){text_of(parts[i].name), us_of(parts[i].ns),
			    percent_of((double)parts[i].ns, (double)g->total.base_ns)},
			err))
			return -1;
	return w->end(w, 0, err);
}

/* The name of a row for people: what it was, and where only one side has it. */
static struct mp_value name_of(const struct mp_diff_row *row, char *text, size_t size)
{
	const char *name = row->name ? row->name : row->base_name;

	if (row->how == MP_MATCH_LAYERS)
		snprintf(text, size, "%s (was %s)", name, row->base_name);
	else if (row->how == MP_MATCH_SHAPE)
		snprintf(text, size, "%s (%s, was %s)", name, row->detail ? row->detail : "no shape",
		    row->base_detail ? row->base_detail : "no shape");
	else if (row->how != MP_MATCH_SAME)
		snprintf(text, size, "%s (%s)", name, mp_match_names[row->how]);
	else
		snprintf(text, size, "%s", name);
	return text_of(text);
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
	return text_of(text);
}

static int write_rows(const struct mp_diff *d, const struct mp_group_diff *g, const char *title, int64_t top,
    struct mp_writer *w, struct mp_error *err)
{
	static const char *const operators[] = {
	    "Operator", "Calls", "Base(us)", "New(us)", "Change(us)", "/(%)", "Verdict"};
	static const char *const calls[] = {
	    "Call", "Calls", "Base(us)", "New(us)", "Change(us)", "/(%)", "Verdict", "Thread"};
	bool is_calls = g->row_count && g->rows[0].kind == MP_ITEM_CALL;
	char name[NAME_SIZE], times[64], heading[HEADING_SIZE];
	const struct mp_section s = {.title = title,
	    .heading = heading,
	    .titles = is_calls ? calls : operators,
	    .column_count = is_calls ? 8 : 7};
	size_t shown = top > 0 && (size_t)top < g->row_count ? (size_t)top : g->row_count;

	snprintf(heading, sizeof(heading), "per step%s%s%s",
	    is_calls ? "; a thread is named by the call that takes most of its time" : "", d->noise.caution ? "; " : "",
	    d->noise.caution ? d->noise.caution : "");
	if (w->section(w, &s, err))
		return -1;
	for (size_t i = 0; i < shown; i++) {
		const struct mp_diff_row *r = &g->rows[i];
		double change = change_of(r->base_ns, r->new_ns);
		const struct mp_value cells[] = {name_of(r, name, sizeof(name)), calls_of(r, g, times, sizeof(times)),
		    us_of(r->base_ns), us_of(r->new_ns), us_of(mp_span_ns(r->base_ns, r->new_ns)),
		    percent_of(change, fabs((double)r->base_ns)), text_of(mp_verdict_names[r->verdict]),
		    text_of(r->detail ? r->detail : r->base_detail)};

		if (w->row(w, cells, err))
			return -1;
	}
	return w->end(w, (int64_t)(g->row_count - shown), err);
}

static int write_facts(const struct mp_diff *d, struct mp_writer *w, struct mp_error *err)
{
	static const char *const titles[] = {"What differs", "BASE", "NEW"};
	char heading[128] = "nothing is known of both";
	struct mp_section s = {.title = "Comparable", .heading = heading, .titles = titles, .column_count = 3};
	size_t differ = 0;

	for (size_t i = 0; i < d->fact_count; i++)
		differ += !d->facts[i].base || !d->facts[i].new || strcmp(d->facts[i].base, d->facts[i].new) != 0;
	if (d->score >= 0)
		snprintf(heading, sizeof(heading), "%d of 100", d->score);
	if (!differ)
		s.absent = "no fact differs";
	if (w->section(w, &s, err))
		return -1;
	for (size_t i = 0; i < d->fact_count; i++) {
		const struct mp_fact_diff *f = &d->facts[i];

		if ((!f->base || !f->new || strcmp(f->base, f->new) != 0) &&
		    w->row(w, (const struct mp_value[]){text_of(f->title), text_of(f->base), text_of(f->new)}, err))
			return -1;
	}
	return w->end(w, 0, err);
}

int mp_diff_write(
    const struct mp_diff *d, const struct mp_gates *gates, int64_t top, struct mp_writer *w, struct mp_error *err)
{
	if (write_gates(gates, w, err))
		return -1;
	for (size_t i = 0; i < d->group_count; i++)
		if (write_totals(d, &d->groups[i], w, err) || write_parts(&d->groups[i], w, err) ||
		    write_rows(d, &d->groups[i], "Operators", top, w, err))
			return -1;
	return (d->calls.row_count && write_rows(d, &d->calls, "Calls", top, w, err)) || write_facts(d, w, err) ? -1
														: 0;
}

enum { SHEET_COLUMNS = 17 };

static int sheet_row(struct mp_writer *w, const char *group, const char *kind, const struct mp_diff_row *r,
    const struct mp_group_diff *g, struct mp_error *err)
{
	const struct mp_change *c = &r->change;
	double base = fabs(c->base_median);
	const struct mp_value none = {.type = MP_NULL};
	const struct mp_value cells[SHEET_COLUMNS] = {text_of(group), text_of(kind), text_of(r->name),
	    text_of(r->base_name), text_of(r->detail ? r->detail : r->base_detail), text_of(mp_match_names[r->how]),
	    per_step(r->base_count, g->base_steps), per_step(r->new_count, g->new_steps), us_of(r->base_ns),
	    us_of(r->new_ns), us_of(mp_span_ns(r->base_ns, r->new_ns)),
	    percent_of(change_of(r->base_ns, r->new_ns), fabs((double)r->base_ns)), percent_of(c->shift, base),
	    percent_of(c->low, base), percent_of(c->high, base),
	    c->p < 0 ? none : (struct mp_value){.type = MP_REAL, .d = c->p}, text_of(mp_verdict_names[r->verdict])};

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
	    .verdict = t->verdict};

	return sheet_row(w, g->base->title, "total", &row, g, err);
}

int mp_diff_write_rows(const struct mp_diff *d, struct mp_writer *w, struct mp_error *err)
{
	static const char *const titles[SHEET_COLUMNS] = {"Group", "Kind", "Name", "Base name", "Shape or thread",
	    "Match", "Base calls", "New calls", "Base(us)", "New(us)", "Change(us)", "Change(%)", "Shift(%)", "From(%)",
	    "To(%)", "p", "Verdict"};
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

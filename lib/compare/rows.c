/* rows.c: the rows of a group: each operator's part in the change of the step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/value.h"
#include "compare/compare_internal.h"
#include "insight/sweep.h"

enum { JOINED_MAX = 4096 }; /* bytes of joined names, after which no more are joined */

static int make_lists(struct mp_row_items *l, const uint32_t *row_of, size_t rows, struct mp_error *err)
{
	l->first = malloc((rows + 1) * sizeof(*l->first));
	l->next = malloc((l->group->item_count + 1) * sizeof(*l->next));
	if (!l->first || !l->next)
		return mp_fail_memory(err, "rows");
	memset(l->first, 0xff, (rows + 1) * sizeof(*l->first));
	for (size_t i = l->group->item_count; i-- > 0;) {
		l->next[i] = l->first[row_of[i]];
		l->first[row_of[i]] = (uint32_t)i;
	}
	return 0;
}

static void free_lists(struct mp_row_items *l)
{
	free(l->first);
	free(l->next);
}

static int join(char **to, const char *text, const char *separator, struct mp_error *err)
{
	size_t used = *to ? strlen(*to) : 0, between = *to ? strlen(separator) : 0, len = strlen(text);
	char *joined;

	if (used > JOINED_MAX)
		return 0;
	joined = realloc(*to, used + between + len + 1);
	if (!joined)
		return mp_fail_memory(err, "names");
	memcpy(joined + used, separator, between);
	memcpy(joined + used + between, text, len + 1);
	*to = joined;
	return 0;
}

void mp_row_samples(struct mp_samples *samples, const struct mp_row_items *items, size_t row)
{
	*samples = (struct mp_samples){.count = items->units->count};
	for (uint32_t i = items->first[row]; i != MP_NO_ITEM; i = items->next[i])
		for (int k = 0; k < items->group->sample_count; k++)
			samples->values[items->units->of[k]] +=
			    (double)items->group->sums[i * (size_t)items->group->width + (size_t)k];
	for (int k = 0; k < items->units->count; k++)
		samples->values[k] /= (double)items->units->steps[k];
}

/* The samples, calls and texts of a row from one side. */
static int read_side(struct mp_diff_row *row, const struct mp_row_items *l, size_t number, struct mp_samples *samples,
    bool is_base, struct mp_error *err)
{
	int64_t *count = is_base ? &row->base_count : &row->new_count;
	char **texts = row->texts;

	mp_row_samples(samples, l, number);
	for (uint32_t i = l->first[number]; i != MP_NO_ITEM; i = l->next[i]) {
		const struct mp_side_item *item = &l->group->items[i];

		*count = mp_add_ns(*count, item->calls);
		*(is_base ? &row->base_detail : &row->detail) = item->detail;
		*(is_base ? &row->base_name : &row->name) = item->name;
		row->layers = item->layers ? item->layers : row->layers;
		row->kind = item->kind;
		if (row->how != MP_MATCH_LAYERS)
			continue;
		if (join(&texts[is_base], item->name, " + ", err) ||
		    join(&texts[2], item->layers ? item->layers : item->name, "\x1f", err))
			return -1;
		*(is_base ? &row->base_name : &row->name) = texts[is_base];
		row->layers = texts[2];
	}
	return 0;
}

/*
 * The time of each row in the mean step, in whole nanoseconds that add up: each item has those by which it lets the sum
 * grow.
 */
static void add_means(struct mp_diff_row *rows, const struct mp_row_items *l, const uint32_t *row_of, bool is_base)
{
	int64_t sum = 0, before = 0;

	for (size_t i = 0; i < l->group->item_count; i++) {
		struct mp_diff_row *row = &rows[row_of[i]];
		int64_t *row_ns = is_base ? &row->base_ns : &row->new_ns, mean;

		sum = mp_add_ns(sum, mp_group_time(l->group, i));
		mean = mp_mean_ns(sum, l->steps);
		*row_ns = mp_add_ns(*row_ns, mean - before);
		before = mean;
	}
}

/* Split the change of an operator on both sides: by its number of calls at their old length, and the rest. */
static void split_row(struct mp_diff_row *row, const struct mp_pairing *p)
{
	int64_t change = mp_span_ns(row->base_ns, row->new_ns);
	double calls;

	row->calls_ns = 0;
	row->each_ns = 0;
	if (!p->noise->is_doubtful && (row->how == MP_MATCH_NEW || row->how == MP_MATCH_GONE))
		return;
	row->each_ns = change;
	if (row->how == MP_MATCH_LAYERS || row->base_count <= 0 || row->kind == MP_ITEM_IDLE ||
	    row->kind == MP_ITEM_OVERLAP)
		return;
	calls = (double)row->base_ns *
		((double)row->new_count * (double)p->base_steps / ((double)row->base_count * (double)p->new_steps) - 1);
	if (fabs(calls) < 9e18)
		row->calls_ns = (int64_t)floor(calls + 0.5);
	row->each_ns = mp_span_ns(row->calls_ns, change);
}

static int64_t change_of(const struct mp_diff_row *row)
{
	int64_t change = mp_span_ns(row->base_ns, row->new_ns);

	return change < 0 ? -(change + (change == INT64_MIN)) : change;
}

static int largest_first(const void *a, const void *b)
{
	const struct mp_diff_row *x = a, *y = b;
	int64_t p = change_of(x), q = change_of(y);
	const char *s = x->name ? x->name : x->base_name, *t = y->name ? y->name : y->base_name;

	if (p != q)
		return p > q ? -1 : 1;
	if (x->new_ns != y->new_ns)
		return x->new_ns > y->new_ns ? -1 : 1;
	return strcmp(s, t);
}

static void add_parts(struct mp_group_diff *g)
{
	for (size_t i = 0; i < g->row_count; i++) {
		const struct mp_diff_row *row = &g->rows[i];

		if (row->how == MP_MATCH_NEW)
			g->new_ns = mp_add_ns(g->new_ns, row->new_ns);
		else if (row->how == MP_MATCH_GONE)
			g->gone_ns = mp_add_ns(g->gone_ns, mp_span_ns(row->base_ns, 0));
		g->calls_ns = mp_add_ns(g->calls_ns, row->calls_ns);
		g->each_ns = mp_add_ns(g->each_ns, row->each_ns);
	}
}

/* That an operator is on one side only is no noise. */
static enum mp_verdict verdict_of(
    const struct mp_diff_row *row, const struct mp_pairing *p, double total_ns, size_t rows)
{
	if (row->how == MP_MATCH_NEW || row->how == MP_MATCH_GONE)
		return row->new_ns > row->base_ns ? MP_SLOWER : row->new_ns < row->base_ns ? MP_FASTER : MP_SAME;
	return mp_verdict_of(&row->change, p->noise, total_ns, rows);
}

static int make_rows(struct mp_group_diff *g, const struct mp_pairing *p, const struct mp_matching *m,
    struct mp_row_items *base, struct mp_row_items *new, struct mp_error *err)
{
	const struct mp_ranks *ranks = p->unit == MP_UNIT_NONE ? NULL : &p->ranks;

	g->rows = calloc(m->count + 1, sizeof(*g->rows));
	if (!g->rows)
		return mp_fail_memory(err, "rows");
	g->row_count = m->count;
	if (make_lists(base, m->base, m->count, err) || make_lists(new, m->new, m->count, err))
		return -1;
	add_means(g->rows, base, m->base, true);
	add_means(g->rows, new, m->new, false);
	for (size_t i = 0; i < m->count; i++) {
		struct mp_diff_row *row = &g->rows[i];
		struct mp_samples b, n;

		row->how = m->how[i];
		if (read_side(row, base, i, &b, true, err) || read_side(row, new, i, &n, false, err) ||
		    mp_change_measure(&row->change, &b, &n, ranks, p->unit, p->noise, err))
			return -1;
		row->verdict = row->beside = verdict_of(row, p, (double)g->total.base_ns, m->count);
		split_row(row, p);
	}
	if (mp_common_find(g, p, base, new, err))
		return -1;
	qsort(g->rows, g->row_count, sizeof(*g->rows), largest_first);
	add_parts(g);
	return 0;
}

int mp_rows_make(struct mp_group_diff *g, const struct mp_pairing *p, struct mp_error *err)
{
	struct mp_row_items base = {.group = p->base, .units = &p->base_units, .steps = p->base_steps};
	struct mp_row_items new = {.group = p->new, .units = &p->new_units, .steps = p->new_steps};
	struct mp_matching m;
	int status = mp_match(&m, p->base, p->new, err) || make_rows(g, p, &m, &base, &new, err) ? -1 : 0;

	free_lists(&base);
	free_lists(&new);
	mp_matching_free(&m);
	return status;
}

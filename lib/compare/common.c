/* common.c: whether most operators changed by one factor, and how each row differs from it; and the change in a
 * sentence. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "compare/compare_internal.h"
#include "insight/sweep.h"

enum { ROWS_LEAST = 3, ROWS_NAMED = 2, PART_SIZE = 512 };

/* By how much an operator changed, and how much time it has in BASE. */
struct ratio {
	double factor, weight;
};

static bool is_matched(const struct mp_diff_row *r)
{
	return r->kind == MP_ITEM_OPERATOR && r->how != MP_MATCH_NEW && r->how != MP_MATCH_GONE && r->base_ns > 0 &&
	       r->new_ns > 0;
}

static double factor_of(const struct mp_diff_row *r)
{
	return (double)r->new_ns / (double)r->base_ns;
}

static int by_factor(const void *a, const void *b)
{
	const struct ratio *x = a, *y = b;

	return (x->factor > y->factor) - (x->factor < y->factor);
}

/* The factor that half of the time is below; 1 without operators. */
static int find_factor(const struct mp_group_diff *g, double *factor, size_t *count, struct mp_error *err)
{
	struct ratio *ratios = malloc((g->row_count + 1) * sizeof(*ratios));
	double sum = 0, passed = 0;

	*factor = 1;
	*count = 0;
	if (!ratios)
		return mp_fail_memory(err, "factors");
	for (size_t i = 0; i < g->row_count; i++)
		if (is_matched(&g->rows[i])) {
			ratios[*count] = (struct ratio){factor_of(&g->rows[i]), (double)g->rows[i].base_ns};
			sum += ratios[(*count)++].weight;
		}
	if (*count)
		qsort(ratios, *count, sizeof(*ratios), by_factor);
	for (size_t i = 0; i < *count && passed < sum / 2; i++) {
		passed += ratios[i].weight;
		*factor = ratios[i].factor;
	}
	free(ratios);
	return 0;
}

static bool is_near(const struct mp_diff_row *r, double factor, const struct mp_noise *noise)
{
	return is_matched(r) && fabs(factor_of(r) - factor) <= noise->common_spread * fabs(factor - 1);
}

static void add_samples(struct mp_samples *sum, const struct mp_samples *part)
{
	sum->count = part->count;
	for (int i = 0; i < part->count; i++)
		sum->values[i] += part->values[i];
}

/* Each row against what it would be with the factor alone. */
static int judge_rows(struct mp_group_diff *g, const struct mp_pairing *p, const struct mp_row_items *base,
    const struct mp_row_items *new, double factor, struct mp_error *err)
{
	const struct mp_ranks *ranks = p->unit == MP_UNIT_NONE ? NULL : &p->ranks;

	for (size_t i = 0; i < g->row_count; i++) {
		struct mp_samples b, n;
		struct mp_change change;

		if (!is_matched(&g->rows[i]))
			continue;
		mp_row_samples(&b, base, i);
		mp_row_samples(&n, new, i);
		for (int k = 0; k < b.count; k++)
			b.values[k] *= factor;
		if (mp_change_measure(&change, &b, &n, ranks, p->unit, p->noise, err))
			return -1;
		g->rows[i].beside = mp_verdict_of(&change, p->noise, (double)g->total.base_ns, g->row_count);
	}
	return 0;
}

int mp_common_find(struct mp_group_diff *g, const struct mp_pairing *p, const struct mp_row_items *base,
    const struct mp_row_items *new, struct mp_error *err)
{
	struct mp_samples b = {.count = 0}, n = {.count = 0}, part;
	double factor, with = 0, of = 0;
	size_t rows = 0, count;

	if (find_factor(g, &factor, &count, err))
		return -1;
	for (size_t i = 0; i < g->row_count; i++) {
		of += is_matched(&g->rows[i]) ? (double)g->rows[i].base_ns : 0;
		if (!is_near(&g->rows[i], factor, p->noise))
			continue;
		rows++;
		with += (double)g->rows[i].base_ns;
		mp_row_samples(&part, base, i);
		add_samples(&b, &part);
		mp_row_samples(&part, new, i);
		add_samples(&n, &part);
	}
	if (rows < ROWS_LEAST || with < p->noise->common_share * of || p->noise->is_doubtful)
		return 0;
	if (mp_change_measure(
		&g->common.change, &b, &n, p->unit == MP_UNIT_NONE ? NULL : &p->ranks, p->unit, p->noise, err))
		return -1;
	if (g->common.change.equal || !mp_change_decide(&g->common.change, 0))
		return 0;
	g->common.rows = rows;
	g->common.of = count;
	return judge_rows(g, p, base, new, 1 + g->common.change.shift / g->common.change.base_median, err);
}

/* "+2.6", with as many digits as the interval needs. */
static void tell_share(char text[MP_SAY_NUMBER], double part, double whole)
{
	const double percent = whole > 0 ? 100 * part / whole : 0;

	const int digits = fabs(percent) < 0.0005 ? 0 : fabs(percent) < 0.095 ? 3 : fabs(percent) < 99.5 ? 1 : 0;

	snprintf(text, MP_SAY_NUMBER, digits || fabs(percent) > 1 ? "%+.*f" : "%.*f", digits, percent);
}

static void tell_change(char text[MP_SAY_NUMBER + 1], int64_t ns)
{
	text[0] = ns < 0 ? '-' : '+';
	mp_say_time(text + 1, ns < 0 ? -(ns + (ns == INT64_MIN)) : ns);
}

/* A row with its change. */
static int tell_row(const struct mp_diff_row *r, char *text, size_t size, struct mp_error *err)
{
	static const char *const kinds[MP_ITEM_KINDS] = {"diff.row", "diff.row.idle", "diff.row.overlap", "diff.row"};
	char change[MP_SAY_NUMBER + 1], share[MP_SAY_NUMBER];
	const struct mp_said words[] = {
	    {"name", r->name ? r->name : r->base_name}, {"change", change}, {"share", share}};
	const char *const key = r->how == MP_MATCH_NEW    ? "diff.row.new"
				: r->how == MP_MATCH_GONE ? "diff.row.gone"
							  : kinds[r->kind];

	tell_change(change, mp_span_ns(r->base_ns, r->new_ns));
	tell_share(share, (double)mp_span_ns(r->base_ns, r->new_ns), fabs((double)r->base_ns));
	return mp_say(text, size, key, words, 3, err);
}

/* The operators that differ most from the rest, as a list. */
static int tell_rows(const struct mp_group_diff *g, char *list, size_t size, struct mp_error *err)
{
	size_t used = 0;
	int named = 0;

	list[0] = '\0';
	for (size_t i = 0; i < g->row_count && named < ROWS_NAMED && used + 4 < size; i++) {
		const struct mp_diff_row *r = &g->rows[i];

		if (r->beside != MP_SLOWER && r->beside != MP_FASTER)
			continue;
		if (named++)
			used += (size_t)snprintf(list + used, size - used, "%s", mp_say_word(", "));
		if (tell_row(r, list + used, size - used, err))
			return -1;
		used += strlen(list + used);
	}
	return 0;
}

/* What made the change: a common factor, and what differs from it; or the operators that changed most. */
static int tell_cause(const struct mp_group_diff *g, char *text, size_t size, struct mp_error *err)
{
	const struct mp_change *c = &g->common.change;
	char rows[PART_SIZE], share[MP_SAY_NUMBER], low[MP_SAY_NUMBER], high[MP_SAY_NUMBER], count[24], of[24];
	const struct mp_said words[] = {
	    {"rows", rows}, {"share", share}, {"low", low}, {"high", high}, {"count", count}, {"all", of}};

	text[0] = '\0';
	if (tell_rows(g, rows, sizeof(rows), err))
		return -1;
	tell_share(share, c->shift, c->base_median);
	tell_share(low, c->low, c->base_median);
	tell_share(high, c->high, c->base_median);
	snprintf(count, sizeof(count), "%zu", g->common.rows);
	snprintf(of, sizeof(of), "%zu", g->common.of);
	if (g->common.rows &&
	    mp_say(text, size, g->common.rows == g->common.of ? "diff.common" : "diff.common.most", words, 6, err))
		return -1;
	if (!rows[0])
		return 0;
	return mp_say(
	    text + strlen(text), size - strlen(text), g->common.rows ? "diff.beside" : "diff.rows", words, 6, err);
}

int mp_diff_tell(const struct mp_diff *d, const struct mp_group_diff *g, char *text, size_t size, struct mp_error *err)
{
	const struct mp_total *t = &g->total;
	const struct mp_change *c = &t->change;
	const double change = (double)mp_span_ns(t->base_ns, t->new_ns);
	const bool agrees = change >= c->low * (double)t->base_ns / fmax(c->base_median, 1) &&
			    change <= c->high * (double)t->base_ns / fmax(c->base_median, 1);
	char base[MP_SAY_NUMBER], new[MP_SAY_NUMBER], share[MP_SAY_NUMBER], shift[MP_SAY_NUMBER], low[MP_SAY_NUMBER],
	    high[MP_SAY_NUMBER], cause[2 * PART_SIZE], what[64], caution[96] = "", key[32];
	const struct mp_said words[] = {{"group", g->new->title}, {"base", base}, {"new", new}, {"share", share},
	    {"shift", shift}, {"low", low}, {"high", high}, {"cause", cause}, {"what", what}, {"caution", caution}};

	mp_say_time(base, t->base_ns);
	mp_say_time(new, t->new_ns);
	tell_share(share, change, (double)t->base_ns);
	tell_share(shift, c->shift, c->base_median);
	tell_share(low, c->low, c->base_median);
	tell_share(high, c->high, c->base_median);
	snprintf(key, sizeof(key), "diff.what.%.20s", g->base->what);
	if (mp_say(what, sizeof(what), key, NULL, 0, err) || tell_cause(g, cause, sizeof(cause), err) ||
	    (d->noise.caution && mp_say(caution, sizeof(caution), "diff.caution",
				     &(const struct mp_said){"caution", mp_say_word(d->noise.caution)}, 1, err)))
		return -1;
	snprintf(key, sizeof(key), "diff.%s%s", mp_verdict_names[t->verdict], c->equal || agrees ? "" : ".medians");
	return mp_say(text, size, key, words, sizeof(words) / sizeof(words[0]), err);
}

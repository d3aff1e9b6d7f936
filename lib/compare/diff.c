/* diff.c: compares two sides: which groups are the same, and what the sides have in common. */
#include "compare/diff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/schema.h"
#include "base/vec.h"
#include "compare/compare_internal.h"

static int compare_group(struct mp_diff *d, struct mp_group_diff *g, const struct mp_group *base,
    const struct mp_group *new, bool has_total, struct mp_error *err)
{
	struct mp_pairing p;
	int status;

	*g = (struct mp_group_diff){.base = base, .new = new};
	status = mp_pairing_make(&p, base, new, &d->noise, err);
	g->base_steps = p.base_steps;
	g->new_steps = p.new_steps;
	if (!status)
		status = mp_pairing_total(&p, &g->total, err) || (has_total && mp_pairing_p95(&p, &g->p95, err)) ||
				 mp_rows_make(g, &p, err)
			     ? -1
			     : 0;
	mp_ranks_free(&p.ranks);
	return status;
}

static const struct mp_group *find_group(const struct mp_side *side, const char *title)
{
	for (size_t i = 0; i < side->group_count; i++)
		if (side->groups[i].run_count && strcmp(side->groups[i].title, title) == 0)
			return &side->groups[i];
	return NULL;
}

/* The only group with a step; NULL: no group or several groups have a step. */
static const struct mp_group *only_group(const struct mp_side *side)
{
	const struct mp_group *only = NULL;

	for (size_t i = 0; i < side->group_count; i++)
		if (side->groups[i].run_count) {
			if (only)
				return NULL;
			only = &side->groups[i];
		}
	return only;
}

/* Groups with the same title; where each side has but one, these two. */
static int compare_groups(struct mp_diff *d, struct mp_error *err)
{
	const struct mp_group *base = only_group(d->base), *new = only_group(d->new);

	d->groups = calloc(d->base->group_count + 1, sizeof(*d->groups));
	if (!d->groups)
		return mp_fail_memory(err, "a comparison");
	if (base && new)
		return compare_group(d, &d->groups[d->group_count++], base, new, true, err);
	for (size_t i = 0; i < d->base->group_count; i++) {
		base = &d->base->groups[i];
		new = find_group(d->new, base->title);
		if (base->run_count && new &&compare_group(d, &d->groups[d->group_count++], base, new, true, err))
			return -1;
	}
	return 0;
}

static bool has_step(const struct mp_side *side)
{
	size_t i = 0;

	while (i < side->group_count && !side->groups[i].run_count)
		i++;
	return i < side->group_count;
}

/* What a reader must know of each verdict. */
static const char *caution_of(const struct mp_side *base, const struct mp_side *new)
{
	const char *was = mp_side_find(base, "model"), *is = mp_side_find(new, "model");
	const bool doubt = mp_side_find(base, "doubt") || mp_side_find(new, "doubt"),
		   other = was && is && strcmp(was, is) != 0;

	return doubt && other ? "in doubt, other model" : doubt ? "in doubt" : other ? "other model" : NULL;
}

int mp_diff_make(struct mp_diff *d, const struct mp_side *base, const struct mp_side *new, struct mp_error *err)
{
	*d = (struct mp_diff){.base = base, .new = new};
	if (mp_noise_read(&d->noise, err))
		return -1;
	if (base->family[0] && new->family[0] && strcmp(base->family, new->family) != 0)
		return mp_fail(err, "BASE has data of the family '%s', NEW of '%s': nothing to compare", base->family,
		    new->family);
	d->noise.is_doubtful = mp_side_find(base, "contradicted") || mp_side_find(new, "contradicted");
	d->noise.caution = caution_of(base, new);
	if (compare_groups(d, err))
		return -1;
	if (!d->group_count)
		return mp_fail(err, "BASE and NEW have no step in common: %s",
		    !has_step(base)  ? "BASE has none, as no task of a device was read, or none in an iteration"
		    : !has_step(new) ? "NEW has none, as no task of a device was read, or none in an iteration"
				     : "they are of other models or devices");
	return compare_group(d, &d->calls, &base->calls, &new->calls, false, err) || mp_facts_compare(d, err) ? -1 : 0;
}

static void free_rows(struct mp_group_diff *g)
{
	for (size_t i = 0; i < g->row_count; i++)
		for (int k = 0; k < 3; k++)
			free(g->rows[i].texts[k]);
	free(g->rows);
}

void mp_diff_free(struct mp_diff *d)
{
	for (size_t i = 0; i < d->group_count; i++)
		free_rows(&d->groups[i]);
	free(d->groups);
	free_rows(&d->calls);
	free(d->facts);
	memset(d, 0, sizeof(*d));
}

/* What two sides have in common, weighed by schema/insight/comparable.txt. */

/* Read a line "name weight title". Returns false for another line. */
static bool read_line(struct mp_fact_diff *f, const char *line)
{
	*f = (struct mp_fact_diff){.weight = 0};
	return sscanf(line, "%31[a-z] %d %63[^\n]", f->name, &f->weight, f->title) == 3;
}

int mp_facts_compare(struct mp_diff *d, struct mp_error *err)
{
	const char *line = mp_schema_text("insight/comparable.txt");
	int known = 0, equal = 0;

	d->score = -1;
	for (; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		struct mp_fact_diff fact;

		if (!read_line(&fact, line))
			continue;
		fact.base = mp_side_find(d->base, fact.name);
		fact.new = mp_side_find(d->new, fact.name);
		if (!fact.base && !fact.new)
			continue;
		if (!mp_vec_room(d->facts, d->fact_count, 1))
			return mp_fail_memory(err, "facts");
		d->facts[d->fact_count++] = fact;
		known += fact.base && fact.new ? fact.weight : 0;
		equal += fact.base && fact.new &&strcmp(fact.base, fact.new) == 0 ? fact.weight : 0;
	}
	if (known)
		d->score = (200 * equal + known) / (2 * known);
	return 0;
}

/* What the samples of two groups are, and what they say of their totals. */

const char *const mp_verdict_names[MP_VERDICTS] = {"same", "slower", "faster", "inconclusive"};
const char *const mp_sample_unit_names[] = {"jobs", "steps", "none"};

/* One unit for each run, or for each sample that has a step. */
static void make_units(struct mp_units *u, const struct mp_group *g, bool by_run)
{
	*u = (struct mp_units){.count = 0};
	for (int i = 0; i < g->sample_count; i++) {
		const struct mp_sample *s = &g->samples[i];
		bool is_new = !by_run || !i || s->run != g->samples[i - 1].run;

		if (is_new && (!u->count || u->steps[u->count - 1] > 0))
			u->count++;
		u->of[i] = u->count - 1;
		u->steps[u->count - 1] += s->steps;
	}
	if (u->count && !u->steps[u->count - 1])
		u->count--;
}

static int make(struct mp_pairing *p, bool by_run, struct mp_error *err)
{
	make_units(&p->base_units, p->base, by_run);
	make_units(&p->new_units, p->new, by_run);
	mp_ranks_free(&p->ranks);
	return mp_ranks_make(&p->ranks, p->base_units.count, p->new_units.count, p->noise->alpha, err);
}

int mp_pairing_make(struct mp_pairing *p, const struct mp_group *base, const struct mp_group *new,
    const struct mp_noise *noise, struct mp_error *err)
{
	*p = (struct mp_pairing){.base = base,
	    .new = new,
	    .noise = noise,
	    .base_steps = mp_group_steps(base),
	    .new_steps = mp_group_steps(new),
	    .unit = MP_UNIT_RUNS};
	if (make(p, true, err))
		return -1;
	if (p->ranks.cut >= 0)
		return 0;
	p->unit = MP_UNIT_STEPS;
	if (make(p, false, err))
		return -1;
	if (p->ranks.cut >= 0)
		return 0;
	p->unit = MP_UNIT_NONE;
	return base->run_count > 1 && new->run_count > 1 ? make(p, true, err) : 0;
}

static void total_samples(struct mp_samples *s, const struct mp_group *g, const struct mp_units *u)
{
	*s = (struct mp_samples){.count = u->count};
	for (int i = 0; i < g->sample_count; i++)
		s->values[u->of[i]] += (double)g->samples[i].total_ns;
	for (int i = 0; i < u->count; i++)
		s->values[i] /= (double)u->steps[i];
}

static int64_t total_ns(const struct mp_group *g)
{
	int64_t sum = 0;

	for (int i = 0; i < g->sample_count; i++)
		if (__builtin_add_overflow(sum, g->samples[i].total_ns, &sum))
			sum = INT64_MAX;
	return sum;
}

int mp_pairing_total(const struct mp_pairing *p, struct mp_total *t, struct mp_error *err)
{
	const struct mp_ranks *ranks = p->unit == MP_UNIT_NONE ? NULL : &p->ranks;
	struct mp_samples base, new;

	t->base_ns = mp_mean_ns(total_ns(p->base), p->base_steps);
	t->new_ns = mp_mean_ns(total_ns(p->new), p->new_steps);
	total_samples(&base, p->base, &p->base_units);
	total_samples(&new, p->new, &p->new_units);
	if (mp_change_measure(&t->change, &base, &new, ranks, p->unit, p->noise, err))
		return -1;
	t->verdict = mp_verdict_of(&t->change, p->noise, 0, 1);
	return 0;
}

static int64_t p95_samples(struct mp_samples *s, const struct mp_group *g)
{
	double sum = 0;

	*s = (struct mp_samples){.count = g->run_count};
	for (int i = 0; i < g->run_count; i++)
		sum += s->values[i] = (double)g->runs[i].p95_ns;
	return g->run_count ? (int64_t)(sum / g->run_count) : 0;
}

int mp_pairing_p95(const struct mp_pairing *p, struct mp_total *t, struct mp_error *err)
{
	enum mp_sample_unit unit = p->unit == MP_UNIT_RUNS ? MP_UNIT_RUNS : MP_UNIT_NONE;
	struct mp_samples base, new;

	t->base_ns = p95_samples(&base, p->base);
	t->new_ns = p95_samples(&new, p->new);
	if (mp_change_measure(&t->change, &base, &new, unit == MP_UNIT_RUNS ? &p->ranks : NULL, unit, p->noise, err))
		return -1;
	t->verdict = mp_verdict_of(&t->change, p->noise, 0, 1);
	return 0;
}

/* Surely smaller than what counts, of itself or of the whole step. */
static bool is_same(const struct mp_change *c, const struct mp_noise *noise, double total)
{
	double least = noise->least_share * total;

	return c->equal || (mp_change_decide(c, noise->same) < 0 && mp_change_decide(c, -noise->same) > 0) ||
	       (c->high <= least && c->low >= -least);
}

enum mp_verdict mp_verdict_of(const struct mp_change *c, const struct mp_noise *noise, double total, size_t rows)
{
	int decided = c->equal ? 0 : mp_change_decide(c, 0);
	bool large = rows <= 1 || fabs(c->shift) >= noise->least_share * total;

	if (noise->is_doubtful)
		return MP_INCONCLUSIVE;
	if (decided && (large || (c->p >= 0 && c->p <= noise->alpha / (double)rows)))
		return decided > 0 ? MP_SLOWER : MP_FASTER;
	return is_same(c, noise, total) ? MP_SAME : MP_INCONCLUSIVE;
}

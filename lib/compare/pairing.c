/* pairing.c: what the samples of two groups are, and what they say of their totals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/diff_internal.h"

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

/* diff.c: compares two sides: which groups are the same, and what the sides have in common. */
#include "compare/diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/schema.h"
#include "compare/diff_internal.h"

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

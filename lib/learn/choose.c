/*
 * choose.c: tries the candidates of all counters together, in depth. Candidates of a counter with equal numbers are one
 * choice, so that there are mostly one or two choices a counter.
 */
#include <stdlib.h>
#include <string.h>

#include "learn/places.h"

struct chooser {
	struct mp_candidates *lists;
	const struct mp_learn_words *words;
	const struct mp_learn_rows *rows;
	int order[MP_COUNTERS];
	const struct mp_candidate *now[MP_COUNTERS], *best[MP_COUNTERS]; /* NULL: missing */
	size_t rank[3]; /* of the best: counters that are missing, cells that differ, records that cannot be */
	bool has_best;
	struct mp_work *work;
	size_t cost; /* of a look at all rows and records */
	struct mp_others rivals[MP_COUNTERS];
};

/* Aligned places first, then those of 32 bits, which most counters are; then those of 16. */
static int preference(const struct mp_candidate *c)
{
	static const int of_width[] = {[2] = 1, [4] = 0, [8] = 2};

	return (c->against ? 8 : 0) + (c->place.offset % c->place.width ? 4 : 0) + of_width[c->place.width];
}

static int compare_candidates(const void *a, const void *b)
{
	const struct mp_candidate *x = a, *y = b;
	int d = preference(x) - preference(y);

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	if (!d)
		d = x->place.offset - y->place.offset;
	return d ? d : (int)x->place.scale - (int)y->place.scale;
}

/* Cells that several counters make, which say another number. */
static size_t count_differing(const struct chooser *c)
{
	static const enum mp_meaning together[] = {MP_MEANS_DDR_TOTAL, MP_MEANS_MEMORY_BOUND};
	struct mp_item item = {.ticks = 0};
	size_t count = 0;

	for (size_t n = 0; n < c->rows->count; n++) {
		const struct mp_row *r = &c->rows->items[n];
		const struct mp_table *t = &c->rows->refs->items[r->table];
		struct mp_exact exact;
		int64_t cell;

		for (int i = 0; i < MP_COUNTERS; i++)
			item.counters[i] =
			    c->now[i] ? mp_row_counter(c->words, &c->now[i]->place, i, r, &item.ticks) : -1;
		for (int k = 0; k < 2; k++)
			count += mp_table_number(t, r->row, together[k], &cell) &&
				 mp_expect(t, together[k], &item, &exact) && (exact.den || cell) &&
				 !mp_exact_rules(exact, cell, t->columns[t->column_of[together[k]]].decimals);
	}
	return count;
}

/* Records in which the units worked more than they were busy. */
static size_t count_impossible(const struct chooser *c)
{
	size_t count = 0;

	for (int busy = MP_MAC_BUSY; busy <= MP_VEC_BUSY; busy += 2) {
		const struct mp_candidate *b = c->now[busy], *p = c->now[busy + 1];

		for (size_t i = 0; b && p && i < c->words->count; i++)
			count +=
			    mp_place_value(c->words, &p->place, busy, i) > mp_place_value(c->words, &b->place, busy, i);
	}
	return count;
}

void mp_others_add(struct mp_others *others, const struct mp_place *place)
{
	for (size_t i = 0; i < others->count && i < MP_OTHERS; i++) {
		const struct mp_place *known = &others->places[i];

		if (known->offset == place->offset && known->width == place->width && known->scale == place->scale &&
		    known->per_mille == place->per_mille)
			return;
	}
	if (others->count < MP_OTHERS)
		others->places[others->count] = *place;
	others->count++;
}

/* A choice is complete: keep it if it is the best, or remember where it has other numbers than the best. */
static void judge(struct chooser *c, size_t missing)
{
	size_t rank[3];
	int order = 0;

	if (!mp_work_take(c->work, c->cost) && c->has_best)
		return;
	rank[0] = missing;
	rank[1] = count_differing(c);
	rank[2] = count_impossible(c);
	for (int i = 0; i < 3 && !order; i++)
		order = (rank[i] > c->rank[i]) - (rank[i] < c->rank[i]);
	if (!c->has_best || order < 0) {
		memcpy(c->best, c->now, sizeof(c->best));
		memcpy(c->rank, rank, sizeof(c->rank));
		memset(c->rivals, 0, sizeof(c->rivals));
		c->has_best = true;
	} else if (order == 0) {
		for (int i = 0; i < MP_COUNTERS; i++)
			if (c->best[i] && c->now[i] && c->best[i]->hash != c->now[i]->hash)
				mp_others_add(&c->rivals[i], &c->now[i]->place);
	}
}

static bool is_free(const struct chooser *c, const struct mp_candidate *candidate)
{
	const struct mp_candidate *read = c->now[MP_DDR_READ];

	if (candidate->against &&
	    (!read || read->hash != candidate->against || read->place.scale != candidate->place.scale))
		return false;
	for (int i = 0; i < MP_COUNTERS; i++)
		if (c->now[i] && mp_places_overlap(&c->now[i]->place, &candidate->place))
			return false;
	return true;
}

/* Try the choices of the counters from order[index] on. NOLINTNEXTLINE(misc-no-recursion): MP_COUNTERS deep */
static void choose_from(struct chooser *c, int index, size_t missing)
{
	int counter = index < MP_COUNTERS ? c->order[index] : 0;
	const struct mp_candidates *list = &c->lists[counter];
	uint64_t done = 0; /* the hash of the choice that was tried last */
	bool any = false;

	if (index == MP_COUNTERS) {
		judge(c, missing);
		return;
	}
	for (size_t i = 0; i < list->count && (mp_work_take(c->work, 1) || !any); i++) {
		if (list->items[i].hash == done || !is_free(c, &list->items[i]))
			continue;
		c->now[counter] = &list->items[i];
		choose_from(c, index + 1, missing);
		c->now[counter] = NULL;
		done = list->items[i].hash;
		any = true;
	}
	if (!any)
		choose_from(c, index + 1, missing + 1);
}

/* Counters with few places choose first; but what is written may be a difference to what is read. */
static void set_order(struct chooser *c)
{
	for (int i = 0; i < MP_COUNTERS; i++) {
		int at = i;

		for (; at > 0 && c->lists[c->order[at - 1]].count > c->lists[i].count &&
		       !(c->order[at - 1] == MP_DDR_READ && i == MP_DDR_WRITE);
		     at--)
			c->order[at] = c->order[at - 1];
		c->order[at] = i;
	}
}

/* Whether each candidate of a counter overlaps a place that was chosen. */
static bool is_overlapped(const struct chooser *c, const struct mp_candidates *list)
{
	for (size_t i = 0; i < list->count; i++) {
		bool free_of_all = true;

		for (int k = 0; k < MP_COUNTERS; k++)
			free_of_all &= !c->best[k] || !mp_places_overlap(&c->best[k]->place, &list->items[i].place);
		if (free_of_all)
			return false;
	}
	return list->count > 0;
}

/* The finding of a counter, with all places that are as good. */
static void set_finding(struct mp_learn_finding *f, const struct chooser *c, int counter)
{
	const struct mp_candidates *list = &c->lists[counter];
	const struct mp_candidate *best = c->best[counter], *read = c->best[MP_DDR_READ];

	*f = (struct mp_learn_finding){.rows = list->rows,
	    .nonzero = list->nonzero,
	    .candidates = list->count,
	    .not_searched = list->not_searched};
	if (!best) {
		f->overlapped = is_overlapped(c, list);
		return;
	}
	f->fits = list->rows - list->misses;
	f->place = best->place;
	if (best->against) {
		f->place.minus = read->place.offset;
		f->place.minus_width = read->place.width;
	}
	f->rivals = c->rivals[counter];
	for (size_t i = 0; i < list->count; i++) {
		const struct mp_candidate *other = &list->items[i];

		if (other != best && other->hash == best->hash)
			mp_others_add(&f->equal, &other->place);
		else if (other->hash != best->hash && c->work->ended) /* not all choices were tried */
			mp_others_add(&f->rivals, &other->place);
	}
}

void mp_choose(struct mp_learn_finding findings[MP_COUNTERS], struct mp_candidates lists[MP_COUNTERS],
    const struct mp_learn_words *words, const struct mp_learn_rows *rows, struct mp_work *work)
{
	struct chooser c = {.lists = lists, .words = words, .rows = rows, .work = work, .cost = 4 * words->count};

	for (size_t i = 0; i < rows->count; i++)
		c.cost += MP_COUNTERS * (size_t)rows->items[i].count;

	for (int i = 0; i < MP_COUNTERS; i++)
		if (lists[i].count)
			qsort(lists[i].items, lists[i].count, sizeof(*lists[i].items), compare_candidates);
	set_order(&c);
	choose_from(&c, 0, 0);
	for (int i = 0; i < MP_COUNTERS; i++)
		set_finding(&findings[i], &c, i);
}

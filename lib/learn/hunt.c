/* hunt.c: maps rows to units of records, finds times and columns, and keeps the solution that explains most. */
#include "learn/hunt.h"

#include <stdlib.h>
#include <string.h>

#include "learn/memory.h"

static uint64_t hash_of(const struct mp_view *view)
{
	uint64_t hash = 14695981039346656037U;

	for (size_t i = 0; i < view->count; i++)
		hash = (hash ^ view->units[i]) * 1099511628211U;
	return hash ^ (uintptr_t)view;
}

/* Returns whether a mapping was seen before, and keeps it in mind. */
static bool seen(struct mp_hunt *h, const struct mp_view *view)
{
	uint64_t hash = hash_of(view);

	for (size_t i = 0; i < h->seen_count; i++)
		if (h->seen[i] == hash)
			return true;
	if (h->seen_count < MP_SEEN_MAX)
		h->seen[h->seen_count++] = hash;
	return false;
}

size_t mp_hunt_mapped(const struct mp_view *view)
{
	size_t count = 0;

	for (size_t i = 0; i < view->count; i++)
		count += view->units[i] != MP_NO_UNIT;
	return count;
}

static void unmap(struct mp_view *view)
{
	for (size_t i = 0; i < view->count; i++)
		view->units[i] = MP_NO_UNIT;
}

/* How many rows have a unit with the row's duration, in thousandths of the rows that say a duration. */
static size_t agreement(const struct mp_view *view, const struct mp_units *units, const struct mp_times *times)
{
	struct mp_fit fit = {0};
	struct mp_says says;
	int64_t count;

	for (size_t i = 0; i < view->count; i++) {
		if (!mp_view_says(view, i, MP_MEANS_TIME, &says))
			continue;
		if (view->units[i] != MP_NO_UNIT && mp_times_count(times, units, view->units[i], &count))
			mp_fit_row(
			    &fit, &says, (long double)count * mp_times_scales(units, view->units[i], times->unit).ns);
		else
			fit.rows++;
	}
	return fit.rows ? mp_fit_rows(&fit) * 1000 / fit.rows : 0;
}

/* Map a view in each way, and keep the best; without a good one no row keeps its unit. */
static void map_best(struct mp_hunt *h, struct mp_view *view, const struct mp_units *units, const struct mp_key *driver,
    const struct mp_times *times)
{
	bool has_key = driver->meaning != MP_MEANS_NOTHING && view->columns[driver->meaning] >= 0;
	/* by the driver's number in two orders, in order, by durations */
	struct mp_key ways[] = {*driver, *driver, *driver, {.meaning = MP_MEANS_TIME, .times = times}};
	size_t best = 4, most = 749;

	ways[0].complete = ways[1].complete = false;
	ways[0].by_row = false;
	ways[0].times = times;
	ways[1].times = times;
	ways[1].by_row = true;
	for (size_t way = has_key ? 0 : 2; way < 4 && (way < 2 || best == 4); way++) {
		size_t same;

		if (way == 2)
			mp_view_map_in_order(view, &h->raw, units);
		else
			mp_view_map(view, &h->raw, units, &ways[way]);
		same = agreement(view, units, times);
		if (same > most) {
			most = same;
			best = way;
		}
	}
	if (best == 4)
		unmap(view);
	else if (best == 2)
		mp_view_map_in_order(view, &h->raw, units);
	else
		mp_view_map(view, &h->raw, units, &ways[best]);
}

void mp_solution_free(struct mp_solution *s)
{
	mp_units_free(&s->units);
	free(s->mapped);
	memset(s, 0, sizeof(*s));
}

static bool has_counters(const struct mp_view *view)
{
	for (int m = 0; m < MP_MEANS_COUNT_OF; m++)
		if (view->columns[m] >= 0 && mp_is_counter((enum mp_meaning)m))
			return true;
	return false;
}

static int keep_solution(struct mp_hunt *h, const struct mp_try *p, struct mp_solution *s)
{
	mp_solution_free(&h->best);
	h->best = *s;
	h->best.shape = *p->shape;
	h->best.tagged = p->tagged;
	h->best.paired = p->paired;
	h->best.tag_offset = p->tag_offset;
	h->best.tag = p->tag;
	h->best.tag_start = p->tag_start;
	h->best.key = p->key;
	h->best.units = *p->units;
	h->best.units.seen = NULL;
	h->best.units.items = mp_learn_malloc((p->units->count + 1) * sizeof(*p->units->items));
	h->best.mapped = mp_learn_calloc(p->units->count + 1, 1);
	if (!h->best.units.items || !h->best.mapped)
		return mp_fail_memory(h->err, "records");
	/* both records of a task have the id of the task at the same place */
	for (size_t i = 0; p->paired && i < s->part_count; i++)
		if (s->parts[i].meaning == MP_MEANS_TASK_ID && s->parts[i].found) {
			h->best.key = s->parts[i].candidate.place;
			h->best.key.offset %= (unsigned)p->shape->record;
		}
	memcpy(h->best.units.items, p->units->items, p->units->count * sizeof(*p->units->items));
	for (size_t v = 0; v < h->views.count; v++) {
		bool full = has_counters(&h->views.items[v]);

		for (size_t i = 0; i < h->views.items[v].count; i++)
			if (h->views.items[v].units[i] != MP_NO_UNIT)
				h->best.mapped[h->views.items[v].units[i]] |= MP_MAPPED | (full ? MP_MAPPED_FULLY : 0);
	}
	return 0;
}

/* The lower half of a number whose upper half is 0 in all units. Returns false when not found. */
static bool lower_half(struct mp_place *place, const struct mp_units *units)
{
	unsigned half = mp_type_width(place->type) / 2, upper;

	if (!units->seen || !half || place->type > MP_TYPE_U64)
		return false;
	upper = place->offset % (unsigned)units->record + (units->big_endian ? 0 : half);
	for (unsigned i = 0; i < half; i++)
		if (units->seen[upper + i] & MP_BYTE_NOT_ZERO)
			return false;
	place->offset += units->big_endian ? half : 0;
	place->type--;
	return true;
}

/* Give each column a place. A duration beside zeros looks wider than it is, and may leave no place to a column. */
static bool assign(struct mp_solution *s, const struct mp_column_search *search)
{
	bool all = mp_assign(s, search);
	struct mp_solution other = *s;

	while (!all && other.times.single && lower_half(&other.times.end, search->units)) {
		struct mp_column_search narrow = {search->views, search->units, &other.times};

		other.score = 0;
		all = mp_assign(&other, &narrow);
		if (other.score > s->score)
			*s = other;
	}
	return all;
}

static bool is_over(struct mp_place place, unsigned at)
{
	return at >= place.offset && at < place.offset + mp_type_width(place.type);
}

/* Returns whether a byte is one of a number that was found. */
static bool is_of_number(const struct mp_solution *s, unsigned at)
{
	bool over = is_over(s->times.end, at) || (s->times.has_start && is_over(s->times.start, at));

	for (size_t i = 0; i < s->part_count; i++)
		over |= s->parts[i].found && is_over(s->parts[i].candidate.place, at);
	return over;
}

/* How many units have this byte. */
static size_t count_with(const struct mp_units *units, unsigned at, unsigned char value)
{
	size_t count = 0;

	for (size_t i = 0; i < units->count; i++)
		count += units->items[i].own[at] == value;
	return count;
}

/* A number tells the kind by accident: find another byte that tells the same records from the others. */
static bool move_kind(struct mp_solution *s, const struct mp_try *p)
{
	/* of a pair the end alone is looked at, and its byte would be taken for that of the kind */
	if (p->paired || !p->units->count)
		return false;
	for (unsigned at = 0; at < p->units->record; at++) {
		unsigned char value = p->units->items[0].own[at];

		if (is_of_number(s, at) || count_with(p->units, at, value) != p->units->count ||
		    count_with(p->of, at, value) != p->units->count)
			continue;
		s->kind_offset = at;
		s->kind = value;
		return true;
	}
	return false;
}

/* Returns whether a number tells the kind. */
static bool kind_is_number(struct mp_solution *s, const struct mp_try *p)
{
	s->kind_offset = p->kind_offset;
	s->kind = p->kind;
	return p->tagged && is_of_number(s, s->kind_offset) && !move_kind(s, p);
}

/* The views are mapped by `key`: find times and columns. Returns 1 when everything is explained, 0, or -1. */
static int solve(struct mp_hunt *h, const struct mp_try *p, const struct mp_key *key)
{
	struct mp_solution s = {.part_count = h->part_count};
	struct mp_column_search search = {.views = &h->views, .units = p->units, .times = &s.times};
	size_t rows = 0, known = 0;
	bool all, known_start, is_number;
	int found;

	h->cost += MP_COST_SOLVE + p->units->record * p->units->record;
	found = mp_find_times(&s.times, &h->views, &h->raw, p->units, h->err);
	if (found <= 0)
		return found;
	for (size_t v = 0; v < h->views.count; v++)
		map_best(h, &h->views.items[v], p->units, key, &s.times);
	/* again, by all tables */
	found = mp_find_times(&s.times, &h->views, &h->raw, p->units, h->err);
	if (found <= 0)
		return found;
	for (size_t v = 0; v < h->views.count; v++)
		map_best(h, &h->views.items[v], p->units, key, &s.times);
	if (mp_find_start(&s.times, &h->views, &h->raw, p->units, h->err))
		return -1;
	memcpy(s.parts, h->parts, h->part_count * sizeof(*h->parts));
	all = assign(&s, &search);
	if (s.times.start_guessed && mp_guess_start(&s, &h->views, p->units, h->err))
		return -1;
	known_start = s.times.has_start && (!s.times.start_fit.rows || (s.times.start_exact && !s.times.start_shifted));
	is_number = kind_is_number(&s, p);
	s.score +=
	    mp_fit_rows(&s.times.fit) + (s.times.has_start ? 500 : 0) + (known_start ? 100 : 0) + (is_number ? 0 : 50);
	for (size_t v = 0; v < h->views.count; v++) {
		rows += h->views.items[v].count;
		known += mp_hunt_mapped(&h->views.items[v]);
	}
	s.score = rows ? s.score * known / rows : 0;
	all &= s.times.has_start;
	/* rows may lack records, but where all of many columns are explained there is seldom a better solution */
	if (all && h->part_count > 2 && !h->complete && s.score > h->best.score)
		h->limit = h->cost + MP_COST_ROWS < MP_COST_MAX ? h->cost + MP_COST_ROWS : MP_COST_MAX;
	if (s.score > h->best.score && keep_solution(h, p, &s))
		return -1;
	all &= known * 20 >= rows * 19;
	/* moments that differ from those of the tables by a constant may be accidents */
	all &= known_start;
	/* where a row does not fit, there may be a better one */
	if (all && !h->complete && h->limit > h->cost + MP_COST_MORE)
		h->limit = h->cost + MP_COST_MORE;
	h->complete |= all;
	return all && !is_number && known == rows && mp_fit_rows(&s.times.fit) == s.times.fit.rows &&
	       mp_fit_rows(&s.times.start_fit) == s.times.start_fit.rows;
}

/* Try a mapping of one view. The others are mapped when durations are known. */
static int try_key(struct mp_hunt *h, const struct mp_try *p, struct mp_view *view, const struct mp_key *key)
{
	if (h->cost > h->limit)
		return 0;
	h->cost += MP_COST_KEY + p->units->count;
	for (size_t v = 0; v < h->views.count; v++)
		if (&h->views.items[v] != view)
			unmap(&h->views.items[v]);
	if (key->meaning == MP_MEANS_NOTHING)
		mp_view_map_in_order(view, &h->raw, p->units);
	else if (mp_view_map(view, &h->raw, p->units, key) < 2 ||
		 (h->strict && mp_view_complete(view) * 10 < view->count * 7))
		return 0;
	if (mp_hunt_mapped(view) * (key->complete ? 10 : 5) < view->count * 3 || mp_hunt_mapped(view) < 2 ||
	    seen(h, view))
		return 0;
	return solve(h, p, key);
}

/* Try a number as key. Where several inferences have a number, their rows may be in either order, and incomplete. */
int mp_hunt_key(struct mp_hunt *h, const struct mp_try *p, struct mp_view *view, const struct mp_key *key)
{
	struct mp_key way = *key;
	int found;

	way.least = view->count * 3 / 5;
	way.least_complete = h->strict ? view->count * 7 / 10 : 0;
	found = try_key(h, p, view, &way);
	if (found || mp_hunt_mapped(view) * 5 < view->count * 3 || view->ref->identity.current_pic >= 0)
		return found;
	for (int i = 1; i < 4 && !found; i++) {
		way.by_row = i & 1;
		way.complete = i >= 2;
		found = try_key(h, p, view, &way);
	}
	return found;
}

bool mp_hunt_has_ids(const struct mp_hunt *h)
{
	for (size_t v = 0; v < h->views.count; v++)
		if (h->views.items[v].columns[MP_MEANS_TASK_ID] >= 0)
			return true;
	return false;
}

/* Try the ways to find the units of rows: by the numbers that all records have; and by their order. */
int mp_hunt_units(struct mp_hunt *h, const struct mp_try *p)
{
	struct mp_key in_order = {.meaning = MP_MEANS_NOTHING};
	size_t views = h->views.count < 3 ? h->views.count : 3;
	int found = 0;

	h->seen_count = 0;
	for (size_t v = 0; v < views && !found; v++)
		for (size_t k = 0; k < h->key_count && !found; k++)
			if (h->keys[k].views >> v & 1 && mp_units_tell(p->units, h->keys[k].key.place))
				found = mp_hunt_key(h, p, &h->views.items[v], &h->keys[k].key);
	for (size_t v = 0; v < views && !found && h->by_order; v++)
		found = try_key(h, p, &h->views.items[v], &in_order);
	return found;
}

/* calls_solve.c: finds the times and numbers of calls, when the places of their names are known. */
#include <math.h>
#include <string.h>

#include "learn/calls_internal.h"

static bool overlaps(struct mp_place a, unsigned offset, unsigned width)
{
	return a.offset < offset + width && offset < a.offset + mp_type_width(a.type);
}

static bool is_of_name(const struct mp_solution *s, struct mp_place place)
{
	return overlaps(place, s->name_offset, s->name_least);
}

bool mp_call_place_is_taken(const void *user, struct mp_place place)
{
	const struct mp_solution *s = user;

	if (is_of_name(s, place) || overlaps(place, s->times.end.offset, mp_type_width(s->times.end.type)) ||
	    (s->times.has_start && overlaps(place, s->times.start.offset, mp_type_width(s->times.start.type))))
		return true;
	for (size_t i = 0; i < s->part_count; i++)
		if (s->parts[i].found && overlaps(place, s->parts[i].candidate.place.offset,
					     mp_type_width(s->parts[i].candidate.place.type)))
			return true;
	return false;
}

/* Returns whether a row says anything of a meaning. */
static bool rows_say(const struct mp_call_hunt *h, enum mp_meaning meaning)
{
	struct mp_says says;

	for (size_t v = 0; v < h->rows.views.count; v++)
		for (size_t i = 0; i < h->rows.views.items[v].count; i++)
			if (mp_view_says(&h->rows.views.items[v], i, meaning, &says))
				return true;
	return false;
}

static int find_times(struct mp_call_hunt *h, const struct mp_call_grid *g, struct mp_times *times)
{
	for (int order = MP_CALLS_BY_START; order <= (int)MP_CALLS_BY_END; order++) {
		int found;

		if (mp_call_rows_map(&h->rows, &g->units, g->names, (enum mp_call_order)order) < 2)
			return 0;
		found = mp_find_times(times, &h->rows.views, &h->raw, &g->units, h->err);
		if (found)
			return found;
	}
	return 0;
}

static const struct mp_part_of_record parts[] = {{.column = "type", .meaning = MP_MEANS_KIND},
    {.column = "pid", .meaning = MP_MEANS_PID}, {.column = "tid", .meaning = MP_MEANS_TID}};

/* Calls are timed by the host: its clock is no core's. */
static void settle_unit(const struct mp_call_grid *g, struct mp_times *t)
{
	long double ns = mp_times_scales(&g->units, 0, t->unit).ns, mhz = 1000 / ns;
	int whole = mhz >= 1 && mhz <= 1000 ? (int)(mhz + 0.5L) : 0;

	if ((t->unit != MP_UNIT_TICK100 && t->unit != MP_UNIT_CYCLE) || !whole || fabsl(mhz - whole) > 1e-9L)
		return;
	t->unit = whole == 1 ? MP_UNIT_US : whole == 1000 ? MP_UNIT_NS : (enum mp_unit)((int)MP_UNIT_MHZ + whole - 1);
}

/* Find numbers by what statistics say of names. Returns 1, or -1 with err. */
static int assign_by_sums(struct mp_call_hunt *h, struct mp_call_grid *g, struct mp_solution *s)
{
	struct mp_call_spread spread;
	struct mp_column_search search = {.views = &spread.views, .units = &g->units, .times = &s->times};
	int status = mp_call_sums_spread(&spread, &h->rows, &g->units, g->names, h->err);

	if (!status && s->times.single)
		status = mp_find_start(&s->times, &spread.views, &h->raw, &g->units, h->err);
	if (!status) {
		mp_assign(s, &search);
		if (!s->parts[0].found && s->parts[0].evidence)
			mp_call_find_type(&spread.views, g, s);
	}
	for (size_t i = 0; i < s->part_count && !status; i++) {
		struct mp_part_of_record *part = &s->parts[i];
		int found = part->found ? 1
					: mp_call_sums_place(&part->candidate, &h->rows, &g->units, g->names,
					      part->meaning, mp_call_place_is_taken, s, h->err);

		status = found < 0;
		s->score += found > 0 && !part->found ? 1000 : 0;
		part->found = found > 0;
	}
	mp_call_spread_free(&spread);
	return status ? -1 : 1;
}

/* Find times and numbers by rows of calls. Returns 1, 0 when no times fit, or -1 with err. */
static int assign_by_rows(struct mp_call_hunt *h, struct mp_call_grid *g, struct mp_solution *s)
{
	struct mp_column_search search = {.views = &h->rows.views, .units = &g->units, .times = &s->times};

	mp_call_rows_map_by_time(&h->rows, &g->units, g->names, &s->times);
	if (mp_find_start(&s->times, &h->rows.views, &h->raw, &g->units, h->err))
		return -1;
	mp_assign(s, &search);
	if (!s->parts[0].found && s->parts[0].evidence)
		mp_call_find_type(&h->rows.views, g, s);
	return 1;
}

/* Find times and numbers. Returns 1 when everything is explained, 0, or -1. */
int mp_call_solve(struct mp_call_hunt *h, struct mp_call_grid *g, struct mp_solution *s)
{
	bool all = true;
	int found;

	*s = (struct mp_solution){.is_of_calls = true, .name_offset = (unsigned)g->name_offset, .part_count = 3};
	s->name_least = h->is_numbered ? mp_type_width(h->number.type) : (unsigned)h->names.longest;
	g->units.closed_offset = s->name_offset;
	g->units.closed_width = s->name_least;
	memcpy(s->parts, parts, sizeof(parts));
	found = h->rows.is_sums ? mp_call_sums_times(&s->times, &h->rows, &g->units, g->names, h->err)
				: find_times(h, g, &s->times);
	if (found <= 0 || is_of_name(s, s->times.end) || (s->times.has_start && is_of_name(s, s->times.start)))
		return found < 0 ? -1 : 0;
	settle_unit(g, &s->times);
	found = h->rows.is_sums ? assign_by_sums(h, g, s) : assign_by_rows(h, g, s);
	for (size_t i = 0; i < s->part_count; i++)
		all &= s->parts[i].found || !rows_say(h, s->parts[i].meaning);
	all = mp_call_find_kind(g, s) && all;
	if (mp_call_is_damaged(h, g))
		mp_call_find_marks(g, s);
	s->score += mp_fit_rows(&s->times.fit) + (s->times.has_start ? 500 : 0) + all * 100;
	return found < 0 ? -1 : all && s->times.has_start;
}

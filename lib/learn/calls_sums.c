/*
 * calls_sums.c: finds durations of calls by their statistics: the sum, the shortest and the longest call of each name.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "learn/calls_internal.h"
#include "learn/memory.h"

enum { MHZ_TRIES = 3 };

/* The calls of one name in one table: what its rows say together, and the units. */
struct group {
	uint32_t name;
	size_t view, count; /* count: as the rows say */
	struct mp_says sum, least, most;
	bool has_sum, has_least, has_most;
	size_t first, units; /* in `order` */
};

struct sums {
	struct mp_call_rows *rows;
	const struct mp_units *units;
	const uint32_t *names;
	struct group *groups;
	size_t group_count;
	uint32_t *order; /* units, by group */
	size_t probe;    /* the group that is compared first */
	struct mp_times best;
};

static struct group *group_of(struct sums *s, size_t view, uint32_t name)
{
	for (size_t g = 0; g < s->group_count; g++)
		if (s->groups[g].view == view && s->groups[g].name == name)
			return &s->groups[g];
	return NULL;
}

/* Add what a row says to its group. */
static void add_row(struct group *g, const struct mp_view *view, size_t row)
{
	struct mp_says says;

	if (mp_view_says(view, row, MP_MEANS_COUNT, &says))
		g->count += (size_t)says.value;
	if (mp_view_says(view, row, MP_MEANS_SUM, &says)) {
		g->sum.value += says.value;
		g->sum.half += says.half;
		g->sum.cut += says.cut;
		g->has_sum = true;
	}
	if (mp_view_says(view, row, MP_MEANS_MINIMUM, &says) && (!g->has_least || says.value < g->least.value)) {
		g->least = says;
		g->has_least = true;
	}
	if (mp_view_says(view, row, MP_MEANS_MAXIMUM, &says) && (!g->has_most || says.value > g->most.value)) {
		g->most = says;
		g->has_most = true;
	}
}

static struct group *group_of_unit(struct sums *s, size_t u)
{
	const struct mp_raw_part *part = &s->units->raw->parts[s->units->items[u].part];

	for (size_t v = 0; v < s->rows->views.count && s->names[u] != MP_NO_NAME; v++)
		if (mp_view_is_of(&s->rows->views.items[v], part)) {
			struct group *g = group_of(s, v, s->names[u]);

			if (g)
				return g;
		}
	return NULL;
}

static bool make_groups(struct sums *s)
{
	size_t rows = 0, used = 0;

	for (size_t v = 0; v < s->rows->views.count; v++)
		rows += s->rows->views.items[v].count;
	s->groups = mp_learn_calloc(rows + 1, sizeof(*s->groups));
	s->order = mp_learn_malloc((s->units->count + 1) * sizeof(*s->order));
	if (!s->groups || !s->order)
		return false;
	for (size_t v = 0; v < s->rows->views.count; v++)
		for (size_t i = 0; i < s->rows->views.items[v].count; i++) {
			uint32_t name = s->rows->names[v][i];
			struct group *g = group_of(s, v, name);

			if (name == MP_NO_NAME)
				continue;
			if (!g) {
				g = &s->groups[s->group_count++];
				*g = (struct group){.name = name, .view = v};
			}
			add_row(g, &s->rows->views.items[v], i);
		}
	for (size_t u = 0; u < s->units->count; u++) {
		struct group *g = group_of_unit(s, u);

		if (g)
			g->units++;
	}
	for (size_t g = 0; g < s->group_count; g++) {
		s->groups[g].first = used;
		used += s->groups[g].units;
		s->groups[g].units = 0;
	}
	for (size_t u = 0; u < s->units->count; u++) {
		struct group *g = group_of_unit(s, u);

		if (g)
			s->order[g->first + g->units++] = (uint32_t)u;
	}
	return true;
}

/* The group with the fewest calls, of those whose units are as many as their rows say. */
static bool choose_probe(struct sums *s)
{
	bool any = false;

	for (size_t g = 0; g < s->group_count; g++) {
		const struct group *a = &s->groups[g], *b = &s->groups[s->probe];

		if (!a->units || a->units != a->count || !a->has_sum || a->sum.value <= 0 ||
		    (any && a->units >= b->units))
			continue;
		s->probe = g;
		any = true;
	}
	return any;
}

static bool near(const struct mp_says *says, long double x)
{
	long double over = x - says->value;

	return fabsl(over) <= says->half || (over >= 0 && over < says->cut);
}

/*
 * Returns whether the durations of a group, but for one of its units, are what its rows say; whole: each was cut to
 * whole us first.
 */
static bool fits_without(
    const struct sums *s, const struct group *g, const struct mp_times *t, bool whole, size_t without)
{
	long double sum = 0, least = 0, most = 0;
	bool any = false;

	for (size_t i = 0; i < g->units; i++) {
		uint32_t u = s->order[g->first + i];
		long double ns;
		int64_t count;

		if (i == without)
			continue;
		if (!mp_times_count(t, s->units, u, &count))
			return false;
		ns = (long double)count * mp_times_scales(s->units, u, t->unit).ns;
		ns = whole ? floorl(ns / 1000) * 1000 : ns;
		sum += ns;
		least = !any || ns < least ? ns : least;
		most = ns > most ? ns : most;
		any = true;
	}
	return (!g->has_sum || near(&g->sum, sum)) && (!g->has_least || near(&g->least, least)) &&
	       (!g->has_most || near(&g->most, most));
}

/*
 * Returns whether the durations of a group are what its rows say. Where there is a unit more than calls, which damage
 * may leave, `without` becomes its place in the group; else the end of the group.
 */
static bool group_fits(
    const struct sums *s, const struct group *g, const struct mp_times *t, bool whole, size_t *without)
{
	*without = g->units;
	if (g->units == g->count)
		return fits_without(s, g, t, whole, *without);
	for (*without = 0; g->units == g->count + 1 && *without < g->units; ++*without)
		if (fits_without(s, g, t, whole, *without))
			return true;
	return false;
}

/* Of units that fit equally the coarsest is likely: the lowest bits of a finer one mean nothing. */
static int mhz_of(enum mp_unit unit)
{
	return unit == MP_UNIT_NS ? 1000 : unit == MP_UNIT_US ? 1 : (int)unit - (int)MP_UNIT_MHZ + 1;
}

/* Try a unit: the probe first, then all groups. */
static void try_unit(struct sums *s, struct mp_times *t, enum mp_unit unit)
{
	t->unit = unit;
	for (int whole = 0; whole < 2; whole++) {
		struct mp_fit fit = {0};
		size_t without;

		if (!group_fits(s, &s->groups[s->probe], t, whole, &without))
			continue;
		for (size_t g = 0; g < s->group_count; g++) {
			bool fits = group_fits(s, &s->groups[g], t, whole, &without);

			fit.rows += s->groups[g].count;
			fit.half += fits ? s->groups[g].count : 0;
			fit.different += fits;
		}
		if (fit.half * 4 < fit.rows * 3 || fit.half < s->best.fit.half ||
		    (fit.half == s->best.fit.half && mhz_of(t->unit) >= mhz_of(s->best.unit)))
			continue;
		s->best = *t;
		s->best.fit = fit;
	}
}

/* Try the units in which the probe's calls may last as long as its rows say. */
static void try_times(struct sums *s, struct mp_times *t)
{
	const struct group *g = &s->groups[s->probe];
	int64_t all = 0, count;
	long double mhz;

	for (size_t i = 0; i < g->units; i++) {
		if (!mp_times_count(t, s->units, s->order[g->first + i], &count) || count > INT64_C(1) << 50)
			return;
		all += count;
	}
	if (all <= 0)
		return;
	mhz = (long double)all * 1000 / g->sum.value;
	if (mhz > 0.5L && mhz < 1.5L + (long double)g->units)
		try_unit(s, t, MP_UNIT_US);
	if (mhz > 900 && mhz < 1100 + 1000 * (long double)g->units)
		try_unit(s, t, MP_UNIT_NS);
	if (mhz < 1.5L || mhz > MP_UNIT_MHZ_MAX)
		return;
	for (int k = (int)(mhz + 0.5L) - MHZ_TRIES; k <= (int)mhz + MHZ_TRIES; k++)
		if (k > 1 && k < MP_UNIT_MHZ_MAX)
			try_unit(s, t, (enum mp_unit)((int)MP_UNIT_MHZ + k - 1));
}

/* The counts that may be a call of the probe, in any unit. */
struct range {
	int64_t least, most;
};

static struct range range_of(const struct sums *s)
{
	const struct group *g = &s->groups[s->probe];
	long double most = g->has_most ? g->most.value + g->most.cut : g->sum.value + g->sum.cut;
	long double least = g->has_least ? (g->least.value - g->least.half) / 1000 - 1 : 1;

	return (struct range){least > 1 ? (int64_t)least : 1, most < 1e18L ? (int64_t)most + 1 : INT64_MAX};
}

/* The numbers of a unit at all offsets; -1 where a number is missing, or the same in all units. */
static int64_t *numbers_of(const struct mp_units *units, uint32_t unit, enum mp_type type)
{
	int64_t *v = mp_learn_malloc(units->record * sizeof(*v));

	for (unsigned at = 0; v && at < units->record; at++) {
		bool varies = !units->seen;

		for (unsigned i = at; !varies && i < at + mp_type_width(type) && i < units->record; i++)
			varies = units->seen[i] & MP_BYTE_VARIES;
		if (!varies || at + mp_type_width(type) > units->record ||
		    !mp_unit_read(units, unit, (struct mp_place){at, type}, &v[at]))
			v[at] = -1;
	}
	return v;
}

static void try_pairs(struct sums *s, enum mp_type type)
{
	unsigned record = (unsigned)s->units->record;
	struct range range = range_of(s);
	int64_t *v = numbers_of(s->units, s->order[s->groups[s->probe].first], type);

	for (unsigned e = 0; v && e < record; e++)
		for (unsigned b = 0; b < record && v[e] >= 0; b++) {
			int64_t count = v[e] - v[b];

			if (type == MP_TYPE_U32 && count < 0)
				count += INT64_C(1) << 32;
			if (count >= range.least && count <= range.most && v[b] >= 0) {
				struct mp_times t = {.has_start = true, .start = {b, type}, .end = {e, type}};

				try_times(s, &t);
			}
		}
	free(v);
}

static void try_singles(struct sums *s)
{
	uint32_t unit = s->order[s->groups[s->probe].first];
	struct range range = range_of(s);

	for (int type = MP_TYPE_U64; type >= (int)MP_TYPE_U8; type--)
		for (unsigned at = 0; at + mp_type_width((enum mp_type)type) <= s->units->record; at++) {
			struct mp_times t = {.single = true, .end = {at, (enum mp_type)type}};
			int64_t count;

			if (mp_unit_read(s->units, unit, t.end, &count) && count >= range.least && count <= range.most)
				try_times(s, &t);
		}
}

/* Forget the names of units that are no calls. */
static void drop_surplus(const struct sums *s, uint32_t *names)
{
	for (size_t k = 0; k < s->group_count; k++) {
		const struct group *g = &s->groups[k];
		size_t without;

		if (g->units == g->count + 1 &&
		    (group_fits(s, g, &s->best, false, &without) || group_fits(s, g, &s->best, true, &without)))
			names[s->order[g->first + without]] = MP_NO_NAME;
	}
}

static void free_sums(struct sums *s)
{
	free(s->groups);
	free(s->order);
}

/* Returns whether the lower half of the moments begins again where the upper half stays: it is a clock of 32 bits. */
static bool has_turns(const struct sums *s)
{
	int64_t last = -1, at;

	for (size_t u = 0; s->best.has_start && u < s->units->count; u++) {
		if (s->names[u] == MP_NO_NAME || !mp_unit_read(s->units, u, s->best.start, &at))
			continue;
		if (last >= 0 && last >> 32 == at >> 32 && last - at > INT64_C(1) << 31)
			return true;
		last = u + 1 < s->units->count && s->units->items[u + 1].part == s->units->items[u].part ? at : -1;
	}
	return false;
}

int mp_call_sums_times(struct mp_times *times, struct mp_call_rows *rows, const struct mp_units *units, uint32_t *names,
    struct mp_error *err)
{
	struct sums s = {.rows = rows, .units = units, .names = names};
	struct mp_times wide;

	if (!make_groups(&s)) {
		free_sums(&s);
		return mp_fail_memory(err, "statistics of calls");
	}
	if (choose_probe(&s)) {
		try_pairs(&s, MP_TYPE_U64);
		wide = s.best;
		if (has_turns(&s))
			s.best = (struct mp_times){.single = false};
		if (s.best.fit.half < s.best.fit.rows || !s.best.fit.rows)
			try_pairs(&s, MP_TYPE_U32);
		s.best = s.best.fit.rows ? s.best : wide;
		if (!s.best.fit.rows)
			try_singles(&s);
	}
	if (s.best.fit.rows)
		drop_surplus(&s, names);
	*times = s.best;
	times->start_guessed = true;
	free_sums(&s);
	return times->fit.rows > 0;
}

/* How many calls of a name rows say with a number. */
static size_t calls_with(struct mp_call_rows *rows, size_t view, uint32_t name, enum mp_meaning meaning, int64_t value)
{
	const struct mp_view *of = &rows->views.items[view];
	struct mp_says says;
	size_t count = 0;

	for (size_t i = 0; i < of->count; i++)
		if (rows->names[view][i] == name && mp_view_says(of, i, meaning, &says) &&
		    (int64_t)says.value == value && mp_view_says(of, i, MP_MEANS_COUNT, &says))
			count += (size_t)says.value;
	return count;
}

static int by_value(const void *left, const void *right)
{
	const int64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* The numbers of a group's units at a place, in order. Returns how many. */
static size_t values_of(int64_t *values, const struct sums *s, const struct group *g, struct mp_place place)
{
	size_t count = 0;

	for (size_t i = 0; i < g->units; i++)
		count += mp_unit_read(s->units, s->order[g->first + i], place, &values[count]);
	qsort(values, count, sizeof(*values), by_value);
	return count;
}

/* How many calls have at a place a number of which their name has as many calls as rows say. */
static size_t place_fits(const struct sums *s, int64_t *values, struct mp_place place, enum mp_meaning meaning)
{
	size_t fits = 0, misses = 0;

	for (size_t g = 0; g < s->group_count && misses * 10 <= s->units->count; g++) {
		const struct group *a = &s->groups[g];
		size_t count = values_of(values, s, a, place), alike;

		for (size_t i = 0; i < count && misses * 10 <= s->units->count; i += alike) {
			for (alike = 1; i + alike < count && values[i + alike] == values[i];)
				alike++;
			if (alike == calls_with(s->rows, a->view, a->name, meaning, values[i]))
				fits += alike;
			else
				misses += alike;
		}
	}
	return fits;
}

int mp_call_sums_place(struct mp_candidate *best, struct mp_call_rows *rows, const struct mp_units *units,
    const uint32_t *names, enum mp_meaning meaning, mp_call_is_taken *is_taken, const void *user, struct mp_error *err)
{
	struct sums s = {.rows = rows, .units = units, .names = names};
	int64_t *values = mp_learn_malloc((units->count + 1) * sizeof(*values));
	size_t all = 0, most = 0;

	if (!values || !make_groups(&s)) {
		free(values);
		free_sums(&s);
		return mp_fail_memory(err, "statistics of calls");
	}
	for (size_t g = 0; g < s.group_count; g++)
		all += s.groups[g].count;
	for (int type = MP_TYPE_U64; type >= (int)MP_TYPE_U8; type--)
		for (unsigned at = 0; at + mp_type_width((enum mp_type)type) <= units->record; at++) {
			struct mp_place place = {at, (enum mp_type)type};
			size_t fits = is_taken(user, place) ? 0 : place_fits(&s, values, place, meaning);

			if (fits <= most || fits * 4 < all * 3)
				continue;
			most = fits;
			*best = (struct mp_candidate){
			    .place = place, .scale = 1, .fit = {.rows = all, .half = fits, .different = fits}};
		}
	free(values);
	free_sums(&s);
	return most > 0;
}

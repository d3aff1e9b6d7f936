/* start.c: finds the moments of tasks by what traces say, else by their order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "learn/memory.h"
#include "learn/search.h"

/*
 * The counts of units at a place; those of 32 bits begin again, and go on in the order of a file. `of_rows` flags the
 * units that rows are of: others may be records of another kind. -1: no number.
 */
static int64_t *moments(const struct mp_units *units, struct mp_place place, const unsigned char *of_rows)
{
	int64_t *at = mp_learn_malloc((units->count + 1) * sizeof(*at)), last = -1;
	const int64_t turn = INT64_C(1) << 32;
	uint32_t part = UINT32_MAX;

	for (size_t i = 0; at && i < units->count; i++) {
		at[i] = -1;
		if ((of_rows && !of_rows[i]) || !mp_unit_read(units, i, place, &at[i])) {
			at[i] = -1;
			continue;
		}
		if (units->items[i].part != part)
			last = -1;
		part = units->items[i].part;
		if (place.type == MP_TYPE_U32 && last >= 0) {
			int64_t v = last - last % turn + at[i];

			v += v - last > turn / 2 ? -turn : last - v > turn / 2 ? turn : 0;
			at[i] = v < 0 ? v + turn : v;
		}
		last = at[i];
	}
	return at;
}

/* A flag for each unit: rows of views are of it. */
static unsigned char *flags_of(const struct mp_views *views, const struct mp_units *units)
{
	unsigned char *flags = mp_learn_calloc(units->count + 1, 1);

	for (size_t v = 0; flags && v < views->count; v++)
		for (size_t i = 0; i < views->items[v].count; i++)
			if (views->items[v].units[i] != MP_NO_UNIT)
				flags[views->items[v].units[i]] = 1;
	return flags;
}

/* What moments are compared with. */
struct said {
	const struct mp_units *units;
	const struct mp_drawn *drawn;
	const unsigned char *of_rows;
	size_t count, parts;
};

/* The first row of each file says by what its moments differ from those of the references. */
struct shift {
	long double by, half;
	bool known;
};

/* Returns whether moments differ by nothing but turns of a clock of 32 bits. */
static bool is_exact(long double by, long double ns, enum mp_type type, const struct mp_says *says)
{
	long double turn = 4294967296.0L * ns;

	if (type == MP_TYPE_U32)
		by -= roundl(by / turn) * turn;
	return fabsl(by) <= says->cut + 1;
}

/* Also counts in *exact the rows whose moments do not differ at all. */
static struct mp_fit fit_moments(
    const int64_t *at, enum mp_unit unit, const struct said *said, struct shift *shifts, size_t first, size_t *exact)
{
	struct mp_fit fit = {.rows = said->count};

	*exact = 0;
	for (size_t k = 0; k < said->count; k++) {
		const struct mp_drawn *d = &said->drawn[(first + k) % said->count];
		struct shift *s = &shifts[said->units->items[d->unit].part];
		long double by;

		if (at[d->unit] < 0)
			continue;
		by = (long double)at[d->unit] * mp_times_scales(said->units, d->unit, unit).ns - d->says.value;
		if (!s->known)
			*s = (struct shift){by, d->says.cut, true};
		*exact += fabsl(by) <= d->says.cut + 1;
		fit.half += fabsl(by - s->by) <= d->says.cut + s->half;
	}
	fit.cut = fit.half;
	fit.different = said->count;
	return fit;
}

/* Compare the moments at a place with what rows say. */
static int compare(struct mp_fit *best, bool *shifted, const struct said *said, struct mp_place place,
    enum mp_unit unit, struct mp_error *err)
{
	int64_t *at = moments(said->units, place, said->of_rows);
	struct shift *shifts = mp_learn_calloc(said->parts + 1, sizeof(*shifts));

	*best = (struct mp_fit){.rows = said->count};
	*shifted = false;
	/* the first row may be of a damaged record */
	for (size_t first = 0; at && shifts && first < 3 && first < said->count && !mp_fit_good(best); first++) {
		size_t exact;

		memset(shifts, 0, said->parts * sizeof(*shifts));
		*best = fit_moments(at, unit, said, shifts, first, &exact);
		*shifted = exact * 2 <= said->count;
	}
	free(at);
	free(shifts);
	return at && shifts ? 0 : mp_fail_memory(err, "moments");
}

static int by_value(const void *left, const void *right)
{
	const int64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* The sum of numbers without the few largest and smallest: these are of records that damage or accident gave a row. */
static long double inner_sum(int64_t *numbers, size_t count)
{
	size_t outer = count / 20;
	long double sum = 0;

	qsort(numbers, count, sizeof(*numbers), by_value);
	for (size_t i = outer; i < count - outer; i++)
		sum += (long double)numbers[i];
	return sum;
}

/*
 * How far moments at a place are apart, in durations: the numbers grow along each file, by about the duration of a task
 * from task to task. Returns 0 when they do not.
 */
static long double spread(
    const struct mp_units *units, struct mp_place place, const struct mp_times *times, const unsigned char *of_rows)
{
	int64_t *at = moments(units, place, of_rows), *gaps = mp_learn_malloc(2 * (units->count + 1) * sizeof(*gaps));
	int64_t *durations = gaps ? gaps + units->count + 1 : NULL, took = 0;
	long double span = 0, busy = 0;
	size_t up = 0, apart = 0, all = 0;

	for (size_t i = 0, last = units->count; at && gaps && i < units->count; i++) {
		if (at[i] < 0)
			continue;
		if (last < i && units->items[i].part == units->items[last].part &&
		    mp_times_count(times, units, last, &took)) {
			up += at[i] > at[last];
			apart += at[i] - at[last] >= took / 2;
			gaps[all] = at[i] - at[last];
			durations[all++] = took;
		}
		last = i;
	}
	if (all) {
		span = inner_sum(gaps, all);
		busy = inner_sum(durations, all);
	}
	free(at);
	free(gaps);
	return all > 2 && up * 20 >= all * 19 && apart * 10 >= all * 7 && busy > 0 ? span / busy : 0;
}

/* Returns whether a place lies over the duration, or in two records. */
static bool overlaps(const struct mp_times *t, struct mp_place place, size_t record)
{
	unsigned end = place.offset + mp_type_width(place.type);

	return (place.offset < record && end > record) ||
	       (place.offset < t->end.offset + mp_type_width(t->end.type) && t->end.offset < end);
}

/* Returns whether any byte of a place is taken; `taken` may be NULL. */
static bool is_taken(const bool *taken, struct mp_place place, size_t record)
{
	for (unsigned i = 0; taken && i < mp_type_width(place.type); i++)
		if (taken[(place.offset + i) % record])
			return true;
	return false;
}

static void take_place(bool *taken, struct mp_place place, size_t record)
{
	for (unsigned i = 0; i < mp_type_width(place.type); i++)
		taken[(place.offset + i) % record] = true;
}

/* How far moments at a place are apart, if it may be a guessed start; else 0. */
static long double spread_of_guess(const struct mp_times *t, const struct mp_units *units, const unsigned char *of_rows,
    const bool *taken, struct mp_place place)
{
	if (overlaps(t, place, units->record) || !mp_units_tell(units, place) || is_taken(taken, place, units->record))
		return 0;
	return spread(units, place, t, of_rows);
}

/* Without moments in tables, the start is the number whose moments are closest together. Returns how far apart. */
static long double guess(
    struct mp_times *t, const struct mp_units *units, const unsigned char *of_rows, const bool *taken)
{
	long double best = 0;

	t->has_start = false;
	for (int type = MP_TYPE_U64; type >= (int)MP_TYPE_U32; type--)
		for (unsigned at = 0; at + mp_type_width((enum mp_type)type) <= mp_units_width(units); at++) {
			struct mp_place place = {at, (enum mp_type)type};
			long double wide = spread_of_guess(t, units, of_rows, taken, place);

			if (wide <= 0 || (best > 0 && wide >= best))
				continue;
			best = wide;
			t->start = place;
			t->has_start = true;
			t->start_guessed = true;
		}
	return best;
}

/* Look for another clock that is about as fast as the guessed start: nothing tells which of them is the start. */
static void find_rival(struct mp_times *t, const struct mp_units *units, const unsigned char *of_rows, bool *taken)
{
	struct mp_times other = *t;
	long double best = guess(t, units, of_rows, taken), wide;

	if (!t->has_start)
		return;
	take_place(taken, t->start, units->record);
	wide = guess(&other, units, of_rows, taken);
	t->start_unsure = other.has_start && wide < 2 * best;
	t->rival = other.start;
}

/* Returns whether most rows say the moments at a place exactly, whatever unit the others were taken for. */
static bool mostly_exact(const struct said *said, struct mp_place place, enum mp_unit unit)
{
	size_t exact = 0;

	for (size_t i = 0; i < said->count; i++) {
		const struct mp_drawn *d = &said->drawn[i];
		long double ns = mp_times_scales(said->units, d->unit, unit).ns;
		int64_t at;

		exact += mp_unit_read(said->units, d->unit, place, &at) &&
			 is_exact((long double)at * ns - d->says.value, ns, place.type, &d->says);
	}
	return said->count && exact * 2 > said->count;
}

/* Returns 1 when a place has the moments that rows say, 0 when it does not, -1 on error. */
static int try_place(struct mp_times *t, struct mp_place place, const struct said *said, struct mp_error *err)
{
	struct said few = *said;
	struct mp_fit fit;
	bool shifted;

	few.count = few.count < 8 ? few.count : 8;
	t->start_exact = mostly_exact(said, place, mp_times_start_unit(t));
	if (compare(&fit, &shifted, &few, place, mp_times_start_unit(t), err))
		return -1;
	if (!mp_fit_good(&fit) && !t->start_exact)
		return 0;
	if (compare(&fit, &shifted, said, place, mp_times_start_unit(t), err))
		return -1;
	if (!mp_fit_good(&fit) && !t->start_exact)
		return 0;
	t->start_fit = fit;
	t->start_shifted = shifted;
	t->has_start = true;
	t->start = place;
	return 1;
}

/* Find the place whose moments are those of the rows; else one whose moments differ by a constant. */
static int search_places(struct mp_times *t, const struct said *said, struct mp_error *err)
{
	struct mp_times first = *t;

	first.has_start = false;
	for (int type = MP_TYPE_U64; type >= (int)MP_TYPE_U32; type--)
		for (unsigned at = 0; at + mp_type_width((enum mp_type)type) <= mp_units_width(said->units); at++) {
			struct mp_place place = {at, (enum mp_type)type};
			int found;

			if (overlaps(t, place, said->units->record) || !mp_units_tell(said->units, place))
				continue;
			found = try_place(t, place, said, err);
			if (found < 0 || (found && t->start_exact))
				return found;
			if (found && !first.has_start)
				first = *t;
			t->has_start = false;
		}
	*t = first;
	return first.has_start;
}

/* Search in the unit of the duration first: few boards have two clocks. */
static int search(struct mp_times *t, const struct said *said, struct mp_error *err)
{
	static const enum mp_unit others[] = {MP_UNIT_NS, MP_UNIT_US, MP_UNIT_CYCLE, MP_UNIT_TICK100};
	int found = search_places(t, said, err);

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]) && !found; i++) {
		t->has_start_unit = true;
		t->start_unit = others[i];
		found = others[i] == t->unit ? 0 : search_places(t, said, err);
	}
	t->has_start_unit = found && t->has_start_unit;
	return found;
}

int mp_find_start(struct mp_times *t, const struct mp_views *views, const struct mp_raw *raw,
    const struct mp_units *units, struct mp_error *err)
{
	struct mp_drawn *drawn = mp_learn_malloc(MP_SAMPLE * sizeof(*drawn));
	unsigned char *of_rows = flags_of(views, units);
	struct said said = {.units = units, .drawn = drawn, .of_rows = of_rows, .parts = raw->part_count};
	int failed = 0;

	said.count = drawn ? mp_draw(drawn, views, MP_MEANS_START) : 0;
	if (!drawn || !of_rows)
		failed = mp_fail_memory(err, "rows of references");
	else if (t->single && said.count == 0)
		guess(t, units, of_rows, NULL);
	else if (t->single)
		failed = search(t, &said, err) < 0;
	else if (said.count) {
		t->start_exact = mostly_exact(&said, t->start, t->unit);
		failed = compare(&t->start_fit, &t->start_shifted, &said, t->start, t->unit, err);
	} else {
		t->start_odd = spread(units, t->start, t, of_rows) <= 0;
	}
	free(drawn);
	free(of_rows);
	return failed ? -1 : 0;
}

int mp_guess_start(
    struct mp_solution *s, const struct mp_views *views, const struct mp_units *units, struct mp_error *err)
{
	bool *taken = mp_learn_calloc(units->record, sizeof(*taken));
	unsigned char *of_rows = flags_of(views, units);

	for (size_t i = 0; taken && i < s->part_count; i++) {
		const struct mp_candidate *c = &s->parts[i].candidate;

		if (!s->parts[i].found)
			continue;
		take_place(taken, c->place, units->record);
		if (c->has_minus)
			take_place(taken, c->minus, units->record);
	}
	if (taken && of_rows)
		find_rival(&s->times, units, of_rows, taken);
	free(taken);
	free(of_rows);
	return taken && of_rows ? 0 : mp_fail_memory(err, "rows of references");
}

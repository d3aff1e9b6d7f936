/* times.c: finds the durations of tasks: one number, or the difference of two, in a unit that fits all rows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "learn/memory.h"
#include "learn/search.h"

enum { PROBES = 3, MHZ_TRIES = 24, FIXED = 4 };
#define SLACK 1e-12 /* of products of doubles */

static const enum mp_unit fixed[FIXED] = {MP_UNIT_TICK100, MP_UNIT_CYCLE, MP_UNIT_NS, MP_UNIT_US};

/* What is tried: rows, and the best so far. */
struct hunt {
	struct mp_drawn *drawn;
	size_t count;
	const struct mp_views *views;
	const struct mp_raw *raw;
	const struct mp_units *units;
	struct mp_times best;
	/* what the first row allows: the least and most ns, the middle of MHz counts, and ns of the fixed units */
	double least, most, middle, slack, ns[FIXED];
	struct mp_error *err;
};

static bool fits(const struct mp_says *says, long double x)
{
	long double over = x - says->value;

	return over >= -says->half && over < says->cut;
}

static struct mp_fit fit_of(const struct hunt *h, const struct mp_times *t)
{
	struct mp_fits fits = {.misses = 0};
	struct mp_fit fit;

	/* nothing can become good after so many misses */
	for (size_t i = 0; i < h->count && fits.misses <= h->count / 10 + 1; i++) {
		const struct mp_drawn *d = &h->drawn[i];
		int64_t count = 0;
		bool has = mp_times_count(t, h->units, d->unit, &count);

		mp_fits_row(&fits, (size_t)(d->view - h->views->items), &d->says, has,
		    (long double)count * mp_times_scales(h->units, d->unit, t->unit).ns);
	}
	fit = mp_fits_sum(&fits);
	fit.rows = h->count;
	return fit;
}

/* The more natural of two ways to say the same has the lower number. */
static unsigned oddness(const struct mp_times *t)
{
	static const unsigned char units[] = {2, 3, 0, 9, 9, 1};
	unsigned width = mp_type_width(t->end.type);
	unsigned unit = t->unit >= MP_UNIT_MHZ ? 4 : units[t->unit];

	return (t->end.offset % width ? 16U : 0U) + (t->start_fit.rows && !mp_fit_good(&t->start_fit) ? 2048U : 0U) +
	       (t->start_fit.rows && !t->start_exact ? 512U : 0U) + (t->start_odd ? 1024U : 0U) + unit * 64 +
	       (8 - width) * 32 + t->single;
}

static bool better(const struct mp_times *a, const struct mp_times *b)
{
	size_t rows_a = mp_fit_rows(&a->fit), rows_b = mp_fit_rows(&b->fit);

	if (rows_a != rows_b)
		return rows_a > rows_b;
	if (oddness(a) != oddness(b))
		return oddness(a) < oddness(b);
	return a->end.offset == b->end.offset && a->has_start && a->start.offset < b->start.offset;
}

static void say_other(struct mp_times *best, const struct mp_times *other)
{
	char unit[16];
	size_t len = strlen(best->others);

	snprintf(best->others + len, sizeof(best->others) - len, "%s%s@%u %s", len ? ", " : "",
	    mp_type_name(other->end.type), other->end.offset, mp_times_unit(unit, other->unit));
}

static int try_times(struct hunt *h, struct mp_times *t)
{
	t->fit = fit_of(h, t);
	if (!mp_fit_good(&t->fit) || mp_fit_rows(&t->fit) < mp_fit_rows(&h->best.fit))
		return 0;
	if (!t->single && mp_find_start(t, h->views, h->raw, h->units, h->err))
		return -1;
	if (better(t, &h->best)) {
		bool same = mp_fit_rows(&t->fit) == mp_fit_rows(&h->best.fit) && h->best.fit.rows;
		struct mp_times old = h->best;

		h->best = *t;
		h->best.others[0] = '\0';
		if (same)
			say_other(&h->best, &old);
	} else if (strlen(h->best.others) < 40) {
		say_other(&h->best, t);
	}
	return 0;
}

/* Returns whether two of three rows fit. */
static bool probes_fit(const struct hunt *h, const struct mp_times *t)
{
	size_t probes = h->count < PROBES ? h->count : PROBES, good = 0;

	for (size_t i = 0; i < probes; i++) {
		int64_t count;

		good += mp_times_count(t, h->units, h->drawn[i].unit, &count) &&
			fits(&h->drawn[i].says,
			    (long double)count * mp_times_scales(h->units, h->drawn[i].unit, t->unit).ns);
	}
	return good >= 2 || good == probes;
}

/* Try the units in which `count` is what a row says. Returns 1 when one fits, 0 when no unit fits, -1 on error. */
static int try_units(struct hunt *h, struct mp_times *t, int64_t count, const struct mp_drawn *drawn)
{
	const struct mp_says *says = &drawn->says;
	long double counts = (long double)count * 1000, first, last;
	int found = 0;

	for (size_t i = 0; i < FIXED; i++) {
		long double ns = mp_times_scales(h->units, drawn->unit, fixed[i]).ns;

		t->unit = fixed[i];
		if (ns <= 0 || !fits(says, (long double)count * ns) || !probes_fit(h, t))
			continue;
		found = 1;
		if (try_times(h, t))
			return -1;
	}
	if (says->value <= says->half)
		return found;
	first = counts / (says->value + says->cut);
	last = counts / (says->value - says->half);
	if (last < 1 || first > MP_UNIT_MHZ_MAX || last - first > MHZ_TRIES)
		return found;
	for (int mhz = (int)first; mhz <= (int)last + 1 && mhz <= MP_UNIT_MHZ_MAX; mhz++) {
		/* 1 MHz and 1000 MHz are us and ns */
		if (mhz <= 1 || mhz == MP_UNIT_MHZ_MAX)
			continue;
		t->unit = (enum mp_unit)(MP_UNIT_MHZ + mhz - 1);
		if (!probes_fit(h, t))
			continue;
		found = 1;
		if (try_times(h, t))
			return -1;
	}
	return found;
}

/* Prepare what the first row allows. */
static void look_at_first(struct hunt *h)
{
	const struct mp_says *says = &h->drawn[0].says;
	double value = (double)says->value;

	h->least = value - (double)says->half;
	h->most = value + (double)says->cut;
	h->middle = value > 0 ? 1000 / value : 0;
	h->slack = value > 0 ? (double)says->cut / value : 1;
	for (size_t i = 0; i < FIXED; i++)
		h->ns[i] = (double)mp_times_scales(h->units, h->drawn[0].unit, fixed[i]).ns;
}

/* Returns whether a count may be what the first row says, in some unit. */
static bool is_possible(const struct hunt *h, int64_t count)
{
	double x = (double)count, mhz = x * h->middle;

	for (size_t i = 0; i < FIXED; i++)
		if (x * h->ns[i] >= h->least && x * h->ns[i] <= h->most)
			return true;
	if (mhz < 1 || mhz > MP_UNIT_MHZ_MAX + 1)
		return false;
	return mhz * h->slack > 0.5 || fabs(mhz - rint(mhz)) <= mhz * h->slack;
}

/* Try a way to count, by the first row. */
static int try_counts(struct hunt *h, struct mp_times *t)
{
	int64_t count;

	if (!mp_times_count(t, h->units, h->drawn[0].unit, &count) || count == 0 || !is_possible(h, count))
		return 0;
	return try_units(h, t, count, &h->drawn[0]) < 0 ? -1 : 0;
}

static int try_singles(struct hunt *h)
{
	size_t width = mp_units_width(h->units);

	for (enum mp_type type = MP_TYPE_U8; type <= MP_TYPE_U64; type++)
		for (unsigned at = 0; at + mp_type_width(type) <= width; at++) {
			struct mp_times t = {.single = true, .end = {at, type}};

			/* no number lies in two records */
			if (at < h->units->record && at + mp_type_width(type) > h->units->record)
				continue;
			if (try_counts(h, &t))
				return -1;
		}
	return 0;
}

/* The numbers of a row at all offsets; -1 where a number is missing. */
static void numbers(int64_t *v, const struct hunt *h, size_t row, enum mp_type type, unsigned from, size_t count)
{
	for (unsigned i = 0; i < count; i++)
		if (i + mp_type_width(type) > count ||
		    !mp_unit_read(h->units, h->drawn[row].unit, (struct mp_place){from + i, type}, &v[i]))
			v[i] = -1;
}

/* Drop the numbers of the first row that another row has, too. */
static void drop_same(int64_t *v, const struct hunt *h, enum mp_type type, unsigned from, size_t count)
{
	size_t other = 0;

	/* two tables may have a row of the same task */
	while (other + 1 < h->count && h->drawn[other].unit == h->drawn[0].unit)
		other++;
	for (unsigned i = 0; i < count && other; i++) {
		int64_t second;

		if (v[i] >= 0 &&
		    mp_unit_read(h->units, h->drawn[other].unit, (struct mp_place){from + i, type}, &second) &&
		    second == v[i])
			v[i] = -1;
	}
}

/* A number of the first row, and its place. */
struct number_at {
	int64_t value;
	unsigned at;
};

/* The numbers of the first rows that may be starts and ends; -1 when not found. */
struct pairs {
	enum mp_type type;
	int64_t ends[PROBES][MP_RECORD_SIZE_MAX], numbers[PROBES][MP_RECORD_SIZE_MAX];
	struct number_at starts[MP_RECORD_SIZE_MAX]; /* in the order of their values */
	size_t count;
};

static int by_number(const void *left, const void *right)
{
	const struct number_at *a = left, *b = right;

	return a->value != b->value ? (a->value < b->value ? -1 : 1) : a->at < b->at ? -1 : a->at > b->at;
}

/* The least and the most counts that the first row allows, in any unit. */
static void range_of(const struct hunt *h, int64_t *least, int64_t *most)
{
	double low = h->most, high = 0;

	for (size_t i = 0; i < FIXED; i++)
		if (h->ns[i] > 0) {
			low = fmin(low, h->least / h->ns[i]);
			high = fmax(high, h->most / h->ns[i]);
		}
	if (h->middle > 0) {
		low = fmin(low, 1 / h->middle);
		high = fmax(high, (MP_UNIT_MHZ_MAX + 1) / h->middle);
	}
	*least = low > 2 ? (int64_t)fmin(low, 9e18) - 1 : 1;
	*most = high < 9e18 ? (int64_t)high + 1 : INT64_MAX;
}

/* The count from a start to an end in a row; -1 where a number is missing. */
static int64_t count_of(const struct pairs *p, size_t row, unsigned start, unsigned end)
{
	int64_t count = p->ends[row][end] - p->numbers[row][start];

	if (p->ends[row][end] < 0 || p->numbers[row][start] < 0)
		return -1;
	return count < 0 && p->type == MP_TYPE_U32 ? count + (INT64_C(1) << 32) : count;
}

/*
 * Returns whether the counts of two rows are in proportion to what the rows say, whatever the unit: probes_fit would
 * refuse what is not.
 */
static bool in_proportion(const struct hunt *h, const struct pairs *p, unsigned start, unsigned end)
{
	const struct mp_says *first = &h->drawn[0].says;
	double count = (double)count_of(p, 0, start, end);

	for (size_t i = 1; i < PROBES && h->count >= PROBES; i++) {
		const struct mp_says *says = &h->drawn[i].says;
		double other = (double)count_of(p, i, start, end);
		double least = (double)(says->value - says->half), most = (double)(says->value + says->cut);

		if (mp_times_scales(h->units, h->drawn[i].unit, MP_UNIT_CYCLE).ns !=
		    mp_times_scales(h->units, h->drawn[0].unit, MP_UNIT_CYCLE).ns)
			return true;
		if (other >= 0 && other * (double)(first->value + first->cut) >= least * count * (1 - SLACK) &&
		    other * (double)(first->value - first->half) <= most * count * (1 + SLACK))
			return true;
	}
	return h->count < PROBES;
}

/* Try the numbers from `least` to `most` as the start of the end at a place. */
static int try_starts(struct hunt *h, const struct pairs *p, unsigned end, int64_t least, int64_t most)
{
	unsigned from = mp_units_width(h->units) > h->units->record ? (unsigned)h->units->record : 0;
	size_t low = 0, high = p->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (p->starts[middle].value < least)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < p->count && p->starts[low].value <= most; low++) {
		unsigned start = p->starts[low].at;
		struct mp_times t = {.has_start = true, .start = {from + start, p->type}, .end = {end, p->type}};

		if (is_possible(h, count_of(p, 0, start, end)) && in_proportion(h, p, start, end) && try_counts(h, &t))
			return -1;
	}
	return 0;
}

/* Try the differences of two numbers that are possible as a duration. */
static int try_pairs(struct hunt *h, enum mp_type type, struct pairs *p)
{
	size_t record = h->units->record;
	unsigned from = mp_units_width(h->units) > record ? (unsigned)record : 0;
	int64_t turn = type == MP_TYPE_U32 ? INT64_C(1) << 32 : 0, limit = INT64_C(1) << (turn ? 31 : 44), least, most;

	range_of(h, &least, &most);
	most = most < limit ? most : limit - 1;
	p->type = type;
	p->count = 0;
	for (size_t i = 0; i == 0 || (i < PROBES && i < h->count); i++) {
		numbers(p->ends[i], h, i, type, 0, record);
		numbers(p->numbers[i], h, i, type, from, record);
	}
	drop_same(p->ends[0], h, type, 0, record);
	drop_same(p->numbers[0], h, type, from, record);
	for (unsigned s = 0; s < record; s++)
		if (p->numbers[0][s] >= 0)
			p->starts[p->count++] = (struct number_at){p->numbers[0][s], s};
	qsort(p->starts, p->count, sizeof(*p->starts), by_number);
	for (unsigned e = 0; e < record; e++) {
		int64_t v = p->ends[0][e];

		if (v < 0)
			continue;
		if (try_starts(h, p, e, v - most, v - least))
			return -1;
		/* a counter of 32 bits that began again */
		if (turn && v < most && try_starts(h, p, e, v + turn - most, v + turn - least))
			return -1;
	}
	return 0;
}

/* The first row may be of a damaged record: let another one be the first. */
static bool take_other(struct hunt *h)
{
	for (size_t i = 1; i < h->count; i++)
		if (h->drawn[i].unit != h->drawn[0].unit) {
			struct mp_drawn first = h->drawn[0];

			h->drawn[0] = h->drawn[i];
			h->drawn[i] = first;
			return true;
		}
	return false;
}

static int try_all(struct hunt *h)
{
	struct pairs *pairs = mp_learn_malloc(sizeof(*pairs));
	int failed = 0;

	if (!pairs)
		return mp_fail_memory(h->err, "numbers of a record");
	for (int tries = 0; tries < 2 && !failed && !h->best.fit.rows; tries++) {
		if (tries && !take_other(h))
			break;
		look_at_first(h);
		failed = try_pairs(h, MP_TYPE_U64, pairs) || try_pairs(h, MP_TYPE_U32, pairs) || try_singles(h);
	}
	free(pairs);
	return failed ? -1 : 0;
}

int mp_find_times(struct mp_times *times, const struct mp_views *views, const struct mp_raw *raw,
    const struct mp_units *units, struct mp_error *err)
{
	struct hunt h = {.views = views, .raw = raw, .units = units, .err = err};
	int failed;

	h.drawn = mp_learn_malloc(MP_SAMPLE * sizeof(*h.drawn));
	if (!h.drawn)
		return mp_fail_memory(err, "rows of references");
	h.count = mp_draw(h.drawn, views, MP_MEANS_TIME);
	failed = h.count >= 2 && try_all(&h);
	free(h.drawn);
	if (failed || (h.best.fit.rows && h.best.single && mp_find_start(&h.best, views, raw, units, err)))
		return -1;
	*times = h.best;
	return h.best.fit.rows && h.best.fit.different > 1;
}

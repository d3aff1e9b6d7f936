/* intervals.c: an array of intervals, and its sort: runs in order, merged with another array from one end to the other.
 */
#include "insight/intervals.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/dir.h"

enum { RUN_MIN = 64 << 10 }; /* a shorter run is made longer, in memory */

/* Make room for one more. */
static bool grow(struct mp_intervals *v, struct mp_big *array, size_t count)
{
	if ((count + 1) * sizeof(struct mp_interval) <= array->room)
		return true;
	if (!v->dir)
		v->dir = mp_dir_open_temporary() + 1; /* without one the array stays in memory */
	return mp_big_grow(array, v->dir - 1);
}

bool mp_intervals_add(struct mp_intervals *v, const struct mp_interval *interval)
{
	if (!grow(v, &v->array, v->count))
		return false;
	*mp_intervals_at(v, v->count++) = *interval;
	return true;
}

void mp_intervals_free(struct mp_intervals *v)
{
	mp_big_free(&v->array);
	if (v->dir)
		close(v->dir - 1); /* no data was written through this descriptor */
	*v = (struct mp_intervals){.count = 0};
}

static int by_start(const void *a, const void *b)
{
	const struct mp_interval *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	if (x->end_ns != y->end_ns)
		return x->end_ns < y->end_ns ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* The end of the run that begins at `from`. */
static size_t run_end(struct mp_intervals *v, size_t from)
{
	size_t i = from + 1;

	while (i < v->count && by_start(mp_intervals_at(v, i) - 1, mp_intervals_at(v, i)) <= 0)
		i++;
	return i;
}

/* Sort what follows `from` where its run is short. Returns the end of the run. */
static size_t make_run(struct mp_intervals *v, size_t from)
{
	size_t end = run_end(v, from), wanted = v->count - from < RUN_MIN ? v->count : from + RUN_MIN;

	if (end >= wanted)
		return end;
	qsort(mp_intervals_at(v, from), wanted - from, sizeof(struct mp_interval), by_start);
	return wanted;
}

/* Merge the runs [from, middle) and [middle, end) behind what `to` has. */
static bool merge(struct mp_intervals *v, size_t from, size_t middle, size_t end, struct mp_intervals *to)
{
	size_t a = from, b = middle;

	while (a < middle || b < end) {
		const struct mp_interval *left = mp_intervals_at(v, a), *right = mp_intervals_at(v, b);
		bool is_left = b == end || (a < middle && by_start(left, right) <= 0);

		if (!mp_intervals_add(to, is_left ? left : right))
			return false;
		a += is_left;
		b += !is_left;
	}
	return true;
}

/* Merge each pair of runs. Returns how many runs are left; 0 when out of memory. */
static size_t merge_pairs(struct mp_intervals *v, struct mp_intervals *to)
{
	size_t runs = 0;

	to->count = 0;
	for (size_t from = 0; from < v->count; runs++) {
		size_t middle = run_end(v, from), end = middle < v->count ? run_end(v, middle) : middle;

		if (!merge(v, from, middle, end, to))
			return 0;
		from = end;
	}
	return runs;
}

bool mp_intervals_sort(struct mp_intervals *v)
{
	struct mp_intervals other = {.count = 0};
	size_t runs = 0;

	for (size_t from = 0; from < v->count; runs++)
		from = make_run(v, from);
	while (runs > 1 && (runs = merge_pairs(v, &other)) > 0) {
		struct mp_intervals before = *v;

		*v = other;
		other = before;
	}
	mp_intervals_free(&other);
	return v->count == 0 || runs == 1;
}

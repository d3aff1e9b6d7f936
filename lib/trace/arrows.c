/* arrows.c: launches sorted by the key of their call, in place: they come nearly sorted. */
#include "trace/arrows.h"

#include <string.h>

uint32_t mp_trace_arrows_add(struct mp_trace_arrows *a, const struct mp_trace_launch *launch, int dirfd)
{
	struct mp_trace_launch *launches;

	if (a->count == UINT32_MAX - 1)
		return 0;
	if ((a->count + 1) * sizeof(*launches) > a->launches.room && !mp_big_grow(&a->launches, dirfd))
		return 0;
	launches = a->launches.at;
	mp_big_touch(&a->launches);
	a->unsorted = a->unsorted || (a->count && launches[a->count - 1].call > launch->call);
	launches[a->count] = *launch;
	launches[a->count].number = (uint32_t)a->count + 1;
	a->count++;
	return (uint32_t)a->count;
}

static bool is_before(const struct mp_trace_launch *x, const struct mp_trace_launch *y)
{
	return x->call < y->call || (x->call == y->call && x->number < y->number);
}

/* Shell's method: few moves where little is out of place, and no further memory. */
static void sort(struct mp_trace_arrows *a)
{
	struct mp_trace_launch *at = a->launches.at;
	size_t gap = a->count;

	do {
		gap = gap < 5 ? gap / 2 : gap * 4 / 9;
		for (size_t i = gap; gap && i < a->count; i++) {
			const struct mp_trace_launch one = at[i];
			size_t to = i;

			for (; to >= gap && is_before(&one, &at[to - gap]); to -= gap)
				at[to] = at[to - gap];
			at[to] = one;
			mp_big_touch(&a->launches);
		}
	} while (gap > 1);
	a->unsorted = false;
	a->next = 0;
}

size_t mp_trace_arrows_take(struct mp_trace_arrows *a, int64_t call, const struct mp_trace_launch **launches)
{
	const struct mp_trace_launch *at;
	size_t low, high = a->count, count = 0;

	if (!a->count)
		return 0;
	if (a->unsorted)
		sort(a);
	at = a->launches.at;
	low = a->next;
	if (low && at[low - 1].call >= call)
		low = 0;
	for (size_t step = 1; low + step < high; step *= 2) /* usually the next */
		if (at[low + step].call >= call)
			high = low + step + 1;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (at[middle].call < call)
			low = middle + 1;
		else
			high = middle;
	}
	while (low + count < a->count && at[low + count].call == call)
		count++;
	a->next = low + count;
	mp_big_touch(&a->launches);
	*launches = at + low;
	return count;
}

void mp_trace_arrows_free(struct mp_trace_arrows *a)
{
	mp_big_free(&a->launches);
	memset(a, 0, sizeof(*a));
}

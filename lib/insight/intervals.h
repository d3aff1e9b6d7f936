/*
 * intervals.h: the tasks of one track as intervals of time, any number of them.
 *
 * Many lie in a file without a name (base/big.h), so that the memory stays small: look at them one after the other,
 * with mp_intervals_at. A struct of zeros is empty; free with mp_intervals_free. Functions that return bool give false
 * when out of memory. One thread.
 */
#ifndef MP_INSIGHT_INTERVALS_H
#define MP_INSIGHT_INTERVALS_H

#include "base/big.h"

/* A task [start_ns, end_ns) with end_ns >= start_ns. */
struct mp_interval {
	int64_t start_ns, end_ns;
	int64_t launch_ns; /* the start of the call that launched the task; INT64_MIN: unknown */
	uint32_t row;      /* of the task, for evidence */
	uint32_t op;       /* number of its operator */
};

struct mp_intervals {
	struct mp_big array;
	size_t count; /* the caller may begin anew with 0 */
	int dir;      /* the descriptor of the directory with the file, + 1; 0: not opened */
};

bool mp_intervals_add(struct mp_intervals *v, const struct mp_interval *interval);
void mp_intervals_free(struct mp_intervals *v);

/* An interval, valid until the next one is added. */
static inline struct mp_interval *mp_intervals_at(struct mp_intervals *v, size_t i)
{
	mp_big_touch(&v->array);
	return (struct mp_interval *)v->array.at + i;
}

/* Sort by start, then by end, then by row. */
bool mp_intervals_sort(struct mp_intervals *v);

#endif

/*
 * sweep.h: intervals of time of one track, sorted by start, and where the time of its windows went.
 *
 * Each moment of a window belongs to the lowest class that is active, or is idle; so the parts of a window add up to
 * its length. The sweep looks at each interval once.
 * Times are nanoseconds of one clock. All values are allowed: lengths saturate. Nothing is allocated. One thread.
 */
#ifndef MP_INSIGHT_SWEEP_H
#define MP_INSIGHT_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "insight/intervals.h"

enum { MP_CLASS_MAX = 8 };

/* The time between two moments; INT64_MAX where it does not fit. */
int64_t mp_span_ns(int64_t start_ns, int64_t end_ns);

/* The sum of two numbers, at most INT64_MAX and at least INT64_MIN. */
int64_t mp_add_ns(int64_t a, int64_t b);

/* A range of time that is examined: a step or an inference. */
struct mp_window {
	int64_t id, start_ns, end_ns;
	int64_t alone_ns[MP_CLASS_MAX]; /* no lower class was active */
	int64_t own_ns[MP_CLASS_MAX];   /* the class was active */
	int64_t idle_ns, gaps;
};

/* A stretch of a window in which nothing was active. */
struct mp_gap {
	int64_t window, start_ns, end_ns;
	const struct mp_interval *before, *after; /* NULL: the track begins or ends */
};

struct mp_sweep {
	struct mp_intervals *intervals;
	int (*class_of)(void *user, uint32_t op); /* 0 to MP_CLASS_MAX - 1 */
	/* `op` was the active operator of the lowest class for `ns`; may be NULL. */
	void (*alone)(void *user, uint32_t op, int64_t ns);
	void (*gap)(void *user, const struct mp_gap *gap); /* may be NULL */
	void *user;
};

/* Add the time of the sorted intervals to the windows, which are sorted and do not overlap. */
void mp_sweep(const struct mp_sweep *sweep, struct mp_window *windows, size_t count);

#endif

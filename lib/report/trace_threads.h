/*
 * trace_threads.h: the threads that a timeline has met, and the numbers by which its
 * trace calls them and their lanes.
 *
 * A viewer takes a tid to be 32 bits, so lanes, and threads with impossible
 * numbers, get numbers of their own from 2^31 upwards.
 */
#ifndef MP_REPORT_TRACE_THREADS_H
#define MP_REPORT_TRACE_THREADS_H

#include "report/lanes.h"

enum { MP_THREADS_MAX = 1024 }; /* at a time */

struct mp_trace_thread {
	int64_t pid, tid;
	int64_t shown_tid;
	struct mp_lanes *lanes;
	int64_t *lane_tids; /* of lanes 1.. that were named */
	int64_t lane_count; /* of these */
	char name[256];
};

struct mp_trace_threads {
	struct mp_trace_thread *items[2 * MP_THREADS_MAX]; /* hashed, open addressing */
	int count;
	int64_t next_tid;
	struct mp_trace_thread *last; /* the one that was asked for last */
};

void mp_trace_threads_init(struct mp_trace_threads *t);

/* The thread, or NULL when it was not met yet. */
struct mp_trace_thread *mp_trace_threads_find(struct mp_trace_threads *t, int64_t pid, int64_t tid);

/* A thread met for the first time; NULL when there are MP_THREADS_MAX, or (with err) out of memory. */
struct mp_trace_thread *mp_trace_threads_add(
    struct mp_trace_threads *t, int64_t pid, int64_t tid, struct mp_error *err);

/* Add the next lane to a thread; its tid, or -1 when out of memory. */
int64_t mp_trace_threads_add_lane(struct mp_trace_threads *t, struct mp_trace_thread *thread, struct mp_error *err);

/* Forget all threads; numbers go on. */
void mp_trace_threads_clear(struct mp_trace_threads *t);

#endif

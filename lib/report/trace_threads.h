/*
 * trace_threads.h: the threads of a timeline, and the numbers of threads and lanes in the trace.
 *
 * Viewers read a tid as 32 bits. Lanes, and threads with numbers outside 32 bits, get numbers from 2^31 upwards. The
 * struct owns its threads; free them with mp_trace_threads_clear. One thread at a time.
 */
#ifndef MP_REPORT_TRACE_THREADS_H
#define MP_REPORT_TRACE_THREADS_H

#include "base/index.h"
#include "report/lanes.h"

enum { MP_THREADS_MAX = 1024 }; /* threads held at one time */

struct mp_trace_thread {
	int64_t pid, tid;
	int64_t shown_tid;
	struct mp_lanes *lanes;
	int64_t *lane_tids; /* numbers of lanes 1 and up, as far as they were named */
	int64_t lane_count; /* the number of lane_tids */
	char name[256];
};

struct mp_trace_threads {
	struct mp_trace_thread *items[MP_THREADS_MAX];
	int count;
	struct mp_index index; /* of items */
	int64_t next_tid;
	struct mp_trace_thread *last; /* the thread that was found last */
};

/* Prepare an empty set. */
void mp_trace_threads_init(struct mp_trace_threads *t);

/* The thread, or NULL when not yet added. */
struct mp_trace_thread *mp_trace_threads_find(struct mp_trace_threads *t, int64_t pid, int64_t tid);

/*
 * Add a thread. Returns NULL with err when out of memory, and NULL without err when there are MP_THREADS_MAX threads.
 */
struct mp_trace_thread *mp_trace_threads_add(
    struct mp_trace_threads *t, int64_t pid, int64_t tid, struct mp_error *err);

/* Add the next lane to a thread. Returns the tid of the lane, or -1 with err. */
int64_t mp_trace_threads_add_lane(struct mp_trace_threads *t, struct mp_trace_thread *thread, struct mp_error *err);

/* Free all threads; numbering continues. */
void mp_trace_threads_clear(struct mp_trace_threads *t);

#endif

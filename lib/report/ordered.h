/*
 * ordered.h: parts of an output that several threads make at the same time, written in order.
 *
 * The output equals that of one thread. The earliest unfinished part streams to the output. Later parts are kept in
 * memory, 1 MiB each and two for each thread; a thread with more output waits. The content of the parts is unknown
 * here. mp_ordered_write starts and joins the threads, and keeps nothing.
 */
#ifndef MP_REPORT_ORDERED_H
#define MP_REPORT_ORDERED_H

#include <stdint.h>

#include "base/out.h"

enum { MP_ORDERED_MAX = 8 }; /* threads */

struct mp_ordered {
	int64_t count; /* number of parts */
	/*
	 * Make part `at`. `member` is the thread that calls: 0 is the caller's thread. Several members call at the same
	 * time.
	 */
	int (*make)(void *user, int member, int64_t at, struct mp_out *out, struct mp_error *err);
	/*
	 * Takes output of parts, in order, in place of writing it to `out`; NULL: it is written. What a part reserves
	 * at once is never divided. One thread at a time, which may be any.
	 */
	int (*take)(void *user, struct mp_out *out, const char *bytes, size_t size, struct mp_error *err);
	/* Called in the caller's thread after a wait for other threads; may be NULL. */
	void (*waited)(void *user);
	void *user;
};

/*
 * Make all parts with up to `threads` threads. The error is that of the first failed part; later parts are not started,
 * or discarded. Returns 0, or -1 with err. The out keeps its own errors.
 */
int mp_ordered_write(const struct mp_ordered *parts, int threads, struct mp_out *out, struct mp_error *err);

#endif

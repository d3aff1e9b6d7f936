/*
 * ordered.h: parts of an output that several threads make at the same time, written in order.
 *
 * The output is what one thread would write. The earliest part whose turn it is streams; later ones are kept in memory,
 * 1 MiB each, two for each thread: whoever has more waits. Knows nothing of what is written.
 */
#ifndef MP_REPORT_ORDERED_H
#define MP_REPORT_ORDERED_H

#include <stdint.h>

#include "base/out.h"

enum { MP_ORDERED_MAX = 8 }; /* threads */

struct mp_ordered {
	int64_t count; /* of parts */
	/* Make part `at`. A member is a thread: 0 is the caller's. Different members are at work at the same time. */
	int (*make)(void *user, int member, int64_t at, struct mp_out *out, struct mp_error *err);
	/* Called in the caller's thread when it has waited for others; may be NULL. */
	void (*waited)(void *user);
	void *user;
};

/*
 * Make all parts with that many threads, or as many of them as can be had. The error is that of the first part that
 * failed; those after it are not begun, or made in vain. The out keeps its own errors.
 */
int mp_ordered_write(const struct mp_ordered *parts, int threads, struct mp_out *out, struct mp_error *err);

#endif

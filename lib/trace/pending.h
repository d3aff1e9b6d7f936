/*
 * pending.h: begins of slices that wait until the ends at their time are written.
 *
 * Slices come backwards: in descending order of ends, the longer one first among equals. A reader sorts packets by time
 * and keeps the order of equal times. So all ends must precede the begins of the same time: a begin waits until a slice
 * comes that ends before. Waiting begins nest, so those that are due are the last. A struct of zeros is empty; free it
 * with mp_trace_pending_free. One thread at a time.
 */
#ifndef MP_TRACE_PENDING_H
#define MP_TRACE_PENDING_H

#include <stdbool.h>

#include "base/out.h"

struct mp_trace_begin {
	int64_t start_ns;
	size_t at; /* of its bytes */
};

struct mp_trace_pending {
	char *bytes, *held;
	size_t used, held_used;
	size_t most, held_most; /* so far */
	int64_t held_ns;        /* the time of the begins in `held`: ends of this time may come */
	struct mp_trace_begin *begins;
	size_t count, begins_most;
};

/* A slice ends at end_ns: write the begins after it, and hold those at it. Returns false when out of memory. */
bool mp_trace_pending_reach(struct mp_trace_pending *p, struct mp_out *out, int64_t end_ns);

/* Write the begins that are held: no further end of their time comes. */
void mp_trace_pending_release(struct mp_trace_pending *p, struct mp_out *out);

/* Add a begin, and return room for `size` bytes, or NULL when out of memory. */
char *mp_trace_pending_add(struct mp_trace_pending *p, int64_t start_ns, size_t size);

void mp_trace_pending_free(struct mp_trace_pending *p);

#endif

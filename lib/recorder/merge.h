/*
 * merge.h: takes the events of several rings in the order in which they ended.
 *
 * A heap of rings, by the end of the next event of each. The caller owns the items, one for each ring, and takes the
 * events (ring.h). Operators that a program publishes come first, whatever end it tells for them. Nothing is allocated.
 * One thread at a time.
 */
#ifndef MP_RECORDER_MERGE_H
#define MP_RECORDER_MERGE_H

#include "recorder/ring.h"

struct mp_merge {
	struct mp_ring *ring;
	uint64_t end;    /* the slot at which its events end */
	uint64_t end_ns; /* of its next event */
	struct mp_merge *left, *right;
};

/* Add the events of a ring before the slot `end` to the heap *top, which is NULL when empty. */
void mp_merge_add(struct mp_merge **top, struct mp_merge *item, struct mp_ring *ring, uint64_t end);

/* The next event of (*top)->ring was taken: put the ring in its place, or out of the heap when nothing is left. */
void mp_merge_next(struct mp_merge **top);

#endif

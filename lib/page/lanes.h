/*
 * lanes.h: the slices of one track that run at a moment, each on a lane of its own.
 *
 * A slice takes the first lane that is free when it starts; so a call lies one lane below the call that made it. Each
 * moment belongs to the deepest lane that is busy. Slices come by start, the longest first. A struct of zeros, with
 * now_ns at the first moment, has no slice. Nothing is allocated. One thread.
 */
#ifndef MP_PAGE_LANES_H
#define MP_PAGE_LANES_H

#include <stdint.h>

enum { MP_LANES_MAX = 64 };

struct mp_lane {
	int64_t end_ns;
	uint32_t name;
	int64_t node; /* of the flame graph; -1: none */
};

struct mp_lanes {
	struct mp_lane items[MP_LANES_MAX];
	int used; /* the deepest busy lane + 1 */
	int64_t now_ns;
};

/* All slices that start before `to_ns` are known: call `stretch` for each stretch of time until then with a slice. */
void mp_lanes_advance(struct mp_lanes *lanes, int64_t to_ns,
    void (*stretch)(void *user, int64_t from_ns, int64_t to_ns, const struct mp_lane *lane), void *user);

/* Put a slice that starts now on a lane; returns its depth. Beyond the maximum it replaces that of the last lane. */
int mp_lanes_put(struct mp_lanes *lanes, const struct mp_lane *slice);

/* The deepest slice that ends no earlier than `end_ns`, or NULL. */
const struct mp_lane *mp_lanes_around(const struct mp_lanes *lanes, int64_t end_ns);

#endif

/*
 * wall.h: times since 1970 for those of the recorder's clock.
 *
 * A pair of readings of both clocks, taken once, moves all times by the same amount: their order and differences stay
 * exact, whatever becomes of the wall clock meanwhile. No state; any thread.
 */
#ifndef MP_RECORDER_WALL_H
#define MP_RECORDER_WALL_H

#include <stdint.h>

struct mp_wall {
	uint64_t realtime_ns, monotonic_ns; /* of CLOCK_REALTIME and of mp_recorder_now, at the same moment */
};

/* Read both clocks. */
void mp_wall_read(struct mp_wall *wall);

/* The time since 1970 of a time of mp_recorder_now, in ns; 0 for times before 1970. */
static inline uint64_t mp_wall_ns(const struct mp_wall *wall, uint64_t ns)
{
	uint64_t sum = wall->realtime_ns + ns;

	return sum > wall->monotonic_ns ? sum - wall->monotonic_ns : 0;
}

#endif

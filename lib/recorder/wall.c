/* wall.c: reads the wall clock between two readings of the other one. */
#include "recorder/wall.h"

#include <time.h>

#include "recorder/recorder.h"

/* The closest of some readings counts: the thread may lose its processor between two of them. */
void mp_wall_read(struct mp_wall *wall)
{
	enum { READINGS = 8, SECOND_NS = 1000000000 };
	uint64_t closest = UINT64_MAX;

	for (int i = 0; i < READINGS; i++) {
		uint64_t before = mp_recorder_now(), after;
		struct timespec t;

		clock_gettime(CLOCK_REALTIME, &t);
		after = mp_recorder_now();
		if (after - before >= closest)
			continue;
		closest = after - before;
		wall->realtime_ns = (uint64_t)t.tv_sec * SECOND_NS + (uint64_t)t.tv_nsec;
		wall->monotonic_ns = before + closest / 2;
	}
}

/*
 * clock.h: from the counts of a device to nanoseconds, exactly.
 */
#ifndef MP_RAW_CLOCK_H
#define MP_RAW_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "raw/layout.h"

/* A counter whose value at one moment is known. */
struct mp_rate {
	int64_t hz; /* 0: not known */
	uint64_t count;
	int64_t ns;
};

/* The frequencies of one device; 0 where not known. */
struct mp_clock {
	int64_t core_mhz;    /* unit=tick100 */
	int64_t counter_mhz; /* unit=counter */
	/* where known, in place of counter_mhz; times then are those of the host's monotonic clock */
	struct mp_rate counter;
	struct mp_rate host; /* unit=host; without it the host's times are ns already */
};

/* ns = (count - origin_count) * num / den + origin_ns */
struct mp_scale {
	uint64_t num;
	uint64_t den;          /* 0: the frequency is not known */
	uint64_t origin_count; /* of times */
	int64_t origin_ns;
};

struct mp_scale mp_clock_scale(const struct mp_clock *clock, enum mp_unit unit);

/* Rounded half to even; INT64_MAX and false where the result does not fit. scale.den != 0. */
bool mp_scale_ns(struct mp_scale scale, uint64_t count, int64_t *ns);

/* The same for a moment: counted from the origin of the scale. */
bool mp_scale_time(struct mp_scale scale, uint64_t count, int64_t *ns);

#endif

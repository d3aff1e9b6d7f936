/*
 * clock.h: converts the counts of a device to nanoseconds, exactly. Plain values: no allocation, no state, no errors;
 * any thread.
 */
#ifndef MP_RAW_CLOCK_H
#define MP_RAW_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "raw/layout.h"

/* A counter and its value at one known moment. */
struct mp_rate {
	int64_t hz; /* 0: unknown */
	uint64_t count;
	int64_t ns;
};

/* The frequencies of one device; 0 when unknown. */
struct mp_clock {
	int64_t core_mhz;    /* unit=tick100 */
	int64_t counter_mhz; /* unit=counter */
	/* when known, replaces counter_mhz; times then are the host's monotonic clock */
	struct mp_rate counter;
	struct mp_rate host; /* unit=host; when unknown, times of the host are ns already */
	bool cut;            /* moments of both are cut to whole ns, not rounded */
};

/* ns = (count - origin_count) * num / den + origin_ns */
struct mp_scale {
	uint64_t num;
	uint64_t den;          /* 0: the frequency is unknown */
	uint64_t origin_count; /* of moments; durations have no origin */
	int64_t origin_ns;
	bool cut; /* of moments */
};

/* The scale of a unit by the frequencies of a clock. */
struct mp_scale mp_clock_scale(const struct mp_clock *clock, enum mp_unit unit);

/* num / den in lowest terms, without an origin; den 0 stays unknown. */
struct mp_scale mp_scale_of(uint64_t num, uint64_t den);

/* Scale a duration, rounded half to even. Returns false and INT64_MAX when the result does not fit. scale.den != 0. */
bool mp_scale_ns(struct mp_scale scale, uint64_t count, int64_t *ns);

/* Scale a moment: like mp_scale_ns, counted from the origin of the scale. With `cut` it is the whole ns before it. */
bool mp_scale_time(struct mp_scale scale, uint64_t count, int64_t *ns);

/*
 * What a rest of a division by den adds to a span of whole ns that is cut, before the origin (`before`) or after it.
 * The span is rounded to ps first. den: at most that of a frequency.
 */
static inline uint64_t mp_scale_cut(const struct mp_scale *scale, uint64_t rest, bool before)
{
	return before ? rest * 2000 > scale->den : rest * 2000 >= scale->den * 1999;
}

#endif

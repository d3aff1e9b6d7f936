/* clock.c: exact scaling of counts. No floating point, no file. */
#include "raw/clock.h"

struct mp_scale mp_clock_scale(const struct mp_clock *clock, enum mp_unit unit)
{
	switch (unit) {
	case MP_UNIT_NS:
		return (struct mp_scale){1, 1};
	case MP_UNIT_US:
		return (struct mp_scale){1000, 1};
	case MP_UNIT_TICK100:
		return (struct mp_scale){100 * 1000, (uint64_t)clock->core_mhz};
	default:
		return (struct mp_scale){1000, (uint64_t)clock->counter_mhz};
	}
}

bool mp_scale_ns(struct mp_scale scale, uint64_t count, int64_t *ns)
{
	unsigned __int128 scaled = (unsigned __int128)count * scale.num;
	unsigned __int128 quotient;
	uint64_t rest;

	if (scale.den == 1) {
		quotient = scaled;
		rest = 0;
	} else if (scaled <= UINT64_MAX) {
		quotient = (uint64_t)scaled / scale.den;
		rest = (uint64_t)scaled % scale.den;
	} else {
		quotient = scaled / scale.den;
		rest = (uint64_t)(scaled % scale.den);
	}
	/* rest < den, so comparing with what is left of den cannot overflow */
	if (rest > scale.den - rest || (rest == scale.den - rest && (quotient & 1)))
		quotient++;
	if (quotient > (uint64_t)INT64_MAX) {
		*ns = INT64_MAX;
		return false;
	}
	*ns = (int64_t)quotient;
	return true;
}

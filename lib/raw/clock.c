/* clock.c: exact scaling of counts. No floating point, no file. */
#include "raw/clock.h"

#include "base/wide.h"

struct mp_scale mp_scale_of(uint64_t num, uint64_t den)
{
	uint64_t a = num, b = den;

	while (b) { /* the common divisor is in a */
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return (struct mp_scale){.num = num / a, .den = den / a};
}

static struct mp_scale rate_scale(struct mp_rate rate, bool cut)
{
	struct mp_scale scale = mp_scale_of(1000000000, (uint64_t)rate.hz);

	scale.origin_count = rate.count;
	scale.origin_ns = rate.ns;
	scale.cut = cut;
	return scale;
}

struct mp_scale mp_clock_scale(const struct mp_clock *clock, enum mp_unit unit)
{
	switch (unit) {
	case MP_UNIT_NS:
		return mp_scale_of(1, 1);
	case MP_UNIT_US:
		return mp_scale_of(1000, 1);
	case MP_UNIT_TICK100:
		return mp_scale_of(100 * 1000, (uint64_t)clock->core_mhz);
	case MP_UNIT_HOST:
		return clock->host.hz ? rate_scale(clock->host, clock->cut) : mp_scale_of(1, 1);
	default: /* MP_UNIT_COUNTER */
		return clock->counter.hz ? rate_scale(clock->counter, clock->cut)
					 : mp_scale_of(1000, (uint64_t)clock->counter_mhz);
	}
}

bool mp_scale_ns(struct mp_scale scale, uint64_t count, int64_t *ns)
{
	uint64_t quotient;

	if (!mp_wide_round(mp_wide_product(count, scale.num), mp_wide_of(0, scale.den), &quotient)) {
		*ns = INT64_MAX;
		return false;
	}
	*ns = (int64_t)quotient;
	return true;
}

static bool cut_ns(struct mp_scale scale, uint64_t span, bool before, int64_t *ns)
{
	mp_wide rest, whole = mp_wide_divide(mp_wide_product(span, scale.num), mp_wide_of(0, scale.den), &rest);

	if (mp_wide_high(whole) || mp_wide_low(whole) >= INT64_MAX) {
		*ns = INT64_MAX;
		return false;
	}
	*ns = (int64_t)(mp_wide_low(whole) + mp_scale_cut(&scale, mp_wide_low(rest), before));
	return true;
}

bool mp_scale_time(struct mp_scale scale, uint64_t count, int64_t *ns)
{
	bool before = count < scale.origin_count;
	uint64_t span = before ? scale.origin_count - count : count - scale.origin_count;
	bool fits = scale.cut ? cut_ns(scale, span, before, ns) : mp_scale_ns(scale, span, ns);

	if (before ? __builtin_sub_overflow(scale.origin_ns, *ns, ns)
		   : __builtin_add_overflow(scale.origin_ns, *ns, ns)) {
		*ns = INT64_MAX;
		return false;
	}
	return fits;
}

/* rounding.h: the roundings of reports, each as its reference does it. No allocation, no state; any thread. */
#ifndef MP_BASE_ROUNDING_H
#define MP_BASE_ROUNDING_H

#include <stdbool.h>

#include "base/value.h"

enum { MP_PLACES_MAX = 6 };

/*
 * num/den, rounded half to even to `places` decimals (0 to 6), computed exactly. A whole result is an integer.
 * Otherwise the result is the double nearest to the decimal, so that its shortest text is the decimal. NULL when den is
 * 0 or `places` is out of range.
 */
struct mp_value mp_round_quotient(int64_t num, int64_t den, int places);

/*
 * num/den times `power`, rounded half to even. Returns false where 64 bits do not suffice, or den is not above 0.
 * Inlined, so that the compiler may know the power.
 */
static inline bool mp_round_scaled(int64_t num, int64_t den, int64_t power, int64_t *scaled)
{
	int64_t product, quotient, rest;

	if (den <= 0 || __builtin_mul_overflow(num, power, &product))
		return false;
	if (((uint64_t)product | (uint64_t)den) >> 32 == 0) { /* mostly; divisions of 32 bits are faster */
		quotient = (uint32_t)product / (uint32_t)den;
		rest = (uint32_t)product % (uint32_t)den;
	} else {
		quotient = product / den;
		rest = product % den;
	}
	if (rest < 0) {
		rest += den;
		quotient--;
	}
	/* up for a rest above half, or exactly half with an odd quotient */
	*scaled = quotient + (rest > den - rest || (rest == den - rest && quotient & 1));
	return true;
}

/* What a double may lack of a half, as a share of it, as in the reference's round(). */
#define MP_ROUND_SLACK 3e-16

/* x rounded half up to `places` decimals (0 to 6). */
double mp_round_half_up(double x, int places);

/* mp_round_half_up to 3 places, as thousandths. Returns false when the thousandths are not within 0 to 2^32 - 1. */
static inline bool mp_round_thousandths(double x, uint32_t *thousandths)
{
	if (x == 0) { /* frequent: counters of idle units */
		*thousandths = 0;
		return true;
	}
	if (!(x > 0 && x < 4294967.0))
		return false;
	x *= 1000;
	*thousandths = (uint32_t)x;
	*thousandths += x - *thousandths >= 0.5 - x * MP_ROUND_SLACK;
	return true;
}

/* mp_round_half_up to 3 places; a whole result is an integer. */
struct mp_value mp_round_trimmed(double x);

#endif

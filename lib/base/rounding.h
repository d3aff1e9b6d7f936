/*
 * rounding.h: the roundings that reports are made of, each as its reference does it.
 * No allocation, no state.
 */
#ifndef MP_BASE_ROUNDING_H
#define MP_BASE_ROUNDING_H

#include <stdbool.h>

#include "base/value.h"

enum { MP_PLACES_MAX = 6 };

/*
 * num/den, exact, rounded half to even to 0 to 6 places: an integer where it is whole, else the double nearest to
 * the decimal, whose shortest text is the decimal. NULL when den is 0 or there are no such places.
 */
struct mp_value mp_round_quotient(int64_t num, int64_t den, int places);

/* x rounded half up to 0 to 6 places from its text with six decimals. */
double mp_round_half_up(double x, int places);

/* Less than 1e15 millionths as a whole number, a half away from 0. */
static inline int64_t mp_round_millionths(double millionths)
{
	int64_t whole = (int64_t)millionths;
	double rest = millionths - (double)whole;

	return whole + (rest >= 0.5) - (rest <= -0.5);
}

/* mp_round_half_up to 3 places, in thousandths, where they are from 0 to 2^32 - 1. */
static inline bool mp_round_thousandths(double x, uint32_t *thousandths)
{
	if (x == 0) { /* counters of idle units */
		*thousandths = 0;
		return true;
	}
	if (!(x > 0 && x < 4294967.0))
		return false;
	*thousandths = (uint32_t)((uint64_t)(mp_round_millionths(x * 1e6) + 500) / 1000);
	return true;
}

/* The same to 3 places: an integer where it is whole. */
struct mp_value mp_round_trimmed(double x);

#endif

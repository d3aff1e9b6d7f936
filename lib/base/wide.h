/*
 * wide.h: exact products and quotients, as whole numbers of 128 bits without a sign; and the roundings of reports.
 *
 * Compilers for processors of 32 bits have no such type: there a number is two halves, divided bit by bit. Sums and
 * products wrap. No allocation, no state; any thread.
 */
#ifndef MP_BASE_WIDE_H
#define MP_BASE_WIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/value.h"

#ifndef MP_WIDE_HALVES /* a test compares both ways */
#ifndef __SIZEOF_INT128__
#define MP_WIDE_HALVES 1
#else
#define MP_WIDE_HALVES 0
#endif
#endif

#if !MP_WIDE_HALVES

typedef unsigned __int128 mp_wide;

static inline mp_wide mp_wide_of(uint64_t high, uint64_t low)
{
	return (mp_wide)high << 64 | low;
}

static inline uint64_t mp_wide_high(mp_wide w)
{
	return (uint64_t)(w >> 64);
}

static inline uint64_t mp_wide_low(mp_wide w)
{
	return (uint64_t)w;
}

static inline mp_wide mp_wide_product(uint64_t a, uint64_t b)
{
	return (mp_wide)a * b;
}

static inline mp_wide mp_wide_add(mp_wide a, mp_wide b)
{
	return a + b;
}

static inline mp_wide mp_wide_subtract(mp_wide a, mp_wide b)
{
	return a - b;
}

/* by: 0 to 127 */
static inline mp_wide mp_wide_shift_left(mp_wide w, unsigned by)
{
	return w << by;
}

static inline mp_wide mp_wide_shift_right(mp_wide w, unsigned by)
{
	return w >> by;
}

/* den is not 0. */
static inline mp_wide mp_wide_divide(mp_wide num, mp_wide den, mp_wide *rest)
{
	if ((num | den) <= UINT64_MAX) { /* several times faster */
		*rest = (uint64_t)num % (uint64_t)den;
		return (uint64_t)num / (uint64_t)den;
	}
	*rest = num % den;
	return num / den;
}

#else

typedef struct mp_wide {
	uint64_t high, low;
} mp_wide;

static inline mp_wide mp_wide_of(uint64_t high, uint64_t low)
{
	return (mp_wide){high, low};
}

static inline uint64_t mp_wide_high(mp_wide w)
{
	return w.high;
}

static inline uint64_t mp_wide_low(mp_wide w)
{
	return w.low;
}

/* As on paper, with digits of 32 bits. */
static inline mp_wide mp_wide_product(uint64_t a, uint64_t b)
{
	uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
	uint64_t low = a_low * b_low, middle = a_high * b_low + (low >> 32), other = a_low * b_high + (uint32_t)middle;

	return (mp_wide){a_high * b_high + (middle >> 32) + (other >> 32), other << 32 | (uint32_t)low};
}

static inline mp_wide mp_wide_add(mp_wide a, mp_wide b)
{
	uint64_t low = a.low + b.low;

	return (mp_wide){a.high + b.high + (low < a.low), low};
}

static inline mp_wide mp_wide_subtract(mp_wide a, mp_wide b)
{
	return (mp_wide){a.high - b.high - (a.low < b.low), a.low - b.low};
}

/* by: 0 to 127 */
static inline mp_wide mp_wide_shift_left(mp_wide w, unsigned by)
{
	if (by == 0)
		return w;
	if (by >= 64)
		return (mp_wide){w.low << (by - 64), 0};
	return (mp_wide){w.high << by | w.low >> (64 - by), w.low << by};
}

static inline mp_wide mp_wide_shift_right(mp_wide w, unsigned by)
{
	if (by == 0)
		return w;
	if (by >= 64)
		return (mp_wide){0, w.high >> (by - 64)};
	return (mp_wide){w.high >> by, w.low >> by | w.high << (64 - by)};
}

#endif

/* -1, 0 or 1: how a compares with b */
static inline int mp_wide_compare(mp_wide a, mp_wide b)
{
	uint64_t x = mp_wide_high(a), y = mp_wide_high(b);

	if (x == y) {
		x = mp_wide_low(a);
		y = mp_wide_low(b);
	}
	return (x > y) - (x < y);
}

#if MP_WIDE_HALVES

/* The number of zeros before the first bit of a number that is not 0. */
static inline unsigned mp_wide_leading_zeros(mp_wide w)
{
	return (unsigned)(w.high ? __builtin_clzll(w.high) : 64 + __builtin_clzll(w.low));
}

/* den is not 0. */
static inline mp_wide mp_wide_divide(mp_wide num, mp_wide den, mp_wide *rest)
{
	mp_wide quotient = {0, 0};

	if (!num.high && !den.high) {
		*rest = (mp_wide){0, num.low % den.low};
		return (mp_wide){0, num.low / den.low};
	}
	if (mp_wide_compare(num, den) >= 0) {
		unsigned by = mp_wide_leading_zeros(den) - mp_wide_leading_zeros(num);

		den = mp_wide_shift_left(den, by);
		for (unsigned i = 0; i <= by; i++) { /* a bit each */
			quotient = mp_wide_shift_left(quotient, 1);
			if (mp_wide_compare(num, den) >= 0) {
				num = mp_wide_subtract(num, den);
				quotient.low |= 1;
			}
			den = mp_wide_shift_right(den, 1);
		}
	}
	*rest = num;
	return quotient;
}

#endif

static inline bool mp_wide_is_zero(mp_wide w)
{
	return !(mp_wide_high(w) | mp_wide_low(w));
}

/* num / den, rounded half to even. Returns false when the quotient has more than 63 bits. */
static inline bool mp_wide_round(mp_wide num, mp_wide den, uint64_t *quotient)
{
	mp_wide rest, floor = mp_wide_divide(num, den, &rest);
	int half = mp_wide_compare(rest, mp_wide_subtract(den, rest)); /* rest < den, so nothing overflows */

	if (half > 0 || (half == 0 && mp_wide_low(floor) & 1))
		floor = mp_wide_add(floor, mp_wide_of(0, 1));
	*quotient = mp_wide_low(floor);
	return mp_wide_high(floor) == 0 && *quotient <= (uint64_t)INT64_MAX;
}

/* ---- the roundings of reports, each as its reference does it ---- */

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

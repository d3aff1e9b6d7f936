/*
 * wide.h: whole numbers of 128 bits without a sign, for exact products and quotients.
 *
 * Compilers for processors of 32 bits have no such type: there a number is two halves, and wide.c divides. Sums and
 * products wrap. Any thread.
 */
#ifndef MP_BASE_WIDE_H
#define MP_BASE_WIDE_H

#include <stdbool.h>
#include <stdint.h>

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

mp_wide mp_wide_product(uint64_t a, uint64_t b);

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

/* den is not 0. */
mp_wide mp_wide_divide(mp_wide num, mp_wide den, mp_wide *rest);

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

#endif

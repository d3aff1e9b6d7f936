/* wide.c: products and quotients of 128 bits by halves, where the compiler has none. */
#include "base/wide.h"

#if MP_WIDE_HALVES

/* As on paper, with digits of 32 bits. */
mp_wide mp_wide_product(uint64_t a, uint64_t b)
{
	uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
	uint64_t low = a_low * b_low, middle = a_high * b_low + (low >> 32), other = a_low * b_high + (uint32_t)middle;

	return (mp_wide){a_high * b_high + (middle >> 32) + (other >> 32), other << 32 | (uint32_t)low};
}

/* The number of zeros before the first bit of a number that is not 0. */
static unsigned leading_zeros(mp_wide w)
{
	return (unsigned)(w.high ? __builtin_clzll(w.high) : 64 + __builtin_clzll(w.low));
}

mp_wide mp_wide_divide(mp_wide num, mp_wide den, mp_wide *rest)
{
	mp_wide quotient = {0, 0};

	if (!num.high && !den.high) {
		*rest = (mp_wide){0, num.low % den.low};
		return (mp_wide){0, num.low / den.low};
	}
	if (mp_wide_compare(num, den) >= 0) {
		unsigned by = leading_zeros(den) - leading_zeros(num);

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

#else

typedef int mp_wide_is_the_compilers; /* a file holds something */

#endif

/* scale_support.h: products and quotients of 128 bits without the code of the library. */
#ifndef MP_TESTS_SCALE_SUPPORT_H
#define MP_TESTS_SCALE_SUPPORT_H

#include "support.h"

/* count * num / den, rounded half to even, by long division, bit by bit. The result must fit; den is below 2^63. */
static inline int64_t divide_slowly(uint64_t count, uint64_t num, uint64_t den)
{
	uint64_t parts[4] = {0}, rest = 0, quotient = 0;
	uint64_t a[2] = {count & UINT32_MAX, count >> 32}, b[2] = {num & UINT32_MAX, num >> 32};

	for (int i = 0; i < 2; i++)
		for (int k = 0; k < 2; k++) {
			uint64_t product = a[i] * b[k];

			parts[i + k] += product & UINT32_MAX;
			parts[i + k + 1] += product >> 32;
		}
	for (int i = 0; i < 3; i++) {
		parts[i + 1] += parts[i] >> 32;
		parts[i] &= UINT32_MAX;
	}
	for (int i = 3; i >= 0; i--)
		for (int bit = 31; bit >= 0; bit--) {
			rest = rest << 1 | (parts[i] >> bit & 1);
			quotient = quotient << 1 | (rest >= den);
			rest -= rest >= den ? den : 0;
		}
	return (int64_t)(quotient + (2 * rest > den || (2 * rest == den && (quotient & 1))));
}

#endif

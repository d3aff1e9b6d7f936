/*
 * digits.h: decimal digits, eight at a time in a register: no table, no loop, no branch on the digits themselves.
 *
 * Words of digits hold the first one in their lowest byte. What is put takes up to MP_DIGITS_ROOM bytes of its place,
 * whatever its length.
 */
#ifndef MP_BASE_DIGITS_H
#define MP_BASE_DIGITS_H

#include <stdint.h>
#include <string.h>

enum { MP_DIGITS_ROOM = 32 };

#define MP_DIGITS_ASCII UINT64_C(0x3030303030303030)

/* The eight digits of v < 10^8, each 0 to 9: pairs of four, of two, of one, all at the same time. */
static inline uint64_t mp_digits_eight(uint32_t v)
{
	uint64_t w = v / 10000 | (uint64_t)(v % 10000) << 32, high;

	high = (w * 10486 >> 20) & UINT64_C(0x0000007f0000007f); /* / 100, exact below 10^4 */
	w = high | (w - 100 * high) << 16;
	high = (w * 103 >> 10) & UINT64_C(0x000f000f000f000f); /* / 10, exact below 100 */
	return high | (w - 10 * high) << 8;
}

/* Store the characters of a word, first one first. */
static inline void mp_digits_store(char *at, uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	memcpy(at, &word, sizeof(word));
}

/* The first `count` of eight digits, without leading zeros; returns the end. */
static inline char *mp_digits_put_lead(char *at, uint64_t digits, unsigned count)
{
	unsigned zeros = (unsigned)__builtin_ctzll(digits | UINT64_C(1) << (8 * count - 8)) / 8; /* of a 0 one stays */

	mp_digits_store(at, (digits | MP_DIGITS_ASCII) >> 8 * zeros);
	return at + count - zeros;
}

/* v < 10^8 */
static inline char *mp_digits_put_few(char *at, uint32_t v)
{
	return mp_digits_put_lead(at, mp_digits_eight(v), 8);
}

/* All eight digits of v < 10^8. */
static inline char *mp_digits_put_eight(char *at, uint32_t v)
{
	mp_digits_store(at, mp_digits_eight(v) | MP_DIGITS_ASCII);
	return at + 8;
}

/* v >= 10^8 */
char *mp_digits_put_many(char *at, uint64_t v);

static inline char *mp_digits_put(char *at, uint64_t v)
{
	if (v < 10) {
		*at = (char)('0' + v);
		return at + 1;
	}
	return v < 100000000 ? mp_digits_put_few(at, (uint32_t)v) : mp_digits_put_many(at, v);
}

static inline uint64_t mp_magnitude(int64_t v)
{
	return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

static inline char *mp_digits_put_int(char *at, int64_t v)
{
	*at = '-';
	return mp_digits_put(at + (v < 0), mp_magnitude(v));
}

#endif

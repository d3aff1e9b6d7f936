/*
 * number.h: writes numbers as text, and reads one of the environment.
 *
 * No locale, allocation or state; any thread. The functions mp_number_* need MP_NUMBER_SIZE bytes at their destination,
 * and may overwrite the bytes behind the text. Those that return size_t add a NUL and return the length without the
 * NUL.
 */
#ifndef MP_BASE_NUMBER_H
#define MP_BASE_NUMBER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/value.h"

enum { MP_NUMBER_SIZE = 40 }; /* enough for every text below with its NUL */

/* Write the shortest text that reads back as v, in Python's notation: "0.1", "50.0", "1e+16", "nan", "inf". */
size_t mp_number_real(char *dst, double v);

/* Write the text of a MP_REAL value like mp_number_real, but without a NUL. Returns the end of the text. */
char *mp_number_put_real(char *at, const struct mp_value *v);

/* Write the decimal digits of v. */
size_t mp_number_int(char *dst, int64_t v);

/* Write the decimal digits of v. */
size_t mp_number_unsigned(char *dst, uint64_t v);

/* Write nanoseconds as microseconds with three decimals, exactly: 1234567 becomes "1234.567". */
size_t mp_number_us(char *dst, int64_t ns);

/*
 * Read a whole number of a variable of the environment, from `least` to `most`; `otherwise` without one. Must not run
 * beside setenv() of another thread. Returns 0, or -1 with err.
 */
int mp_number_setting(const char *variable, const char *unit, int least, int most, int64_t otherwise, int64_t *number,
    struct mp_error *err);

/*
 * ---- decimal digits of integers, eight at a time in a register ----
 *
 * The functions use no table, no loop, and no branch on the digits. A word of digits holds the first digit in its
 * lowest byte. Each put function may write up to MP_DIGITS_ROOM bytes at `at`, whatever the length of the number, and
 * returns the end of the text, without a NUL.
 */

enum { MP_DIGITS_ROOM = 32 };

#define MP_DIGITS_ASCII UINT64_C(0x3030303030303030)

/*
 * Returns the eight digits of v < 10^8, each 0 to 9. All pairs of four digits are divided at once, then of two, then of
 * one.
 */
static inline uint64_t mp_digits_eight(uint32_t v)
{
	uint64_t w = v / 10000 | (uint64_t)(v % 10000) << 32, high;

	high = (w * 10486 >> 20) & UINT64_C(0x0000007f0000007f); /* / 100, exact below 10^4 */
	w = high | (w - 100 * high) << 16;
	high = (w * 103 >> 10) & UINT64_C(0x000f000f000f000f); /* / 10, exact below 100 */
	return high | (w - 10 * high) << 8;
}

/* Store the eight bytes of a word, the lowest byte first. */
static inline void mp_digits_store(char *at, uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	memcpy(at, &word, sizeof(word));
}

/* Put the first `count` of eight digits without leading zeros. */
static inline char *mp_digits_put_lead(char *at, uint64_t digits, unsigned count)
{
	unsigned zeros =
	    (unsigned)__builtin_ctzll(digits | UINT64_C(1) << (8 * count - 8)) / 8; /* a zero keeps one digit */

	mp_digits_store(at, (digits | MP_DIGITS_ASCII) >> 8 * zeros);
	return at + count - zeros;
}

/* Put v < 10^8. */
static inline char *mp_digits_put_few(char *at, uint32_t v)
{
	return mp_digits_put_lead(at, mp_digits_eight(v), 8);
}

/* Put v < 10^8 as exactly eight digits. */
static inline char *mp_digits_put_eight(char *at, uint32_t v)
{
	mp_digits_store(at, mp_digits_eight(v) | MP_DIGITS_ASCII);
	return at + 8;
}

/* Put v >= 10^8. */
char *mp_digits_put_many(char *at, uint64_t v);

/* Put any v. */
static inline char *mp_digits_put(char *at, uint64_t v)
{
	if (v < 10) {
		*at = (char)('0' + v);
		return at + 1;
	}
	return v < 100000000 ? mp_digits_put_few(at, (uint32_t)v) : mp_digits_put_many(at, v);
}

/* The absolute value, exact for INT64_MIN as well. */
static inline uint64_t mp_magnitude(int64_t v)
{
	return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

/* Put any v, with '-' before a negative number. */
static inline char *mp_digits_put_int(char *at, int64_t v)
{
	*at = '-';
	return mp_digits_put(at + (v < 0), mp_magnitude(v));
}

#endif

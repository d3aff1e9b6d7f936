/* proof_exact.c: compares a number as it is written with an exact quotient, under each rule of rounding. */
#include "learn/proof_internal.h"

#include <math.h>
#include <string.h>

enum { HALF_EVEN, HALF_UP, CUT, AS_DOUBLE };

static const int64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000,
    100000000000, 1000000000000, 10000000000000, 100000000000000, 1000000000000000, 10000000000000000,
    100000000000000000, 1000000000000000000};

__int128 mp_proof_power(int decimals)
{
	return powers[decimals < 0 ? 0 : decimals > 18 ? 18 : decimals];
}

/* Returns whether a tie goes up when the quotient is a double first: the double lies above or below the tie. */
static bool double_goes_up(__int128 num, __int128 den, bool odd)
{
	double n = (double)num, d = (double)den, rest = fma(n / d, d, -n);

	return rest > 0 || (rest == 0 && odd);
}

static __int128 rounded(__int128 num, __int128 den, __int128 power, int rounding)
{
	bool negative = num < 0;
	__int128 size = (negative ? -num : num), floor = size * power / den, rest = size * power % den;
	bool odd = floor & 1, up = rest > den - rest;

	if (rest == den - rest)
		up = rounding == HALF_UP || (rounding == HALF_EVEN && odd) ||
		     (rounding == AS_DOUBLE && double_goes_up(size, den, odd));
	floor += up && rounding != CUT;
	return negative ? -floor : floor;
}

__int128 mp_proof_round(__int128 num, __int128 den, int rounding)
{
	return rounded(num, den, 1, rounding);
}

static bool fits(__int128 num, __int128 power)
{
	__int128 product;

	return num > -((__int128)1 << 120) && !__builtin_mul_overflow(num < 0 ? -num : num, power, &product);
}

bool mp_proof_is_long(const struct mp_cell *cell)
{
	const char *whole = cell->text + (*cell->text == '-'), *point = strchr(whole, '.');
	size_t decimals, digits;

	if (!point)
		return false;
	whole += strspn(whole, "0");
	decimals = strspn(point + 1, "0123456789");
	digits = decimals + (point > whole ? (size_t)(point - whole) : 0);
	return decimals > 9 || (digits >= 17 && decimals > 3) || point[1 + decimals] == 'e' ||
	       point[1 + decimals] == 'E';
}

/* Digits of a number with its decimals and exponent: value / 10^decimals. */
static bool read_digits(const char *s, __int128 *value, int *decimals)
{
	bool negative = *s == '-', behind = false;
	int exponent = 0, sign = 1;

	*value = 0;
	*decimals = 0;
	s += negative;
	for (; (*s >= '0' && *s <= '9') || (*s == '.' && !behind); s++) {
		if (*s == '.') {
			behind = true;
		} else if (*value < powers[18]) {
			*value = *value * 10 + (*s - '0');
			*decimals += behind;
		} else if (!behind) {
			return false;
		}
	}
	if (*s == 'e' || *s == 'E') {
		s++;
		sign = *s == '-' ? -1 : 1;
		s += *s == '-' || *s == '+';
		for (; *s >= '0' && *s <= '9' && exponent < 1000; s++)
			exponent = exponent * 10 + (*s - '0');
	}
	*decimals -= sign * exponent;
	*value = negative ? -*value : *value;
	return *s == '\0' && *decimals >= 0;
}

/* A quotient with all digits of a double: 15 digits are compared, the last of them loosely. */
static unsigned same_long(const char *text, const struct mp_amount *amount)
{
	__int128 value, low, high;
	int decimals, keep = 15;

	if (!read_digits(text, &value, &decimals))
		return 0;
	for (__int128 whole = (value < 0 ? -value : value) / mp_proof_power(decimals); whole && keep; whole /= 10)
		keep--;
	keep = keep > 14 ? 14 : keep;
	for (; decimals > keep; decimals--)
		value /= 10;
	value *= powers[keep - decimals];
	if (!fits(amount->low, powers[keep]) || !fits(amount->high, powers[keep]))
		return 0;
	low = rounded(amount->low, amount->den, powers[keep], HALF_EVEN);
	high = rounded(amount->high, amount->den, powers[keep], HALF_EVEN);
	return value >= low - 2 && value <= high + 2 ? (1U << MP_ROUNDINGS) - 1 : 0;
}

bool mp_proof_value(const struct mp_cell *cell, int decimals, __int128 *value)
{
	__int128 digits, step, rest;
	int places;

	if (!mp_proof_is_long(cell)) {
		/* what a number has more are zeros, or it has no such value */
		__int128 more = mp_proof_power(cell->decimals - decimals);

		*value = cell->value * mp_proof_power(decimals - cell->decimals) / more;
		return cell->is_number && cell->value % more == 0;
	}
	if (!read_digits(cell->text, &digits, &places) || places <= decimals)
		return false;
	step = mp_proof_power(places - decimals);
	*value = rounded(digits, step, 1, HALF_UP);
	rest = digits - *value * step;
	return (rest < 0 ? -rest : rest) <= (digits < 0 ? -digits : digits) / powers[14] + 1;
}

unsigned mp_proof_same_amount(const struct mp_cell *cell, struct mp_written written, const struct mp_amount *amount)
{
	__int128 power = mp_proof_power(written.decimals), value;
	unsigned rules = 0;

	if (amount->den <= 0)
		return 0;
	if (written.is_long)
		return same_long(cell->text, amount);
	if (!mp_proof_value(cell, written.decimals, &value) || !fits(amount->low, power) || !fits(amount->high, power))
		return 0;
	for (int r = 0; r < MP_ROUNDINGS; r++) {
		__int128 low = rounded(amount->low, amount->den, power, r);
		__int128 high = amount->high == amount->low ? low : rounded(amount->high, amount->den, power, r);

		if (low <= value && value <= high)
			rules |= 1U << r;
	}
	return rules;
}

void mp_proof_amount_text(const struct mp_amount *amount, int decimals, int rounding, char *text, size_t size)
{
	__int128 power = mp_proof_power(decimals), value, part;
	char digits[64];
	size_t at = sizeof(digits);
	bool negative;

	if (size < sizeof(digits))
		return;
	text[0] = '\0';
	if (amount->den <= 0 || !fits(amount->low, power))
		return;
	value = rounded(amount->low, amount->den, power, rounding);
	negative = value < 0;
	value = negative ? -value : value;
	digits[--at] = '\0';
	part = value % power;
	for (int i = 0; i < decimals; i++, part /= 10)
		digits[--at] = (char)('0' + (int)(part % 10));
	if (decimals)
		digits[--at] = '.';
	part = value / power;
	do {
		digits[--at] = (char)('0' + (int)(part % 10));
		part /= 10;
	} while (part && at > 1);
	if (negative)
		digits[--at] = '-';
	memcpy(text, digits + at, sizeof(digits) - at);
}

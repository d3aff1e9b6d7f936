/* decimal.c: reads decimal numbers, and compares them with exact quotients. */
#include "learn/reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Read "e-05" behind a number, or nothing. Returns false for another text, or an exponent that is too large. */
static bool read_exponent(const char *at, int *exponent)
{
	char *end = (char *)at;
	long number = 0;

	if ((*at == 'e' || *at == 'E') && (at[1] == '-' || at[1] == '+' || (at[1] >= '0' && at[1] <= '9')))
		number = strtol(at + 1, &end, 10);
	*exponent = (int)number;
	return number >= -MP_DECIMALS_MAX && number <= 18 && !end[strspn(end, " \t\r\n")];
}

bool mp_decimal_read(const char *text, int64_t *value, int *decimals)
{
	const char *at = text + strspn(text, " \t");
	bool negative = *at == '-', behind = false;
	int places = 0, exponent;
	int64_t v = 0;

	for (at += negative; (*at >= '0' && *at <= '9') || (*at == '.' && !behind); at++) {
		if (*at == '.')
			behind = true;
		else if (behind && places == MP_DECIMALS_MAX && *at == '0' && !at[strspn(at, "0")])
			at += strlen(at) - 1; /* zeros at the end */
		else if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, *at - '0', &v))
			return false;
		else
			places += behind;
	}
	if (at == text || at[-1] < '0' || !read_exponent(at, &exponent))
		return false;
	for (places -= exponent; places > 0 && v % 10 == 0; places--)
		v /= 10;
	for (; places < 0; places++)
		if (__builtin_mul_overflow(v, 10, &v))
			return false;
	*value = negative ? -v : v;
	*decimals = places;
	return places <= MP_DECIMALS_MAX;
}

__int128 mp_power_of_10(int exponent)
{
	__int128 power = 1;

	for (; exponent > 0; exponent--)
		power *= 10;
	return power;
}

bool mp_is_sum_of_cells(const struct mp_table *t, enum mp_meaning m)
{
	int64_t cell, total, sum = 0;

	if ((m != MP_MEANS_TIME && (m < MP_MEANS_DDR_READ || m > MP_MEANS_DDR_TOTAL)) ||
	    !mp_table_number(t, t->total, m, &total))
		return false;
	for (int64_t row = 0; row < t->row_count; row++)
		if (row != t->total && (!mp_table_number(t, row, m, &cell) || __builtin_add_overflow(sum, cell, &sum)))
			return false;
	return sum == total;
}

unsigned mp_exact_rules(struct mp_exact exact, int64_t value, int decimals)
{
	__int128 off = exact.num * mp_power_of_10(decimals) - value * exact.den;

	if (exact.den <= 0)
		return 0;
	return ((off < 0 ? -off : off) * 2 <= exact.den ? MP_RULE_ROUNDED : 0) |
	       (off >= 0 && off <= exact.den ? MP_RULE_CUT : 0);
}

void mp_exact_text(struct mp_exact exact, int decimals, char *text, size_t size)
{
	__int128 power = mp_power_of_10(decimals), value;

	if (exact.den <= 0) {
		snprintf(text, size, "N/A");
		return;
	}
	value = (exact.num * power * 2 + exact.den) / (2 * exact.den);
	if (decimals)
		snprintf(text, size, "%lld.%0*lld", (long long)(value / power), decimals, (long long)(value % power));
	else
		snprintf(text, size, "%lld", (long long)value);
}

/* number.c: digits of integers and reals. Exports owe their speed to the quick paths. */
#include "base/number.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *mp_digits_put_many(char *at, uint64_t v)
{
	uint64_t high = v / 100000000;

	if (high >= 100000000) {
		at = mp_digits_put_few(at, (uint32_t)(high / 100000000));
		at = mp_digits_put_eight(at, (uint32_t)(high % 100000000));
	} else {
		at = mp_digits_put_few(at, (uint32_t)high);
	}
	return mp_digits_put_eight(at, (uint32_t)(v % 100000000));
}

size_t mp_number_int(char *dst, int64_t v)
{
	char *end = mp_digits_put_int(dst, v);

	*end = '\0';
	return (size_t)(end - dst);
}

size_t mp_number_unsigned(char *dst, uint64_t v)
{
	char *end = mp_digits_put(dst, v);

	*end = '\0';
	return (size_t)(end - dst);
}

size_t mp_number_us(char *dst, int64_t ns)
{
	uint64_t m = mp_magnitude(ns), places = mp_digits_eight((uint32_t)(m % 1000)) | MP_DIGITS_ASCII;
	char *end;

	*dst = '-';
	end = mp_digits_put(dst + (ns < 0), m / 1000);
	mp_digits_store(end, (places >> 32 & ~UINT64_C(0xff)) | '.');
	end[4] = '\0';
	return (size_t)(end + 4 - dst);
}

/* Put ten thousandths as a decimal, without zeros at the end except the first decimal. */
static char *put_decimal(char *at, uint64_t m)
{
	uint64_t places;

	if (m < 100000000) { /* both sides of the point at once */
		places = mp_digits_eight((uint32_t)m);
		at = mp_digits_put_lead(at, places, 4);
	} else {
		places = mp_digits_eight((uint32_t)(m % 10000));
		at = mp_digits_put(at, m / 10000);
	}
	*at = '.';
	places >>= 32;
	mp_digits_store(at + 1, places | MP_DIGITS_ASCII);
	return at + 5 - (unsigned)__builtin_clzll(places << 32 | UINT64_C(1) << 32) / 8;
}

static char *put_zero(char *at)
{
	memcpy(at, "0.0", 3);
	return at + 3;
}

/*
 * Put v when v is a decimal of at most four places, like most reals of a report. Then dividing the scaled integer gives
 * v back, and the digits of the integer are the shortest text (fewer than 16 significant digits).
 */
static char *put_short_decimal(char *at, double v)
{
	double scaled = v * 10000.0;
	int64_t whole;

	if (v == 0 && !signbit(v))
		return put_zero(at);
	if (!(fabs(scaled) < 1e15))
		return NULL;
	whole = (int64_t)(scaled + (v < 0 ? -0.5 : 0.5));
	if ((double)whole / 10000.0 != v)
		return NULL;
	*at = '-';
	return put_decimal(at + (signbit(v) != 0), mp_magnitude(whole)); /* -0.0 is a number of its own */
}

char *mp_number_put_real(char *at, const struct mp_value *v)
{
	if (!(v->marks & MP_MARK_THOUSANDTHS))
		return at + mp_number_real(at, v->d);
	return v->len ? put_decimal(at, (uint64_t)v->len * 10) : put_zero(at);
}

/* Returns how many digits a number from 1e-4 to 1e16 has before the point; 0 and less: minus the zeros behind it. */
static int count_whole(double a)
{
	static const double limits[] = {
	    1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
	int i = 0;

	while (i < (int)(sizeof(limits) / sizeof(limits[0])) && a >= limits[i])
		i++;
	return i - 3;
}

/*
 * Put a number from 1e-4 on if it is a decimal of at most 15 digits. No two of those are the same double: so where the
 * scaled integer, divided, gives the number back, its digits without zeros at the end are the shortest text.
 */
static char *put_fifteen(char *at, double v, int whole)
{
	static const double powers[] = {
	    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};
	const double a = fabs(v);
	uint64_t digits, scale;
	char *point;

	if (whole >= DBL_DIG) /* a decimal is put, always */
		return NULL;
	digits = (uint64_t)(a * powers[DBL_DIG - whole] + 0.5);
	scale = (uint64_t)powers[DBL_DIG - whole];
	if ((double)digits / powers[DBL_DIG - whole] != a)
		return NULL;
	*at = '-';
	point = mp_digits_put(at + (v < 0), digits / scale);
	at = mp_digits_put(point, scale + digits % scale); /* a digit that becomes the point, and all decimals */
	*point = '.';
	while (at[-1] == '0' && at > point + 2)
		at--;
	return at;
}

/* Python writes 1e+16 and 1e-05 with an exponent, everything between without. */
static size_t put_positional(char *dst, double v)
{
	const int whole = count_whole(fabs(v));
	char *end = put_fifteen(dst, v, whole);

	if (end) {
		*end = '\0';
		return (size_t)(end - dst);
	}
	for (int digits = DBL_DIG + 1; digits <= 17; digits++) {
		snprintf(dst, MP_NUMBER_SIZE, "%.*f", digits - whole > 1 ? digits - whole : 1, v);
		if (strtod(dst, NULL) == v)
			break;
	}
	return strlen(dst);
}

/* If a decimal of up to 15 digits reads as v, v with 15 digits is that. Doubles below DBL_MIN hold fewer digits. */
static size_t put_exponent(char *dst, double v)
{
	int digits = fabs(v) < DBL_MIN ? 1 : DBL_DIG;

	for (; digits <= 17; digits++) {
		snprintf(dst, MP_NUMBER_SIZE, "%.*e", digits - 1, v);
		if (strtod(dst, NULL) == v)
			break;
	}
	if (digits == DBL_DIG) {
		for (const char *last = strchr(dst, 'e') - 1; *last == '0'; last--)
			digits--;
		snprintf(dst, MP_NUMBER_SIZE, "%.*e", digits - 1, v);
	}
	return strlen(dst);
}

size_t mp_number_real(char *dst, double v)
{
	char *end;

	if (isnan(v) || isinf(v)) {
		strcpy(dst, isnan(v) ? "nan" : v < 0 ? "-inf" : "inf");
		return strlen(dst);
	}
	end = put_short_decimal(dst, v);
	if (!end)
		return fabs(v) >= 1e16 || fabs(v) < 1e-4 ? put_exponent(dst, v) : put_positional(dst, v);
	*end = '\0';
	return (size_t)(end - dst);
}

int mp_number_setting(const char *variable, const char *unit, int least, int most, int64_t otherwise, int64_t *number,
    struct mp_error *err)
{
	const char *text = getenv(variable);
	char *end;

	*number = otherwise;
	if (!text || !*text)
		return 0;
	errno = 0;
	*number = strtoll(text, &end, 10);
	if (errno || *end || *number < least || *number > most)
		return mp_fail(
		    err, "%s: '%s' is not a whole number of %s from %d to %d", variable, text, unit, least, most);
	return 0;
}

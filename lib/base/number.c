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

/*
 * Returns how many digits v needs. If any decimal of up to 15 digits reads as v, v printed with 15 digits is that
 * decimal; zeros at its end are then not needed. Fewer digits are therefore not tried. Doubles below DBL_MIN hold fewer
 * digits than that.
 */
static int count_digits(double v)
{
	int precision = fabs(v) < DBL_MIN ? 1 : DBL_DIG;
	char text[MP_NUMBER_SIZE];

	for (; precision < 17; precision++) {
		snprintf(text, sizeof(text), "%.*e", precision - 1, v);
		if (strtod(text, NULL) == v)
			break;
	}
	if (precision == DBL_DIG)
		for (const char *last = strchr(text, 'e') - 1; *last == '0'; last--)
			precision--;
	return precision;
}

/* Python writes 1e+16 and 1e-05 with an exponent, everything between without. */
static size_t put_positional(char *dst, double v)
{
	int precision = count_digits(v), exponent, places;

	snprintf(dst, MP_NUMBER_SIZE, "%.*e", precision - 1, v);
	if (fabs(v) >= 1e16 || (v != 0 && fabs(v) < 1e-4)) {
		return strlen(dst);
	}
	exponent = (int)strtol(strchr(dst, 'e') + 1, NULL, 10);
	places = precision - 1 - exponent;
	snprintf(dst, MP_NUMBER_SIZE, "%.*f", places > 1 ? places : 1, v);
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
		return put_positional(dst, v);
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

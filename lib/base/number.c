/* number.c: digits. The quick paths are why exports run at the speed of the scan. */
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char DIGIT_PAIRS[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
				  "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
				  "8081828384858687888990919293949596979899";

static size_t count_digits(uint64_t v)
{
	size_t n = 1;

	while (v >= 10000) {
		v /= 10000;
		n += 4;
	}
	return n + (v >= 10) + (v >= 100) + (v >= 1000);
}

/* Digits of v, most significant first; returns their count. */
static size_t put_unsigned(char *dst, uint64_t v)
{
	size_t len = count_digits(v), at = len;

	while (v >= 100) {
		at -= 2;
		memcpy(dst + at, DIGIT_PAIRS + v % 100 * 2, 2);
		v /= 100;
	}
	if (v >= 10)
		memcpy(dst, DIGIT_PAIRS + v * 2, 2);
	else
		dst[0] = (char)('0' + v);
	return len;
}

static uint64_t magnitude(int64_t v)
{
	return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

size_t mp_number_int(char *dst, int64_t v)
{
	size_t n = 0;

	if (v < 0)
		dst[n++] = '-';
	n += put_unsigned(dst + n, magnitude(v));
	dst[n] = '\0';
	return n;
}

size_t mp_number_unsigned(char *dst, uint64_t v)
{
	size_t n = put_unsigned(dst, v);

	dst[n] = '\0';
	return n;
}

size_t mp_number_us(char *dst, int64_t ns)
{
	uint64_t m = magnitude(ns);
	unsigned thousandths = (unsigned)(m % 1000);
	size_t n = 0;

	if (ns < 0)
		dst[n++] = '-';
	n += put_unsigned(dst + n, m / 1000);
	dst[n++] = '.';
	dst[n++] = (char)('0' + thousandths / 100);
	memcpy(dst + n, DIGIT_PAIRS + thousandths % 100 * 2, 2);
	n += 2;
	dst[n] = '\0';
	return n;
}

/*
 * Most reals of a report are decimals of at most four places: v is one exactly
 * when dividing the scaled integer gives v back, and then its digits are the
 * shortest text (fewer than 16 significant digits).
 */
static size_t put_short_decimal(char *dst, double v)
{
	double scaled = v * 10000.0;
	int64_t whole;
	uint64_t m;
	size_t n = 0;
	unsigned places;

	if (!(fabs(scaled) < 1e15))
		return 0;
	whole = (int64_t)(scaled + (v < 0 ? -0.5 : 0.5));
	if ((double)whole / 10000.0 != v)
		return 0;
	if (signbit(v)) /* -0.0 is a number of its own */
		dst[n++] = '-';
	m = magnitude(whole);
	n += put_unsigned(dst + n, m / 10000);
	dst[n++] = '.';
	places = (unsigned)(m % 10000);
	memcpy(dst + n, DIGIT_PAIRS + places / 100 * 2, 2);
	memcpy(dst + n + 2, DIGIT_PAIRS + places % 100 * 2, 2);
	n += 4;
	while (dst[n - 1] == '0' && dst[n - 2] != '.')
		n--;
	dst[n] = '\0';
	return n;
}

/* Python writes 1e+16 and 1e-05 with an exponent, everything between without. */
static size_t put_positional(char *dst, double v)
{
	int precision = 1, exponent, places;

	while (precision < 17) {
		snprintf(dst, MP_NUMBER_SIZE, "%.*g", precision, v);
		if (strtod(dst, NULL) == v)
			break;
		precision++;
	}
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
	size_t n;

	if (isnan(v) || isinf(v)) {
		strcpy(dst, isnan(v) ? "nan" : v < 0 ? "-inf" : "inf");
		return strlen(dst);
	}
	n = put_short_decimal(dst, v);
	return n ? n : put_positional(dst, v);
}

/* test_number.c: numbers as text, compared with the C library and with Python's notation. */
#include "support.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "base/number.h"
#include "base/wide.h"

static char text[MP_NUMBER_SIZE + 1];

static const char *real(double v)
{
	size_t len;

	memset(text, '#', sizeof(text));
	len = mp_number_real(text, v);
	assert_int_equal(len, strlen(text));
	assert_true(strlen(text) < MP_NUMBER_SIZE);
	return text;
}

static void test_python_notation(void **state)
{
	static const struct {
		double v;
		const char *text;
	} cases[] = {{0.0, "0.0"}, {-0.0, "-0.0"}, {0.1, "0.1"}, {-0.1, "-0.1"}, {50, "50.0"}, {100, "100.0"},
	    {1e15, "1000000000000000.0"}, {1e16, "1e+16"}, {-1e16, "-1e+16"},
	    {9999999999999998.0, "9999999999999998.0"}, {1e-4, "0.0001"}, {1e-5, "1e-05"}, {1.5e-5, "1.5e-05"},
	    {0.00012345, "0.00012345"}, {1e100, "1e+100"}, {1e22, "1e+22"}, {1.5e300, "1.5e+300"}, {5e-324, "5e-324"},
	    {DBL_MIN, "2.2250738585072014e-308"}, {DBL_MAX, "1.7976931348623157e+308"}, {1.0 / 3, "0.3333333333333333"},
	    {2.0 / 3, "0.6666666666666666"}, {0.1 + 0.2, "0.30000000000000004"},
	    {123456789012.3456, "123456789012.3456"}, {4387.71, "4387.71"}, {170.6667, "170.6667"},
	    {1e14 + 0.5, "100000000000000.5"}, {13.73334193, "13.73334193"}, {0.00005, "5e-05"},
	    {99999.99995, "99999.99995"}, {1234567890123456.0, "1234567890123456.0"},
	    {9007199254740993.0, "9007199254740992.0"}, {NAN, "nan"}, {-INFINITY, "-inf"}, {INFINITY, "inf"}};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_string_equal(real(cases[i].v), cases[i].text);
}

/* From 1e16 on there is an exponent, whatever the number of digits. */
static void test_seventeen_digits(void **state)
{
	(void)state;
	assert_string_equal(real(12345678901234568.0), "1.2345678901234568e+16");
	assert_string_equal(real(-98765432109876544.0), "-9.876543210987654e+16");
	assert_string_equal(real(10000000000000002.0), "1.0000000000000002e+16");
}

/* The text reads back as v, and no shorter text does; `v` is finite. */
static void check_shortest(double v)
{
	char shorter[64];
	const char *e;
	int digits = 0;
	double back;

	real(v);
	back = strtod(text, NULL);
	if (memcmp(&back, &v, sizeof(v)) != 0)
		fail_msg("%s is not %.17g", text, v);
	e = strchr(text, 'e');
	if ((e != NULL) != (v != 0 && (fabs(v) >= 1e16 || fabs(v) < 1e-4)))
		fail_msg("%s: notation of %.17g", text, v);
	if (!e && !strchr(text, '.'))
		fail_msg("%s does not look like a real", text);
	for (int precision = 1; precision <= 17 && !digits; precision++) {
		snprintf(shorter, sizeof(shorter), "%.*e", precision - 1, v);
		if (strtod(shorter, NULL) == v)
			digits = precision;
	}
	/* the same digits in the other notation */
	snprintf(shorter, sizeof(shorter), "%.*e", digits - 1, strtod(text, NULL));
	if (v != 0 && e) {
		snprintf(shorter, sizeof(shorter), "%.*e", digits - 1, v);
		assert_string_equal(text, shorter);
	} else if (v != 0 && digits < 16) {
		char plain[400];
		int places = digits - 1 - (int)floor(log10(fabs(v)) + 1e-12);

		snprintf(plain, sizeof(plain), "%.*f", places > 1 ? places : 1, v);
		if (strtod(plain, NULL) == v && strlen(text) > strlen(plain))
			fail_msg("%s is longer than %s", text, plain);
	}
}

static void test_round_trips(void **state)
{
	uint64_t seed = 11;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint64_t bits = next_random(&seed);
		double v;

		memcpy(&v, &bits, sizeof(v));
		if (isfinite(v) && !(fabs(v) >= 1e16 && fabs(v) < 1e17))
			check_shortest(v);
		bits &= UINT64_C(0x800fffffffffffff); /* subnormal */
		memcpy(&v, &bits, sizeof(v));
		check_shortest(v);
		check_shortest((double)(int64_t)(next_random(&seed) >> 12) / 1000.0);
		check_shortest((double)(int64_t)(next_random(&seed) % 20000001) / 100.0 - 100000);
		check_shortest((double)(next_random(&seed) % 1000000) / 700.0);
		check_shortest((double)(int64_t)(next_random(&seed) >> (24 + i % 20)) / 1048576.0);
		v = strtod((snprintf(text, sizeof(text), "1e%d", i % 22 - 5), text), NULL); /* around powers of ten */
		check_shortest(nextafter(v, i / 22 % 2 ? 0 : INFINITY));
		check_shortest(-v);
	}
}

/* All decimals of up to four places, in all sizes that reports have. */
static void test_decimals(void **state)
{
	uint64_t seed = 5;

	(void)state;
	for (int i = 0; i < 40000; i++) {
		int64_t whole = (int64_t)(next_random(&seed) >> (13 + i % 50));
		int places = 1 + i % 4;
		int64_t power = places == 1 ? 10 : places == 2 ? 100 : places == 3 ? 1000 : 10000;
		char expected[64];

		whole %= 1000000000000000 / power;
		snprintf(expected, sizeof(expected), "%" PRId64 ".%0*" PRId64, whole / power, places, whole % power);
		while (expected[strlen(expected) - 1] == '0' && expected[strlen(expected) - 2] != '.')
			expected[strlen(expected) - 1] = '\0';
		if (strtod(expected, NULL) >= 1e-4 || strtod(expected, NULL) == 0)
			assert_string_equal(real(strtod(expected, NULL)), expected);
	}
}

static void check_int(int64_t v)
{
	char expected[32];

	snprintf(expected, sizeof(expected), "%" PRId64, v);
	assert_int_equal(mp_number_int(text, v), strlen(expected));
	assert_string_equal(text, expected);
}

/* All small numbers, and those around each power of ten. */
static void test_each_length(void **state)
{
	(void)state;
	for (int64_t v = 0; v < 1100000; v++)
		check_int(v);
	for (uint64_t power = 10; power < UINT64_C(10000000000000000000); power *= 10)
		for (uint64_t v = power - 12; v < power + 12; v++) {
			char expected[32];

			snprintf(expected, sizeof(expected), "%" PRIu64, v);
			assert_int_equal(mp_number_unsigned(text, v), strlen(expected));
			assert_string_equal(text, expected);
			check_int(-(int64_t)(v / 2));
		}
	assert_int_equal(mp_number_unsigned(text, UINT64_MAX), 20);
	assert_string_equal(text, "18446744073709551615");
}

/* The digits of a fraction without its trailing zeros, compared with the integers of the fraction. */
static void check_fraction(int64_t whole, int places)
{
	static const double powers[] = {1, 10, 100, 1000, 10000};
	uint64_t m = whole < 0 ? (uint64_t)-whole : (uint64_t)whole, power = (uint64_t)powers[places];
	char expected[64];

	snprintf(
	    expected, sizeof(expected), "%s%" PRIu64 ".%0*" PRIu64, whole < 0 ? "-" : "", m / power, places, m % power);
	while (expected[strlen(expected) - 1] == '0' && expected[strlen(expected) - 2] != '.')
		expected[strlen(expected) - 1] = '\0';
	assert_string_equal(real((double)whole / powers[places]), expected);
}

static void test_thousandths(void **state)
{
	uint64_t seed = 3;

	(void)state;
	for (int64_t whole = 1; whole < 300000; whole++)
		check_fraction(whole % 2 ? whole : -whole, whole % 10 ? 3 : 4);
	for (int i = 0; i < 300000; i++)
		check_fraction((int64_t)(next_random(&seed) >> (15 + i % 40)) + 1, 3);
	for (int i = 0; i < 300000; i++)
		check_fraction((int64_t)(next_random(&seed) >> (14 + i % 40)) + 1, 4);
}

/* The marks of a real change how its text is computed, but not the text. */
static void check_known(uint32_t thousandths)
{
	struct mp_value v = {
	    .type = MP_REAL, .d = thousandths / 1000.0, .marks = MP_MARK_THOUSANDTHS, .len = thousandths};
	char known[MP_NUMBER_SIZE];

	*mp_number_put_real(known, &v) = '\0';
	assert_string_equal(known, real(v.d));
	v.marks = 0;
	*mp_number_put_real(known, &v) = '\0';
	assert_string_equal(known, real(v.d));
}

/* Equal to the general rounding, where both apply. */
static void check_rounded(double x)
{
	double expected = mp_round_half_up(x, 3);
	uint32_t thousandths;

	if (mp_round_thousandths(x, &thousandths))
		assert_true(thousandths / 1000.0 == expected && !signbit(expected));
	else
		assert_false(x >= 0 && x < 4294967.0);
}

static void test_known_thousandths(void **state)
{
	static const double edges[] = {0.0, -0.0, 0.0005, 0.00049999999, 0.0004999999999, 1.0005, 4294966.9994,
	    4294966.9995, 4294966.9999999, 4294967.0, 4294967.295, 4294968, -0.0005, -1, 5e-324, 1e300, INFINITY,
	    -INFINITY, NAN};
	uint64_t seed = 8;

	(void)state;
	for (uint32_t n = 0; n < 200000; n++)
		check_known(n);
	for (int i = 0; i < 200000; i++) {
		check_known((uint32_t)next_random(&seed) >> i % 32);
		check_rounded((double)(next_random(&seed) >> (11 + i % 53)) / 1048576.0);
		check_rounded((double)(next_random(&seed) % 9000000000) / 2000.0);
	}
	check_known(UINT32_MAX);
	for (size_t i = 0; i < COUNT(edges); i++)
		check_rounded(edges[i]);
}

static void check_us(int64_t ns)
{
	char expected[32];
	uint64_t m = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;

	snprintf(expected, sizeof(expected), "%s%" PRIu64 ".%03" PRIu64, ns < 0 ? "-" : "", m / 1000, m % 1000);
	assert_int_equal(mp_number_us(text, ns), strlen(expected));
	assert_string_equal(text, expected);
}

static void test_integers(void **state)
{
	static const int64_t edges[] = {0, 1, 9, 10, 99, 100, 999, 1000, 1001, 12345, 99999, INT64_MAX, INT64_MAX - 1};
	uint64_t seed = 9;

	(void)state;
	for (size_t i = 0; i < COUNT(edges); i++) {
		check_int(edges[i]);
		check_int(-edges[i]);
		check_us(edges[i]);
		check_us(-edges[i]);
	}
	check_int(INT64_MIN);
	check_us(INT64_MIN);
	for (int i = 0; i < 20000; i++) {
		check_int((int64_t)next_random(&seed) >> (i % 64));
		check_us((int64_t)next_random(&seed) >> (i % 64));
	}
	mp_number_us(text, 1234567);
	assert_string_equal(text, "1234.567");
	mp_number_us(text, 5);
	assert_string_equal(text, "0.005");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_python_notation),
	    cmocka_unit_test(test_seventeen_digits),
	    cmocka_unit_test(test_round_trips),
	    cmocka_unit_test(test_decimals),
	    cmocka_unit_test(test_integers),
	    cmocka_unit_test(test_each_length),
	    cmocka_unit_test(test_thousandths),
	    cmocka_unit_test(test_known_thousandths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_wide.c: numbers of 128 bits by halves, as processors of 32 bits have them, beside those of the compiler. */
#define MP_WIDE_HALVES 1
#include "base/wide.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const uint64_t parts[] = {0, 1, 2, 3, 10, UINT32_MAX - 1, UINT32_MAX, UINT64_C(1) << 32, UINT64_C(1000000007),
    UINT64_C(0x9E3779B97F4A7C15), INT64_MAX, UINT64_C(1) << 63, UINT64_MAX - 1, UINT64_MAX};

enum { PARTS = sizeof(parts) / sizeof(parts[0]) };

/* The number that a place from 0 on stands for: each pair of parts. */
static mp_wide number(int at)
{
	return mp_wide_of(parts[at / PARTS], parts[at % PARTS]);
}

/* Decimal digits, by another way than the division under test. */
static void test_written_results(void **state)
{
	mp_wide rest, product = mp_wide_product(UINT64_MAX, UINT64_MAX), quotient;

	(void)state;
	assert_true(mp_wide_high(product) == UINT64_MAX - 1 && mp_wide_low(product) == 1);
	/* 2^127 / 10^9 = 170141183460469231731687303715, rest 884105728 */
	quotient = mp_wide_divide(mp_wide_of(UINT64_C(1) << 63, 0), mp_wide_of(0, 1000000000), &rest);
	assert_true(mp_wide_low(rest) == 884105728 && mp_wide_high(rest) == 0);
	assert_true(mp_wide_high(quotient) == UINT64_C(9223372036));
	assert_true(mp_wide_low(quotient) == UINT64_C(15767830570574293539));
}

/* num = quotient * den + rest, and rest < den: there is only one such pair. */
static void test_each_quotient(void **state)
{
	(void)state;
	for (int i = 0; i < PARTS * PARTS; i++) {
		for (int j = 1; j < PARTS * PARTS; j++) {
			mp_wide num = number(i), den = number(j), rest, q = mp_wide_divide(num, den, &rest), back;

			assert_int_equal(mp_wide_compare(rest, den), -1);
			back = mp_wide_product(mp_wide_low(q), mp_wide_low(den));
			back.high += mp_wide_high(q) * mp_wide_low(den) + mp_wide_low(q) * mp_wide_high(den);
			assert_int_equal(mp_wide_compare(mp_wide_add(back, rest), num), 0);
			assert_true(mp_wide_is_zero(q) == (mp_wide_compare(num, den) < 0));
		}
	}
}

static void test_shifts(void **state)
{
	(void)state;
	for (unsigned by = 0; by < 128; by++) {
		mp_wide one = mp_wide_shift_left(mp_wide_of(0, 1), by);

		assert_true(by < 64 ? one.high == 0 && one.low == UINT64_C(1) << by
				    : one.low == 0 && one.high == UINT64_C(1) << (by - 64));
		assert_int_equal(mp_wide_compare(mp_wide_shift_right(one, by), mp_wide_of(0, 1)), 0);
	}
}

static void test_rounds_half_to_even(void **state)
{
	static const struct {
		uint64_t num, den, quotient;
	} cases[] = {{1, 2, 0}, {3, 2, 2}, {5, 2, 2}, {7, 3, 2}, {8, 3, 3}, {UINT64_MAX, 4, UINT64_C(1) << 62}};
	uint64_t quotient;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_true(mp_wide_round(mp_wide_of(0, cases[i].num), mp_wide_of(0, cases[i].den), &quotient));
		assert_true(quotient == cases[i].quotient);
	}
	assert_false(mp_wide_round(mp_wide_of(1, 0), mp_wide_of(0, 2), &quotient));
	assert_false(mp_wide_round(mp_wide_of(0, UINT64_MAX), mp_wide_of(0, 2), &quotient));
}

#ifdef __SIZEOF_INT128__
static void test_compilers_numbers(void **state)
{
	(void)state;
	for (int i = 0; i < PARTS * PARTS; i++) {
		for (int j = 1; j < PARTS * PARTS; j++) {
			mp_wide a = number(i), b = number(j), rest, q = mp_wide_divide(a, b, &rest);
			unsigned __int128 x = (unsigned __int128)a.high << 64 | a.low;
			unsigned __int128 y = (unsigned __int128)b.high << 64 | b.low;

			assert_true(((unsigned __int128)q.high << 64 | q.low) == x / y);
			assert_true(((unsigned __int128)rest.high << 64 | rest.low) == x % y);
			q = mp_wide_subtract(a, b);
			assert_true(((unsigned __int128)q.high << 64 | q.low) == (unsigned __int128)(x - y));
		}
	}
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_written_results),
	    cmocka_unit_test(test_each_quotient),
	    cmocka_unit_test(test_shifts),
	    cmocka_unit_test(test_rounds_half_to_even),
#ifdef __SIZEOF_INT128__
	    cmocka_unit_test(test_compilers_numbers),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

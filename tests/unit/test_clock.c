/* test_clock.c: counts to nanoseconds: exact, half to even, never wrapping. */
#include "scale_support.h"

#include "raw/clock.h"

static const struct mp_clock board = {.core_mhz = 700, .counter_mhz = 100};

static void test_scales(void **state)
{
	static const struct mp_clock unknown = {.core_mhz = 0};
	static const struct {
		enum mp_unit unit;
		uint64_t count;
		int64_t ns;
	} cases[] = {{MP_UNIT_NS, 123, 123}, {MP_UNIT_US, 123, 123000}, {MP_UNIT_COUNTER, 123, 1230},
	    {MP_UNIT_TICK100, 7, 1000}, {MP_UNIT_TICK100, 1, 143}, {MP_UNIT_TICK100, 3, 429}, {MP_UNIT_NS, 0, 0}};
	int64_t ns;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_true(mp_scale_ns(mp_clock_scale(&board, cases[i].unit), cases[i].count, &ns));
		assert_int_equal(ns, cases[i].ns);
	}
	assert_int_equal(mp_clock_scale(&unknown, MP_UNIT_TICK100).den, 0);
	assert_int_equal(mp_clock_scale(&unknown, MP_UNIT_COUNTER).den, 0);
	assert_int_not_equal(mp_clock_scale(&unknown, MP_UNIT_NS).den, 0);
	assert_int_not_equal(mp_clock_scale(&unknown, MP_UNIT_US).den, 0);
}

static void test_half_to_even(void **state)
{
	static const struct {
		uint64_t num, den, count;
		int64_t ns;
	} cases[] = {{1, 2, 1, 0}, {1, 2, 3, 2}, {1, 2, 5, 2}, {1, 2, 7, 4}, {1, 4, 1, 0}, {1, 4, 2, 0}, {1, 4, 3, 1},
	    {1, 4, 6, 2}, {1, 3, 1, 0}, {1, 3, 2, 1}, {5, 10, 1, 0}, {15, 10, 1, 2}, {25, 10, 1, 2}, {1000, 3, 1, 333},
	    {1, UINT64_MAX, UINT64_MAX, 1}, {1, UINT64_MAX, UINT64_MAX / 2, 0}, {1, UINT64_MAX, UINT64_MAX / 2 + 1, 1},
	    {1, UINT64_MAX - 1, UINT64_MAX / 2, 0}};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		int64_t ns = -1;

		assert_true(
		    mp_scale_ns((struct mp_scale){.num = cases[i].num, .den = cases[i].den}, cases[i].count, &ns));
		if (ns != cases[i].ns)
			fail_msg("case %zu: %lld", i, (long long)ns);
	}
}

static void test_wide_products(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint64_t count = next_random(&seed) >> (i % 40), num = 100000, den = 1 + next_random(&seed) % 1000000;
		int64_t ns;

		if (count > (uint64_t)INT64_MAX / num * den)
			continue;
		assert_true(mp_scale_ns((struct mp_scale){.num = num, .den = den}, count, &ns));
		assert_int_equal(ns, divide_slowly(count, num, den));
	}
}

static void test_saturation(void **state)
{
	static const struct {
		uint64_t num, den, count;
		bool fits;
	} cases[] = {{1, 1, (uint64_t)INT64_MAX, true}, {1, 1, (uint64_t)INT64_MAX + 1, false},
	    {1, 1, UINT64_MAX, false}, {1000, 1, (uint64_t)INT64_MAX / 1000, true},
	    {1000, 1, (uint64_t)INT64_MAX / 1000 + 1, false}, {100000, 1, UINT64_MAX, false}, {1, 2, UINT64_MAX, false},
	    {1, 2, UINT64_MAX - 2, true}, {100000, 700, UINT64_MAX, false}, {UINT64_MAX, 1, UINT64_MAX, false},
	    {UINT64_MAX, UINT64_MAX, (uint64_t)INT64_MAX, true}};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		int64_t ns = -1;

		if (mp_scale_ns((struct mp_scale){.num = cases[i].num, .den = cases[i].den}, cases[i].count, &ns) !=
		    cases[i].fits)
			fail_msg("case %zu", i);
		if (!cases[i].fits)
			assert_int_equal(ns, INT64_MAX);
		else
			assert_true(ns > 0);
	}
}

/* A moment counts from the origin of its counter, before and after the origin, and saturates. */
static void test_origin(void **state)
{
	const struct mp_clock clock = {.counter = {50000000, 1000, 7000}, .host = {38400000, 0, -5}};
	struct mp_scale counter = mp_clock_scale(&clock, MP_UNIT_COUNTER), host = mp_clock_scale(&clock, MP_UNIT_HOST);
	int64_t ns;

	(void)state;
	assert_true(mp_scale_time(counter, 1003, &ns) && ns == 7060);
	assert_true(mp_scale_time(counter, 997, &ns) && ns == 6940);
	assert_true(mp_scale_ns(counter, 3, &ns) && ns == 60);
	assert_true(mp_scale_time(host, 384, &ns) && ns == 9995);
	assert_false(mp_scale_time(counter, UINT64_MAX, &ns));
	assert_int_equal(ns, INT64_MAX);
	assert_int_equal(mp_clock_scale(&(struct mp_clock){.core_mhz = 0}, MP_UNIT_HOST).den, 1);
}

/* Moments that are cut: the whole ns before them, once they are rounded to ps. */
static void test_cut(void **state)
{
	static const struct {
		int64_t hz;
		uint64_t count;
		int64_t ns;
	} cases[] = {
	    {38400000, 1000, 7000}, {38400000, 1001, 7026}, {38400000, 1024, 7625}, {38400000, 999, 6973},
	    {38400000, 976, 6375}, {48000000, 1001, 7020}, {48000000, 1002, 7041}, {48000000, 1003, 7062},
	    {49997000, 5000000, 99992999}, {300000001, 1000 + 300000000, 1000006996}, /* 999999996.67 */
	    {1000000001, 1000 + 1000000, 1006999},                                    /* 999999.999 */
	    {1000000001, 1000 + 100000, 107000}, /* 99999.9999: 100000 once it is rounded to ps */
	    {1000000001, 1000 - 500, 6500},      /* as much before: -499.9999995 is -500 */
	};
	int64_t ns;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct mp_clock clock = {.counter = {cases[i].hz, 1000, 7000}, .cut = true};

		assert_true(mp_scale_time(mp_clock_scale(&clock, MP_UNIT_COUNTER), cases[i].count, &ns));
		assert_int_equal(ns, cases[i].ns);
	}
	assert_false(mp_scale_time(
	    mp_clock_scale(&(struct mp_clock){.counter = {38400000, 1000, 7000}, .cut = true}, MP_UNIT_COUNTER),
	    UINT64_MAX, &ns));
	assert_int_equal(ns, INT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_origin),
	    cmocka_unit_test(test_cut),
	    cmocka_unit_test(test_scales),
	    cmocka_unit_test(test_half_to_even),
	    cmocka_unit_test(test_wide_products),
	    cmocka_unit_test(test_saturation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

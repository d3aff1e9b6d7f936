/* test_budget.c: what conversations with a board may cost. Time is only numbers here. */
#include "board/connection/pipe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static struct mp_error err;

static struct mp_budget begin(enum mp_budget_kind kind, int percent)
{
	struct mp_budget budget;

	mp_budget_begin(&budget, kind, "root@board:22", "list '/x'", percent);
	return budget;
}

/* Seconds until a board that sends `bytes` after each wait of `ms` exceeds its budget; 0: not within `most` seconds. */
static long lasts(struct mp_budget budget, int ms, size_t bytes, long most)
{
	static const char none[4096];

	err.text[0] = '\0';
	for (int64_t at = 0; at < (int64_t)most * 1000; at += ms)
		if (mp_budget_wait(&budget, ms, &err) || (bytes && mp_budget_take(&budget, none, bytes, &err)))
			return (long)((at + ms) / 1000);
	return 0;
}

static void test_silence(void **state)
{
	(void)state;
	assert_int_equal(lasts(begin(MP_BUDGET_SCRIPT, 100), 200, 0, 1000), 120);
	assert_string_equal(err.text, "board 'root@board:22': cannot list '/x' within 120 s; for a slow board set "
				      "MSPROF_BOARD_PATIENCE to more than 100");
	assert_int_equal(lasts(begin(MP_BUDGET_SCRIPT, 10), 200, 0, 1000), 12);
	assert_int_equal(lasts(begin(MP_BUDGET_SCRIPT, 300), 200, 0, 1000), 360);
	assert_int_equal(lasts(begin(MP_BUDGET_GUARD, 100), 200, 0, 1000), 60);
	assert_int_equal(lasts(begin(MP_BUDGET_LISTING, 100), 200, 0, 1000), 120);
	assert_int_equal(lasts(begin(MP_BUDGET_TRANSFER, 100), 200, 0, 1000), 60);
	assert_non_null(strstr(err.text, "no data moved for 60 s, cannot list '/x'"));
	assert_int_equal(lasts(begin(MP_BUDGET_PROGRAM, 100), 200, 0, 1000000), 0);
}

/* The sum of a large file: the board computes for minutes, and then sends a line. But not for ever. */
static void test_computes(void **state)
{
	struct mp_budget budget = begin(MP_BUDGET_LISTING, 100);

	(void)state;
	budget.computes = true;
	assert_int_equal(lasts(budget, 500, 0, 10000), 600);
	for (long at = 0; at < 5L * 3600 * 1000; at += 1000) {
		assert_int_equal(mp_budget_wait(&budget, 1000, &err), 0);
		if (at % 590000 == 0)
			assert_int_equal(mp_budget_take(&budget, "sum\n", 4, &err), 0);
	}
	assert_int_equal(lasts(budget, 1000, 100, 7200), 3600);
}

static void test_trickle(void **state)
{
	(void)state;
	/* a byte a second ends what is not the program's own output */
	assert_int_equal(lasts(begin(MP_BUDGET_SCRIPT, 100), 1000, 1, 1000), 120);
	assert_int_equal(lasts(begin(MP_BUDGET_GUARD, 100), 1000, 1, 1000), 60);
	assert_int_equal(lasts(begin(MP_BUDGET_LISTING, 100), 1000, 1, 1000), 120);
	assert_int_equal(lasts(begin(MP_BUDGET_TRANSFER, 100), 1000, 1, 1000), 60);
	assert_non_null(strstr(err.text, "cannot list '/x': fewer than 256 bytes a second moved for 60 s"));
	assert_int_equal(lasts(begin(MP_BUDGET_PROGRAM, 100), 1000, 1, 1000000), 0);
	/* 2 KB a second is a slow link, in whatever pieces */
	assert_int_equal(lasts(begin(MP_BUDGET_TRANSFER, 100), 1, 2, 3600), 0);
	assert_int_equal(lasts(begin(MP_BUDGET_TRANSFER, 100), 1000, 2000, 3600 * 24), 0);
	assert_int_equal(lasts(begin(MP_BUDGET_LISTING, 100), 1000, 2000, 3600), 0);
}

/* What is sent to the board is progress, too; a stopped process has not waited for the board. */
static void test_sent(void **state)
{
	struct mp_budget budget = begin(MP_BUDGET_TRANSFER, 100);

	(void)state;
	for (int i = 0; i < 3600; i++) {
		mp_budget_sent(&budget, 2000);
		assert_int_equal(mp_budget_wait(&budget, 1000, &err), 0);
	}
	assert_int_equal(mp_budget_wait(&budget, 3600 * 1000, &err), 0);
}

static void test_floods(void **state)
{
	static const enum mp_budget_kind kinds[] = {
	    MP_BUDGET_SCRIPT, MP_BUDGET_GUARD, MP_BUDGET_LISTING, MP_BUDGET_TRANSFER};
	static const int64_t bytes[] = {8 << 20, 4096, 1 << 30, 256 << 20};
	static char block[4096];
	struct mp_budget budget;

	(void)state;
	memset(block, 'x', sizeof(block));
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		budget = begin(kinds[i], 100);
		for (int64_t at = 0; at < bytes[i]; at += 4096)
			assert_int_equal(mp_budget_take(&budget, block, 4096, &err), 0);
		assert_int_equal(mp_budget_take(&budget, block, 1, &err), -1);
		assert_non_null(strstr(err.text, "board 'root@board:22': cannot list '/x': it sends more than "));
	}
	budget = begin(MP_BUDGET_GUARD, 100);
	for (int i = 0; i < 16; i++)
		assert_int_equal(mp_budget_take(&budget, "busy\n", 5, &err), 0);
	assert_int_equal(mp_budget_take(&budget, "busy\n", 5, &err), -1);
	assert_non_null(strstr(err.text, "more than 16 lines"));
	budget = begin(MP_BUDGET_PROGRAM, 100);
	for (int64_t at = 0; at < INT64_C(1) << 32; at += 4096)
		assert_int_equal(mp_budget_take(&budget, block, 4096, &err), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_silence), cmocka_unit_test(test_computes),
	    cmocka_unit_test(test_trickle), cmocka_unit_test(test_sent), cmocka_unit_test(test_floods)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

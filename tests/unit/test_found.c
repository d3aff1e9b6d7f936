/* test_found.c: what was learned is kept as it was given. */
#include "support.h"

#include "learn/found.h"

static void test_lists(void **state)
{
	struct mp_finding finding = {.name = "task_id", .type = "u32", .place = "@4", .rows = 20, .fits = 19};
	struct mp_found found = {.layout = "svp.aicore", .record = 128};
	struct mp_error err;

	(void)state;
	for (int i = 0; i < 3; i++) {
		finding.rows += (size_t)i;
		assert_ok(mp_found_add(&found, &finding, &err), &err);
		assert_ok(mp_found_missing(&found, &err, "column %d", i), &err);
		assert_ok(mp_found_unexplained(&found, &err, "8 bytes at %d: zero", 24 + i), &err);
		assert_ok(mp_found_write(&found, &err, "%s %d\n", i ? "field" : "record", i), &err);
	}
	assert_int_equal(found.finding_count, 3);
	assert_string_equal(found.findings[2].name, "task_id");
	assert_int_equal(found.findings[1].rows, 21);
	assert_int_equal(found.missing_count, 3);
	assert_string_equal(found.missing[1], "column 1");
	assert_int_equal(found.unexplained_count, 3);
	assert_string_equal(found.unexplained[2], "8 bytes at 26: zero");
	assert_string_equal(found.text, "record 0\nfield 1\nfield 2\n");
	mp_found_free(&found);
	assert_null(found.text);
	assert_int_equal(found.finding_count + found.missing_count + found.unexplained_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_lists)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

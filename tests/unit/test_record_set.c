/* test_record_set.c: each record of a file answers for one record. */
#include "recorder/data_file.h"
#include "support.h"

enum { SIZE = 4, EQUAL = 300000 };

static void equal_records_answer_once_each(void **state)
{
	static char records[SIZE * (1 + EQUAL)];
	struct mp_record_set seen = {.size = SIZE};
	struct mp_error err;
	char *dir = temp_dir();

	(void)state;
	memcpy(records, "once", SIZE);
	for (int i = 1; i <= EQUAL; i++) /* with a place for each, the table would be searched for minutes */
		memcpy(records + i * SIZE, "many", SIZE);
	write_file(dir, "records", records, sizeof(records));
	assert_int_equal(
	    mp_record_set_add(&seen, AT_FDCWD, below(dir, "records"), sizeof(records), 2 * EQUAL, &err), 1 + EQUAL);
	assert_true(mp_record_set_take(&seen, "once"));
	assert_false(mp_record_set_take(&seen, "once"));
	assert_false(mp_record_set_take(&seen, "else"));
	for (int i = 0; i < EQUAL; i++)
		assert_true(mp_record_set_take(&seen, "many"));
	assert_false(mp_record_set_take(&seen, "many"));
	mp_record_set_free(&seen);
	remove_dir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(equal_records_answer_once_each)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_joins.c: joins.sql says which records are joined; a part, table or column that is missing is an error. */
#include "support.h"

#include "base/schema.h"
#include "join/feed.h"
#include "store/connection.h"

static struct mp_db *db;
static struct mp_error err;
static struct mp_joins joins;

static int setup(void **state)
{
	static const char file[] = "sql/prof/joins.sql";

	(void)state;
	assert_ok(mp_db_connect(&db, -1, "", &err), &err);
	assert_ok(mp_db_make(db, MP_FAMILY_PROF, MP_STEPS_TABLES, &err), &err);
	assert_ok(mp_script_run(db, file, mp_schema_text(file), &err), &err);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	mp_db_close(db);
	return 0;
}

static void test_shipped(void **state)
{
	struct mp_layout layout = {.family = MP_FAMILY_PROF, .table = "pmu"};

	(void)state;
	assert_ok(mp_joins_read(&joins, db, &err), &err);
	assert_int_equal(mp_joins_find(&joins, &layout), MP_JOIN_COUNTERS);
	layout.family = MP_FAMILY_SVP;
	assert_int_equal(mp_joins_find(&joins, &layout), -1);
}

/* Another name of a table and of a column needs no C. */
static void test_other_names(void **state)
{
	struct mp_layout layout = {.family = MP_FAMILY_PROF, .table = "counted"};

	(void)state;
	assert_ok(
	    mp_db_run(db,
		"ALTER TABLE pmu RENAME TO counted; ALTER TABLE counted RENAME COLUMN ffts_type TO kind;"
		"UPDATE temp.joined SET records = 'counted', columns = replace(columns, 'ffts_type', 'kind') WHERE part = 'counters'",
		&err),
	    &err);
	assert_ok(mp_joins_read(&joins, db, &err), &err);
	assert_int_equal(mp_joins_find(&joins, &layout), MP_JOIN_COUNTERS);
	assert_string_equal(joins.tables[MP_JOIN_COUNTERS].columns[MP_COUNTERS_FFTS], "kind");
}

static void test_missing(void **state)
{
	static const struct {
		const char *change, *message;
	} cases[] = {{"DELETE FROM temp.joined WHERE part = 'launches'", "part 'launches' not found"},
	    {"UPDATE temp.joined SET records = 'nothing' WHERE part = 'runs'", "column 'nothing.end' not found"},
	    {"UPDATE temp.joined SET columns = 'end' WHERE part = 'runs'", "part 'runs' has 1 columns, not 6"},
	    {"UPDATE temp.joined SET columns = 'level type thread_id start_ns  dur_ns' WHERE part = 'calls'",
		"part 'calls': invalid list"},
	    {"UPDATE temp.joined SET columns = replace(columns, 'batch_id', 'batch') WHERE part = 'launches'",
		"column 'task_track.batch' not found"},
	    {"UPDATE temp.joined SET records = NULL WHERE part = 'calls'", "part 'calls': invalid table"},
	    {"UPDATE temp.joined SET of_device = 'host' WHERE part = 'calls'", "invalid table, of_device or columns"}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		setup(state);
		assert_ok(mp_db_run(db, cases[i].change, &err), &err);
		assert_refused(mp_joins_read(&joins, db, &err), &err, cases[i].message);
		teardown(state);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_shipped, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_other_names, setup, teardown),
	    cmocka_unit_test(test_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

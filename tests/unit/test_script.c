/* test_script.c: scripts of schema/sql: statements, sections, and the line of an error. */
#include "store/db.h"
#include "store_support.h"

static struct job_test *job;
static struct mp_db *db;
static struct mp_error err;

static int setup(void **state)
{
	if (job_setup(state))
		return -1;
	job = *state;
	db = import_private(job);
	return 0;
}

static int teardown(void **state)
{
	mp_db_close(db);
	return job_teardown(state);
}

static int run(const char *text)
{
	return mp_script_run(db, "sql/made/up.sql", text, &err);
}

static void statements_run_in_their_order(void **state)
{
	(void)state;
	assert_ok(run("-- remark; with a semicolon\n\nCREATE TEMP TABLE t(a); INSERT INTO t VALUES(1);\n"
		      "INSERT INTO t\n-- between\nSELECT a + 1 FROM t;;\nSELECT a FROM t;"),
	    &err);
	assert_rows(db, "SELECT group_concat(a) FROM t", "1,2");
	assert_ok(run(""), &err);
	assert_ok(run("-- nothing\n"), &err);
}

static void a_section_runs_when_its_condition_is_true(void **state)
{
	(void)state;
	assert_ok(
	    run("CREATE TEMP TABLE t(a);\n"
		"-- @when EXISTS (SELECT 1 FROM t)\nINSERT INTO t VALUES(1);\n-- @end\n"
		"-- @when NULL\nINSERT INTO t VALUES(2);\n-- @end\n"
		"-- @when NOT EXISTS (SELECT 1 FROM t)\nINSERT INTO t VALUES(3);\nINSERT INTO t VALUES(4);\n-- @end\n"
		"INSERT INTO t VALUES(5);\n"),
	    &err);
	assert_rows(db, "SELECT group_concat(a) FROM t", "3,4,5");
}

static void an_error_names_the_file_and_the_line(void **state)
{
	(void)state;
	assert_refused(run("SELECT 1;\n\n-- remark\nSELECT 1 FROM nowhere;\n"), &err,
	    "schema/sql/made/up.sql:4: database 'private database': no such table: nowhere");
	assert_refused(
	    run("CREATE TEMP TABLE u(a PRIMARY KEY);\nINSERT INTO u VALUES(1);\nINSERT INTO u\n  VALUES(1);\n"), &err,
	    "schema/sql/made/up.sql:3: database 'private database': UNIQUE constraint failed: u.a");
	assert_refused(run("-- @when 1\nSELECT 1;\nSELECT nothing;\n-- @end\n"), &err, "schema/sql/made/up.sql:3: ");
	assert_refused(run("\n-- @when nothing = 1\n-- @end\n"), &err, "schema/sql/made/up.sql:2: ");
	assert_ok(run("-- @when 0\nSELECT nothing;\n-- @end\n"), &err);
}

static void a_script_of_the_schema_must_be_there(void **state)
{
	(void)state;
	assert_ok(mp_script_run_file(db, "aggregate/tables.sql", &err), &err);
	assert_refused(
	    mp_script_run_file(db, "aggregate/table.sql", &err), &err, "schema/aggregate/table.sql is missing");
}

static void sections_that_do_not_end_are_refused(void **state)
{
	static const char *const texts[] = {"\n-- @when 1\nSELECT 1;\n", "SELECT 1;\n-- @end\n",
	    "SELECT 1;\n-- @when 1\n-- @when 1\n-- @end\n-- @end\n", "SELECT 1;\n-- @unless 1\n-- @end\n"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_refused(run(texts[i]), &err, "schema/sql/made/up.sql:2: a section begins with");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(statements_run_in_their_order, setup, teardown),
	    cmocka_unit_test_setup_teardown(a_section_runs_when_its_condition_is_true, setup, teardown),
	    cmocka_unit_test_setup_teardown(an_error_names_the_file_and_the_line, setup, teardown),
	    cmocka_unit_test_setup_teardown(a_script_of_the_schema_must_be_there, setup, teardown),
	    cmocka_unit_test_setup_teardown(sections_that_do_not_end_are_refused, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

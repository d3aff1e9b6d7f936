/* test_reference_json.c: tables and traces in JSON, and tables of databases, become references or are refused. */
#include "reference_support.h"

#include <sqlite3.h>

#define CALL_EVENT                                                                                                     \
	"{\"ph\":\"X\",\"name\":\"svp_acl_init\",\"pid\":\"7\",\"tid\":8,\"ts\":1.7e+15,\"dur\":5,"                    \
	"\"args\":{\"Mode\":\"others\",\"Process Id\":7,\"Thread Id\":8}}"
#define META_EVENT "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":{\"name\":\"x\"}}"

static void test_traces(void **state)
{
	static const char *const texts[] = {"[" META_EVENT "," TASK_EVENT ",\n" CALL_EVENT "," TASK_EVENT "]",
	    " {\"displayTimeUnit\":\"ns\", \"traceEvents\" : [ " META_EVENT " , " TASK_EVENT "," CALL_EVENT
	    "," TASK_EVENT " ], \"otherData\":{\"a\":[1,\"]}\\\"\"]}}\n"};
	struct refs_test *t = *state;

	for (size_t i = 0; i < COUNT(texts); i++) {
		const struct mp_reference *ref;

		read_as(t, "task_time_0.m.4.1.json", texts[i]);
		assert_int_equal(t->refs.refused_count, 0);
		assert_int_equal(t->refs.count, 2);
		ref = &t->refs.items[0];
		assert_true(ref->is_trace && ref->kind == MP_TABLE_TASKS && ref->row_count == 2);
		assert_int_equal(ref->identity.model_id, 4);
		assert_text(cell_of(ref, 0, MP_MEANS_EVENT_NAME), "conv1,relu");
		assert_cell(cell_of(ref, 1, MP_MEANS_START), "125624291.571", 125624291571, 3);
		assert_cell(cell_of(ref, 0, MP_MEANS_TIME), "66.40", 6640, 2);
		assert_cell(cell_of(ref, 0, MP_MEANS_STREAM_ID), "0", 0, 0);
		assert_cell(cell_of(ref, 0, MP_MEANS_TASK_ID), "26", 26, 0);
		assert_int_equal(mp_reference_column(ref, MP_MEANS_PID), -1);
		assert_int_equal(ref->columns[1].unit, 1000);
		ref = &t->refs.items[1];
		assert_non_null(strstr(ref->name, ".json#2"));
		assert_true(ref->is_trace && ref->kind == MP_TABLE_CALLS && ref->row_count == 1);
		assert_cell(cell_of(ref, 0, MP_MEANS_START), "1.7e+15", 1700000000000000, 0);
		assert_cell(cell_of(ref, 0, MP_MEANS_PID), "7", 7, 0);
		assert_text(cell_of(ref, 0, MP_MEANS_KIND), "others");
	}
}

static void test_json_tables(void **state)
{
	struct refs_test *t = *state;
	const struct mp_reference *ref;

	read_as(t, "a.json",
	    "[{\"Task ID\":\"-\",\"Layer ID\":\"-\",\"Time(us)\":10.10,\"Time Ratio(%)\":\"100\"},\n"
	    " {\"Task ID\":1,\"Layer ID\":[4,5],\"Time(us)\":7.00,\"Time Ratio(%)\":-1.5e1},\n"
	    " {\"Time(us)\":null,\"Task ID\":9223372036854775807,\"Layer ID\":{\"a\":1}}]");
	ref = the_table(t);
	assert_int_equal(ref->kind, MP_TABLE_TASKS);
	assert_int_equal(ref->row_count, 2);
	assert_cell(&ref->total[3], "100", 100, 0);
	assert_text(cell_of(ref, 0, MP_MEANS_LAYER_ID), "4,5");
	assert_cell(cell_of(ref, 0, MP_MEANS_TIME), "7.00", 700, 2);
	assert_cell(cell_of(ref, 0, MP_MEANS_TIME_SHARE), "-1.5e1", -15, 0);
	assert_cell(cell_of(ref, 1, MP_MEANS_TASK_ID), "9223372036854775807", INT64_MAX, 0);
	assert_text(cell_of(ref, 1, MP_MEANS_TIME), "");
	assert_text(cell_of(ref, 1, MP_MEANS_LAYER_ID), "");
	assert_text(cell_of(ref, 1, MP_MEANS_TIME_SHARE), "");
	read_as(t, "a.json", "[{\"a\":true,\"b\":\"\\u00e9\\\"1\"},{\"c\":false}]");
	assert_int_equal(t->refs.count, 2);
	assert_text(mp_reference_cell(&t->refs.items[0], 0, 0), "true");
	assert_text(mp_reference_cell(&t->refs.items[0], 0, 1), "\xc3\xa9\"1");
	assert_text(mp_reference_cell(&t->refs.items[1], 0, 0), "false");
}

static void test_no_json(void **state)
{
	static const struct {
		const char *text, *reason;
	} files[] = {{"", "neither"}, {"[]", "empty"}, {"{}", "neither"}, {"{\"a\":1}", "neither"},
	    {"[1]", "not an object"}, {"[{\"a\":1}", "missing behind its item 1"},
	    {"[{\"a\":1},", "ends behind its item 1"}, {"[{\"a\":1},{\"a\":\"}", "ends within its item 2"},
	    {"[{\"a\":1}]x", "follows"}, {"[{}]", "no members"}, {"[{\"a\":01}]", "not correct"},
	    {"{\"traceEvents\":[" META_EVENT "]}", "no event"}, {"{\"traceEvents\":[" TASK_EVENT "]", "brace"},
	    {"{\"a\":[1,2", "ends within a member"}, {"{\"a\":\"", "ends"},
	    {"{\"traceEvents\":[" TASK_EVENT "],\"otherData\":{\"events\":1,\n\"events on overlap lanes\":0}}",
		"export of msprof"},
	    {"[{\"ph\":\"X\",\"args\":[1]},2]", "item 2 is not an object"}, {"not json", "neither"}};
	struct refs_test *t = *state;

	for (size_t i = 0; i < COUNT(files); i++) {
		read_as(t, "a.json", files[i].text);
		assert_no_reference(t, "a.json", files[i].reason);
	}
	write_file(t->dir, "nul.json", "[{\"a\":\"\0\"}]", 11);
	read_from(t, below(t->dir, "nul.json"));
	assert_no_reference(t, "nul.json", "NUL");
}

static void make_database(struct refs_test *t, const char *name, const char *sql)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(below(t->dir, name), &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void test_sqlite(void **state)
{
	struct refs_test *t = *state;
	const struct mp_reference *ref;

	make_database(t, "board.db",
	    "CREATE TABLE \"op \"\" summary\"(task_id INT, layer_name, time_us REAL, ddr_read, size);"
	    "INSERT INTO \"op \"\" summary\" VALUES(1, 'conv', 79.71, 640, x'00'), (2, NULL, 3.0, '7.50', 'a' || char(0));"
	    "CREATE TABLE unknown(a, b); INSERT INTO unknown VALUES(1, 2);"
	    "CREATE VIEW task AS SELECT 1 AS task_id, 2 AS time;"
	    "CREATE TABLE api(api_name, dur_ns, pid); INSERT INTO api VALUES('init', 5, 6)");
	read_from(t, below(t->dir, "board.db"));
	assert_int_equal(t->refs.refused_count, 0);
	assert_int_equal(t->refs.count, 2);
	ref = &t->refs.items[0];
	assert_non_null(strstr(ref->name, "/board.db:api"));
	assert_int_equal(ref->kind, MP_TABLE_CALLS);
	ref = &t->refs.items[1];
	assert_non_null(strstr(ref->name, "/board.db:op \" summary"));
	assert_int_equal(ref->kind, MP_TABLE_TASKS);
	assert_int_equal(ref->row_count, 2);
	assert_cell(cell_of(ref, 0, MP_MEANS_TIME), "79.71", 7971, 2);
	assert_cell(cell_of(ref, 1, MP_MEANS_TIME), "3", 3, 0);
	assert_cell(cell_of(ref, 1, MP_MEANS_READ), "7.50", 750, 2);
	assert_text(cell_of(ref, 1, MP_MEANS_LAYER_NAME), "");
	assert_text(mp_reference_cell(ref, 0, 4), "");
	assert_text(mp_reference_cell(ref, 1, 4), "a");
}

static void test_no_sqlite(void **state)
{
	struct refs_test *t = *state;

	make_database(t, "ours.db", "PRAGMA application_id=0x6d737072; CREATE TABLE t(task_id, time)");
	read_from(t, below(t->dir, "ours.db"));
	assert_no_reference(t, "ours.db", "is our own database");
	make_database(t, "other.sqlite", "CREATE TABLE t(a, b)");
	read_from(t, below(t->dir, "other.sqlite"));
	assert_no_reference(t, "other.sqlite", "no table in it has a known title");
	read_as(t, "text.db",
	    "This text is long enough to be a database, but it is none at all, and no page of one.\n"
	    "Task ID,Time\n1,2\n");
	assert_no_reference(t, "text.db", "not a database");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_traces, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_json_tables, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_no_json, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_sqlite, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_no_sqlite, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

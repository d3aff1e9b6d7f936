/* test_events.c: rows as a bare array of trace events; columns that a table does without. */
#include "store_support.h"

#include <cjson/cJSON.h>

#include "out_support.h"
#include "report/csv.h"
#include "report/events.h"

#define SQL(s) {.text = s, .len = sizeof(s) - 1}
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

static struct job_test *job;
static struct mp_db *db;
static struct sink sink;
static struct mp_error err;

static int setup(void **state)
{
	if (job_setup(state))
		return -1;
	job = *state;
	db = import_private(job);
	sink_open(&sink);
	return 0;
}

static int teardown(void **state)
{
	sink_close(&sink);
	mp_db_close(db);
	return job_teardown(state);
}

static struct mp_query *first_of(const struct mp_report *report)
{
	struct mp_query *each;

	assert_ok(mp_report_query(&each, db, &report->each, "", "", MP_STYLE_VENDOR, &err), &err);
	assert_int_equal(mp_query_next(each, &err), 1);
	return each;
}

static int write_events(const struct mp_report *report, struct mp_timeline_stats *stats)
{
	struct mp_query *each = first_of(report);
	struct mp_team team;
	int status;

	mp_team_begin(&team, db, 1);
	status = mp_events_write(report, &team, each, MP_STYLE_VENDOR, sink.out, NULL, stats, &err);
	mp_team_end(&team);
	mp_query_close(each);
	return status;
}

static void test_rows_are_events(void **state)
{
	static const struct mp_report report = {.path = "test", .each = SQL("SELECT 7 AS device_id"),
	    .rows = SQL("SELECT column1 AS name, column2 AS pid, column3 AS ts, column4 AS \"args.Task Id\","
			" column5 AS \"args.note\", column6 AS ph, :device_id AS _device FROM (VALUES"
			" ('process_name', '2_77', NULL, NULL, 'Acl \"x\"', 'M'), ('a', 1, 5500.0, 3, NULL, 'X'),"
			" ('b', 1, 0.25, NULL, NULL, 'f'))")};
	struct mp_timeline_stats stats;
	const char *text;
	cJSON *trace;

	(void)state;
	assert_ok(write_events(&report, &stats), &err);
	assert_int_equal(stats.events, 3);
	text = sink_text(&sink);
	trace = cJSON_ParseWithOpts(text, NULL, 0);
	assert_true(cJSON_IsArray(trace) && cJSON_GetArraySize(trace) == 4);
	cJSON_Delete(trace);
	assert_non_null(strstr(text, "{\"name\":\"process_name\",\"pid\":\"2_77\",\"args\":{\"note\":\"Acl \\\"x\\\"\"},\"ph\":\"M\"},\n"));
	assert_non_null(strstr(text, "{\"name\":\"a\",\"pid\":1,\"ts\":5500.0,\"args\":{\"Task Id\":3},\"ph\":\"X\"},\n"));
	assert_non_null(strstr(text, "{\"name\":\"b\",\"pid\":1,\"ts\":0.25,\"ph\":\"f\"},\n"));
	/* the notes of the job come last */
	assert_non_null(strstr(text, "{\"name\":\"msprof\",\"ph\":\"M\",\"pid\":0,\"tid\":0,\"args\":{\"events\":3,\"notes\":["));
	assert_null(strstr(text, "_device"));
}

static void test_refused(void **state)
{
	static const struct mp_report apart = {.path = "test", .each = SQL("SELECT 1 AS k"),
	    .rows = SQL("SELECT 1 AS \"args.a\", 2 AS ph, 3 AS \"args.b\"")};
	static const struct mp_report none = {.path = "test", .each = SQL("SELECT 1 AS k"), .rows = SQL("SELECT 1 AS _a")};
	struct mp_timeline_stats stats;

	(void)state;
	assert_refused(write_events(&apart, &stats), &err, "do not follow each other");
	assert_refused(write_events(&none, &stats), &err, "without a key");
}

static void test_without(void **state)
{
	static const struct mp_report report = {.path = "test", .each = SQL("SELECT 'B' AS drop_it"),
	    .rows = SQL("WITH v AS (SELECT 1 AS x) SELECT x AS \"A\", x + 1 AS \"B\", x + 2 AS \"C\"\"(us)\" FROM v"),
	    .without = SQL("SELECT :drop_it UNION ALL SELECT 'nothing of that name' UNION ALL SELECT NULL")};
	static const struct mp_report all = {.path = "test", .each = SQL("SELECT 1 AS k"), .rows = SQL("SELECT 1 AS \"A\""),
	    .without = SQL("SELECT 'A'")};
	struct mp_section_options options = {.style = MP_STYLE_VENDOR};
	struct mp_query *each;
	struct mp_csv csv;

	(void)state;
	mp_csv_init(&csv, sink.out, false, false);
	each = first_of(&report);
	assert_ok(mp_report_section(&report, db, each, &options, &csv.writer, &err), &err);
	mp_query_close(each);
	assert_string_equal(sink_text(&sink), "A,\"C\"\"(us)\"\n1,3\n");
	each = first_of(&all);
	assert_refused(mp_report_section(&all, db, each, &options, &csv.writer, &err), &err, "no column is left");
	mp_query_close(each);
}

static void test_choice(void **state)
{
	(void)state;
	assert_rows(db, "SELECT * FROM temp.choice", "null|null|1|1|0");
	assert_ok(mp_db_choose(db, &(struct mp_choice){"JOB", 5, 3, 2, true}, &err), &err);
	assert_rows(db, "SELECT * FROM temp.choice", "JOB|5|3|2|1");
	assert_ok(mp_db_choose(db, &(struct mp_choice){NULL, -1, 1, 1, false}, &err), &err);
	assert_rows(db, "SELECT * FROM temp.choice", "null|null|1|1|0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_rows_are_events), TEST(test_refused), TEST(test_without), TEST(test_choice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

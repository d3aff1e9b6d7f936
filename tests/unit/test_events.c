/* test_events.c: rows as a bare array of trace events; columns that a table leaves out. */
#include "rows_support.h"

#include <cjson/cJSON.h>

#include "report/formats.h"
#include "report/timeline.h"

#define TEST(function) cmocka_unit_test_setup_teardown(function, rows_setup, rows_teardown)

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
	static const struct mp_report report = {.path = "test",
	    .each = SQL("SELECT 7 AS device_id"),
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
	assert_non_null(strstr(text,
	    "{\"name\":\"process_name\",\"pid\":\"2_77\",\"args\":{\"note\":\"Acl \\\"x\\\"\"},\"ph\":\"M\"},\n"));
	assert_non_null(
	    strstr(text, "{\"name\":\"a\",\"pid\":1,\"ts\":5500.0,\"args\":{\"Task Id\":3},\"ph\":\"X\"},\n"));
	assert_non_null(strstr(text, "{\"name\":\"b\",\"pid\":1,\"ts\":0.25,\"ph\":\"f\"},\n"));
	/* the notes of the job come last */
	assert_non_null(
	    strstr(text, "{\"name\":\"msprof\",\"ph\":\"M\",\"pid\":0,\"tid\":0,\"args\":{\"events\":3,\"notes\":["));
	assert_null(strstr(text, "_device"));
}

enum { REPEATED_ROWS = 4000 };

/* The expected text of a row in test_repeated, by the formulas of its query. */
static char *put_expected(char *at, int k)
{
	char *begin = at;

	if (k % 7)
		at += sprintf(at, ",\"name\":\"a\\\"b\"");
	at += sprintf(at, ",\"pid\":%d", k / 5 % 3);
	if (k % 4 < 2)
		at += sprintf(at, ",\"id\":9223372036854775807");
	at += sprintf(at, ",\"ph\":\"X\",\"long\":\"");
	for (int i = 0; i < 30; i++)
		at += sprintf(at, "0123456789");
	at += sprintf(at, "\",\"real\":%d.5", k / 3);
	if (k % 11 < 9)
		at += sprintf(at, ",\"args\":{\"%s\":%d}", k % 11 < 5 ? "first" : "last", k % 11 < 5 ? 1 : k / 100);
	at += sprintf(at, ",\"a key that is longer than what is copied of most\":\"%s\"",
	    k % 10 < 5 ? "e" : "a text that is too long to be kept for the next row");
	*begin = '{';
	return at + sprintf(at, "},\n");
}

/* Values equal to those of the previous row are copied, which does not change the text. */
static void test_repeated(void **state)
{
	static const struct mp_report report = {.path = "test",
	    .each = SQL("SELECT 7 AS device_id"),
	    .rows = SQL(
		"SELECT CASE WHEN k / 7 * 7 <> k THEN 'a\"b' END AS name, k / 5 - k / 15 * 3 AS pid,"
		" CASE WHEN k - k / 4 * 4 < 2 THEN 9223372036854775807 END AS id, 'X' AS ph,"
		" '0123456789' || '0123456789' || '0123456789' || '0123456789' || '0123456789' || '0123456789' || '0123456789' || '0123456789'"
		" || '0123456789' || '0123456789' || '0123456789' || '0123456789' || '0123456789' || '0123456789' || '0123456789' || '0123456789'"
		" || '0123456789' || '0123456789' || '0123456789' || '0123456789' || '0123456789' || '0123456789' || '0123456789' || '0123456789'"
		" || '0123456789' || '0123456789' || '0123456789' || '0123456789' || '0123456789' || '0123456789' AS \"long\","
		" k / 3 + 0.5 AS \"real\", CASE WHEN k - k / 11 * 11 < 5 THEN 1 END AS \"args.first\","
		" CASE WHEN k - k / 11 * 11 BETWEEN 5 AND 8 THEN k / 100 END AS \"args.last\","
		" CASE WHEN k - k / 10 * 10 < 5 THEN 'e' ELSE 'a text that is too long to be kept for the next row' END"
		" AS \"a key that is longer than what is copied of most\""
		" FROM number ORDER BY k")};
	char *expected = malloc(REPEATED_ROWS * 1000), *at = expected;
	struct mp_timeline_stats stats;

	(void)state;
	assert_non_null(expected);
	assert_ok(
	    mp_db_run(db,
		"CREATE TABLE number(k INTEGER PRIMARY KEY);"
		"WITH RECURSIVE n(k) AS (VALUES(0) UNION ALL SELECT k + 1 FROM n LIMIT 4000) INSERT INTO number SELECT k FROM n",
		&err),
	    &err);
	assert_ok(write_events(&report, &stats), &err);
	assert_int_equal(stats.events, REPEATED_ROWS);
	at += sprintf(at, "[\n");
	for (int k = 0; k < REPEATED_ROWS; k++)
		at = put_expected(at, k);
	if (strncmp(sink_text(&sink), expected, (size_t)(at - expected)) != 0)
		fail_msg("the rows are not as they should be");
	free(expected);
}

static void test_refused(void **state)
{
	static const struct mp_report apart = {.path = "test",
	    .each = SQL("SELECT 1 AS k"),
	    .rows = SQL("SELECT 1 AS \"args.a\", 2 AS ph, 3 AS \"args.b\"")};
	static const struct mp_report none = {
	    .path = "test", .each = SQL("SELECT 1 AS k"), .rows = SQL("SELECT 1 AS _a")};
	struct mp_timeline_stats stats;

	(void)state;
	assert_refused(write_events(&apart, &stats), &err, "are not adjacent");
	assert_refused(write_events(&none, &stats), &err, "without a key");
}

static void test_without(void **state)
{
	static const struct mp_report report = {.path = "test",
	    .each = SQL("SELECT 'B' AS drop_it"),
	    .rows = SQL("WITH v AS (SELECT 1 AS x) SELECT x AS \"A\", x + 1 AS \"B\", x + 2 AS \"C\"\"(us)\" FROM v"),
	    .table.without = SQL("SELECT :drop_it UNION ALL SELECT 'nothing of that name' UNION ALL SELECT NULL")};
	static const struct mp_report all = {.path = "test",
	    .each = SQL("SELECT 1 AS k"),
	    .rows = SQL("SELECT 1 AS \"A\""),
	    .table.without = SQL("SELECT 'A'")};
	struct mp_section_options options = {.style = MP_STYLE_VENDOR};
	struct mp_query *each;
	struct mp_csv csv;

	(void)state;
	mp_csv_init(&csv, sink.out, false);
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
	assert_rows(
	    db, "SELECT job, model_id, iteration_id, iteration_count, chosen FROM temp.choice", "null|null|1|1|0");
	assert_ok(mp_db_choose(db,
		      &(struct mp_choice){
			  .job = "JOB", .model_id = 5, .iteration_id = 3, .iteration_count = 2, .chosen = true},
		      &err),
	    &err);
	assert_rows(db, "SELECT job, model_id, iteration_id, iteration_count, chosen FROM temp.choice", "JOB|5|3|2|1");
	assert_ok(mp_db_choose(db,
		      &(struct mp_choice){
			  .job = NULL, .model_id = -1, .iteration_id = 1, .iteration_count = 1, .chosen = false},
		      &err),
	    &err);
	assert_rows(
	    db, "SELECT job, model_id, iteration_id, iteration_count, chosen FROM temp.choice", "null|null|1|1|0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_rows_are_events),
	    TEST(test_repeated),
	    TEST(test_refused),
	    TEST(test_without),
	    TEST(test_choice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_timeline.c: rows as a Chrome trace: one event a row, exact times, no partial overlap. */
#include "rows_support.h"

#include <cjson/cJSON.h>

#include "report/timeline.h"

static struct mp_timeline_stats write_trace(const struct mp_report *report)
{
	struct mp_timeline_stats stats;
	struct mp_query *each;
	struct mp_team team;

	assert_ok(mp_report_query(&each, db, &report->each, "", "", MP_STYLE_DEFAULT, &err), &err);
	assert_int_equal(mp_query_next(each, &err), 1);
	mp_team_begin(&team, db, 1);
	assert_ok(mp_timeline_write(report, &team, each, MP_STYLE_DEFAULT, sink.out, NULL, &stats, &err), &err);
	mp_team_end(&team);
	mp_query_close(each);
	return stats;
}

static void test_events(void **state)
{
	static const struct mp_report report = {.path = "test",
	    .tracks.process = "P {pid}",
	    .tracks.thread = "Thread {tid}",
	    .tracks.recorded = "tid, start_ns DESC",
	    .each = SQL("SELECT 1 AS k"),
	    .rows = SQL(
		"SELECT 3 AS pid, column1 AS tid, column2 AS name, column3 AS start_ns, column4 AS dur_ns,"
		" column5 AS \"Task Id\", NULL AS \"No\" FROM (VALUES (1, 'a', 0, 1000001, 7), (1, 'b\"', 5, 10, 8),"
		" (1, 'c', 7, 100, 9), (1, NULL, 1000001, -5, 10), (2, 'd', 9007199254740993, 1, 11))\n")};
	struct mp_timeline_stats stats = write_trace(&report);
	const char *text = sink_text(&sink);
	cJSON *trace = cJSON_ParseWithOpts(text, NULL, 0);

	(void)state;
	assert_non_null(trace);
	cJSON_Delete(trace);
	assert_int_equal(stats.events, 5);
	assert_int_equal(stats.moved, 1); /* b ends within c, and c begins within b */
	assert_non_null(strstr(text, "\"name\":\"a\",\"ph\":\"X\",\"pid\":3,\"tid\":1,\"ts\":0.000,\"dur\":1000.001,"
				     "\"args\":{\"Task Id\":7,\"No\":\"N/A\"}}"));
	assert_non_null(strstr(text, "\"name\":\"b\\\"\""));
	assert_non_null(
	    strstr(text, "\"name\":\"N/A\",\"ph\":\"X\",\"pid\":3,\"tid\":1,\"ts\":1000.001,\"dur\":0.000"));
	assert_non_null(strstr(text, "\"ts\":9007199254740.993"));
	assert_non_null(strstr(text, "\"args\":{\"name\":\"P 3\"}"));
	assert_non_null(strstr(text, "\"args\":{\"name\":\"Thread 2\"}"));
	assert_non_null(strstr(text, "\"args\":{\"name\":\"Thread 1, overlap 1\"}"));
}

/* Times at both ends of the range, recorded forwards and backwards: no overflow, no loss. */
static void test_extreme_times(void **state)
{
	static const struct mp_report reports[] = {
	    {.path = "test",
		.tracks.process = "P",
		.tracks.thread = "T {tid}",
		.tracks.recorded = "start_ns + max(dur_ns, 0) DESC",
		.each = SQL("SELECT 1 AS k"),
		.rows =
		    SQL("SELECT 0 AS pid, 1 AS tid, 'e' AS name, column1 AS start_ns, column2 AS dur_ns FROM (VALUES"
			" (-9223372036854775807 - 1, 0), (-9223372036854775807, 9223372036854775807), (-1, 1), (0, 0),"
			" (9223372036854775807, 0), (9223372036854775806, 5))\n")},
	    {.path = "test",
		.tracks.process = "P",
		.tracks.thread = "T {tid}",
		.tracks.recorded = "start_ns",
		.each = SQL("SELECT 1 AS k"),
		.rows =
		    SQL("SELECT 0 AS pid, 1 AS tid, 'e' AS name, column1 AS start_ns, column2 AS dur_ns FROM (VALUES"
			" (9223372036854775807, 0), (-9223372036854775807 - 1, 0))\n")}};
	static const int64_t counts[] = {6, 2};

	(void)state;
	for (size_t i = 0; i < COUNT(reports); i++) {
		struct mp_timeline_stats stats = write_trace(&reports[i]);
		const char *text = sink_text(&sink);
		cJSON *trace = cJSON_ParseWithOpts(text, NULL, 0);

		assert_non_null(trace);
		cJSON_Delete(trace);
		assert_int_equal(stats.events, counts[i]);
		assert_non_null(strstr(text, "\"ts\":-9223372036854775.808,"));
		assert_non_null(strstr(text, "\"ts\":9223372036854775.807,\"dur\":0.000"));
		sink_close(&sink);
		sink_open(&sink);
	}
}

static void test_no_rows(void **state)
{
	static const struct mp_report report = {.path = "test",
	    .tracks.recorded = "tid, start_ns DESC",
	    .each = SQL("SELECT 1 AS k"),
	    .rows = SQL("SELECT 1 AS pid, 1 AS tid, 'a' AS name, 0 AS start_ns, 0 AS dur_ns WHERE 0\n")};
	struct mp_timeline_stats stats = write_trace(&report);
	cJSON *trace = cJSON_ParseWithOpts(sink_text(&sink), NULL, 0);

	(void)state;
	assert_int_equal(stats.events, 0);
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(trace, "traceEvents")), 0);
	cJSON_Delete(trace);
}

/* Thousands of random events on a few threads: every event arrives, and no two of one tid overlap partly. */
static void test_random_events(void **state)
{
	static const struct mp_report report = {.path = "test",
	    .tracks.process = "P",
	    .tracks.thread = "T {tid}",
	    .tracks.recorded = "tid, start_ns DESC",
	    .each = SQL("SELECT 1 AS k"),
	    .rows = SQL("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
			" SELECT 0 AS pid, i % 3 AS tid, 'e' AS name, i * 7919 % 20011 * 1000 AS start_ns,"
			" i * 104729 % 211 * 1000 AS dur_ns FROM n\n")};
	struct mp_timeline_stats stats = write_trace(&report);
	cJSON *trace = cJSON_ParseWithOpts(sink_text(&sink), NULL, 0);
	const cJSON *event, *other;
	int64_t events = 0;

	(void)state;
	assert_int_equal(stats.events, 3000);
	cJSON_ArrayForEach(event, cJSON_GetObjectItem(trace, "traceEvents"))
	{
		double tid = cJSON_GetObjectItem(event, "tid")->valuedouble, start, end;
		int looked = 0;

		if (!cJSON_GetObjectItem(event, "dur"))
			continue;
		events++;
		start = cJSON_GetObjectItem(event, "ts")->valuedouble;
		end = start + cJSON_GetObjectItem(event, "dur")->valuedouble;
		for (other = event->prev; other && other != event && looked < 300; other = other->prev, looked++) {
			double from, to;

			if (!cJSON_GetObjectItem(other, "dur") ||
			    cJSON_GetObjectItem(other, "tid")->valuedouble < tid ||
			    cJSON_GetObjectItem(other, "tid")->valuedouble > tid)
				continue;
			from = cJSON_GetObjectItem(other, "ts")->valuedouble;
			to = from + cJSON_GetObjectItem(other, "dur")->valuedouble;
			if ((from < start && to > start && to < end) || (start < from && end > from && end < to))
				fail_msg("tid %.0f: %.3f-%.3f and %.3f-%.3f", tid, from, to, start, end);
		}
	}
	assert_int_equal(events, 3000);
	cJSON_Delete(trace);
}

#define CALLS                                                                                                          \
	"SELECT 7 AS pid, tid, name, start_ns, dur_ns, k AS \"No\", k AS _row FROM ranged"                             \
	" WHERE k BETWEEN :split_first AND :split_last\n"

/* Rows by ranges of their key: the bytes are those of rows without ranges, whatever the order and the lengths. */
static void test_ranges(void **state)
{
	static const struct mp_report whole = {.path = "test",
	    .tracks.process = "P {pid}",
	    .tracks.thread = "T {tid}",
	    .tracks.recorded = "k DESC",
	    .each = SQL("SELECT 1 AS one"),
	    .rows = SQL(CALLS)};
	static const char *const changes[] = {"SELECT 1",        /* in the order of recording, with overlaps */
	    "UPDATE ranged SET name = printf('%.*c', 900, 'n')", /* more than a range keeps */
	    "UPDATE ranged SET name = 'short'; UPDATE ranged SET name = printf('%.*c', 90000, 'n') WHERE k = 7000",
	    "UPDATE ranged SET name = 'é\"'; UPDATE ranged SET dur_ns = -5 WHERE k % 100 = 1",
	    "UPDATE ranged SET start_ns = 5 WHERE k = 4321", /* another order: sorted */
	    "DELETE FROM ranged"};
	struct mp_report ranges = whole;

	(void)state;
	strcpy(ranges.rows.split, "ranged.k");
	assert_ok(mp_db_run(db,
		      "CREATE TEMP TABLE ranged(k INTEGER PRIMARY KEY, tid, name, start_ns, dur_ns);"
		      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)"
		      " INSERT INTO ranged SELECT i, i * 7 % 5, 'e' || i % 3, i * 1000 - i * 104729 % 9000,"
		      " i * 104729 % 9000 FROM n",
		      &err),
	    &err);
	for (size_t i = 0; i < COUNT(changes); i++) {
		struct mp_timeline_stats first, second;
		char *text;

		assert_ok(mp_db_run(db, changes[i], &err), &err);
		first = write_trace(&whole);
		text = strdup(sink_text(&sink));
		sink_close(&sink);
		sink_open(&sink);
		second = write_trace(&ranges);
		assert_true(strcmp(text, sink_text(&sink)) == 0);
		assert_int_equal(first.events, i == COUNT(changes) - 1 ? 0 : 9000);
		assert_int_equal(second.events, first.events);
		assert_int_equal(second.moved, first.moved);
		assert_true(i || first.moved > 0);
		sink_close(&sink);
		sink_open(&sink);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_events, rows_setup, rows_teardown),
	    cmocka_unit_test_setup_teardown(test_extreme_times, rows_setup, rows_teardown),
	    cmocka_unit_test_setup_teardown(test_no_rows, rows_setup, rows_teardown),
	    cmocka_unit_test_setup_teardown(test_random_events, rows_setup, rows_teardown),
	    cmocka_unit_test_setup_teardown(test_ranges, rows_setup, rows_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

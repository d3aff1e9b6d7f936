/* test_stacks.c: folded stacks of made-up calls: names, depths, orders, overlaps, and more paths than a table holds. */
#include "rows_support.h"

#include "report/timeline.h"

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, rows_teardown)

static int setup(void **state)
{
	if (rows_setup(state))
		return -1;
	assert_ok(
	    mp_db_run(db, "CREATE TEMP TABLE made(k INTEGER PRIMARY KEY, tid, name, start_ns, dur_ns)", &err), &err);
	return 0;
}

/* The stacks of the rows that `sql` makes, read backwards. */
static const char *fold(const char *sql, int64_t calls)
{
	static const struct mp_report report = {.path = "test",
	    .tracks.process = "P {pid}",
	    .tracks.thread = "T {tid}",
	    .tracks.recorded = "k DESC",
	    .each = SQL("SELECT 1 AS one"),
	    .rows = SQL("SELECT 7 AS pid, tid, name, start_ns, dur_ns, k FROM made\n")};
	struct mp_timeline_stats stats;
	struct mp_query *each;

	sink_close(&sink);
	sink_open(&sink);
	assert_ok(mp_db_run(db, "DELETE FROM made", &err), &err);
	assert_ok(mp_db_run(db, sql, &err), &err);
	assert_ok(mp_report_query(&each, db, &report.each, "", "", MP_STYLE_DEFAULT, &err), &err);
	assert_int_equal(mp_query_next(each, &err), 1);
	assert_ok(mp_stacks_write(&report, db, each, MP_STYLE_DEFAULT, sink.out, NULL, &stats, &err), &err);
	mp_query_close(each);
	assert_int_equal(stats.events, calls);
	return sink_text(&sink);
}

#define MAKE "INSERT INTO made(tid, name, start_ns, dur_ns) VALUES "

static void test_nested(void **state)
{
	(void)state;
	/* inner calls are recorded before outer ones */
	assert_string_equal(
	    fold(MAKE
		"(1, 'b', 2, 3), (1, 'c', 6, 2), (1, 'b', 8, 1), (1, 'a', 0, 10), (2, 'a', 0, 5), (1, 'a', 20, 1)",
		6),
	    "P 7;T 1;a 5\nP 7;T 1;a;b 4\nP 7;T 1;a;c 2\nP 7;T 2;a 5\n");
	/* the same in another order */
	assert_string_equal(
	    fold(MAKE
		"(1, 'a', 20, 1), (1, 'a', 0, 10), (2, 'a', 0, 5), (1, 'c', 6, 2), (1, 'b', 8, 1), (1, 'b', 2, 3)",
		6),
	    "P 7;T 1;a 5\nP 7;T 1;a;b 4\nP 7;T 1;a;c 2\nP 7;T 2;a 5\n");
	/* a call that is as long as its outer one leaves it nothing; calls without a time weigh nothing */
	assert_string_equal(
	    fold(MAKE "(1, 'b', 0, 10), (1, 'a', 0, 10), (1, 'c', 3, 0), (1, 'd', 30, -1), (1, 'e', NULL, 5)", 2),
	    "P 7;T 1;a;b 10\n");
	assert_string_equal(fold("SELECT 1", 0), "");
}

/* Each moment belongs to one call. */
static void test_overlaps(void **state)
{
	(void)state;
	assert_string_equal(fold(MAKE "(1, 'a', 0, 10), (1, 'b', 4, 12)", 2), "P 7;T 1;a 10\nP 7;T 1;b 6\n");
	assert_string_equal(fold(MAKE "(1, 'b', 1, 5), (1, 'c', 4, 5), (1, 'a', 0, 10)", 3),
	    "P 7;T 1;a 2\nP 7;T 1;a;b 5\nP 7;T 1;a;c 3\n");
}

static void test_names(void **state)
{
	const char *text;

	(void)state;
	assert_string_equal(
	    fold(MAKE
		"(1, 'a;b c 7', 0, 1), (1, 'new' || char(10) || 'line', 2, 1), (1, NULL, 4, 1), (1, '', 6, 1), (1, x'ff', 8, 1)",
		5),
	    "P 7;T 1;N/A 2\nP 7;T 1;\\xff 1\nP 7;T 1;a,b c 7 1\nP 7;T 1;new\\x0aline 1\n");
	text = fold(MAKE "(1, printf('%.*c', 90000, 'n'), 0, 1)", 1);
	assert_true(strlen(text) < 2048);
	/* the end of time */
	assert_string_equal(
	    fold(MAKE "(1, 'a', 9223372036854775000, 9223372036854775000), (1, 'b', -9223372036854775807, 9)", 2),
	    "P 7;T 1;a 807\nP 7;T 1;b 9\n");
}

/* What is too deep is the time of the call around it. */
static void test_deep(void **state)
{
	const char *text = fold(
	    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2999)"
	    " INSERT INTO made(tid, name, start_ns, dur_ns) SELECT 1, 'f', i, 10000 - 2 * i FROM n ORDER BY i DESC",
	    3000);
	const char *last = text, *line;
	int64_t sum = 0;
	int lines = 0;

	(void)state;
	for (line = text; *line; line = strchr(line, '\n') + 1, lines++) {
		sum += strtoll(strrchr(line, ' ') ? strchr(strstr(line, ";f"), ' ') : "", NULL, 10);
		last = line;
	}
	assert_int_equal(lines, 256);
	assert_int_equal(sum, 10000);
	assert_true(strlen(last) > 512);
}

/* Threads beyond those of one time are read one after the other; paths beyond the table come in several blocks. */
static void test_many(void **state)
{
	const char *text =
	    fold("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 149999)"
		 " INSERT INTO made(tid, name, start_ns, dur_ns) SELECT i % 2000, 'name ' || i, i * 10, 7 FROM n",
		150000);
	int lines = 0;

	(void)state;
	for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
		assert_true(strncmp(strchr(line, '\n') - 2, " 7\n", 3) == 0);
		lines++;
	}
	assert_int_equal(lines, 150000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_nested),
	    TEST(test_overlaps),
	    TEST(test_names),
	    TEST(test_deep),
	    TEST(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

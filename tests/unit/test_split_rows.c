/*
 * test_split_rows.c: reports written by several threads, range by range, equal those of one thread; connections of a
 * team.
 */
#include "store_support.h"

#include "expr/engine.h"
#include "out_support.h"
#include "report/formats.h"
#include "report/split_rows.h"
#include "report/timeline.h"

#define SQL(s)                                                                                                         \
	{                                                                                                              \
		.text = s, .len = sizeof(s) - 1                                                                        \
	}
#define SPLIT(key, s)                                                                                                  \
	{                                                                                                              \
		.split = key, .text = s, .len = sizeof(s) - 1                                                          \
	}
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

enum { TASKS = 40007 };

static struct job_test *job;
static struct mp_db *db;
static struct mp_error err;
static char path[2048];

static int setup(void **state)
{
	unsigned char *core = calloc(TASKS, AICORE_SIZE);

	if (job_setup(state) || !core)
		return -1;
	job = *state;
	write_job(job);
	for (uint32_t i = 0; i < TASKS; i++)
		put_aicore(core + (size_t)i * AICORE_SIZE, i, 7 + i % 3);
	write_done(job, CORE_FILE, core, (size_t)TASKS * AICORE_SIZE, START_US);
	free(core);
	job_open(job);
	assert_ok(mp_import(job->job, &job->layouts, &import_options, &err), &err);
	snprintf(path, sizeof(path), "%s", below(job->dir, "sqlite/msprof.db"));
	assert_ok(mp_db_open(&db, AT_FDCWD, path, path, &err), &err);
	mp_expr_attach(db, 0);
	return 0;
}

static int teardown(void **state)
{
	mp_db_close(db);
	return job_teardown(state);
}

/* The caller's thread receives progress, also while it waits for others. */
static int64_t told;

static void tell_progress(void *user, int64_t events)
{
	assert_ptr_equal(user, &told);
	assert_true(events >= told);
	told = events;
}

static const struct mp_timeline_progress progress = {.update = tell_progress, .user = &told};

/* Write the report with `threads` threads; the caller frees the text. `members` receives the number of connections. */
static char *write_report(const struct mp_report *report, bool events, int threads, int *members)
{
	struct mp_timeline_stats stats;
	struct mp_query *each;
	struct mp_team team;
	struct sink sink;
	struct mp_csv csv;
	int status;
	char *text;

	sink_open(&sink);
	mp_csv_init(&csv, sink.out, false);
	mp_team_begin(&team, db, threads);
	assert_ok(mp_report_query(&each, db, &report->each, "", "", MP_STYLE_VENDOR, &err), &err);
	assert_int_equal(mp_query_next(each, &err), 1);
	told = 0;
	status = events ? mp_events_write(report, &team, each, MP_STYLE_VENDOR, sink.out, &progress, &stats, &err)
			: mp_report_section(report, db, each,
			      &(struct mp_section_options){.style = MP_STYLE_VENDOR, .team = &team, .out = sink.out},
			      &csv.writer, &err);
	text = status ? NULL : strdup(sink_text(&sink));
	*members = team.count;
	mp_query_close(each);
	mp_team_end(&team);
	sink_close(&sink);
	return text;
}

static void assert_same(const struct mp_report *report, bool events)
{
	int members;
	char *alone = write_report(report, events, 1, &members);

	assert_non_null(alone);
	for (int threads = 2; threads <= 8; threads *= 2) {
		char *text = write_report(report, events, threads, &members);

		assert_non_null(text);
		assert_int_equal(members, threads);
		assert_true(strcmp(text, alone) == 0);
		free(text);
	}
	free(alone);
}

static void test_events(void **state)
{
	static const struct mp_report report = {.path = "test",
	    .each = SQL("SELECT 7 AS k, 'x' AS word"),
	    .rows = SQL("SELECT 'first' AS name, :k AS pid"),
	    .layers = {SPLIT("aicore_task.rowid",
			   "SELECT 'a' || rowid AS name, start_ns AS ts, :word AS \"args.word\" FROM aicore_task"
			   " WHERE rowid BETWEEN :split_first AND :split_last"),
		SQL("SELECT 'whole' AS name, row_number() OVER (PARTITION BY task_id % 100 ORDER BY rowid)"
		    " AS \"args.number\" FROM aicore_task"),
		SPLIT("aicore_task.rowid",
		    "SELECT 'c' AS name, rowid AS \"args.row\" FROM aicore_task WHERE rowid % 3 = 0 AND"
		    " rowid BETWEEN :split_first AND :split_last"),
		SPLIT("source.rowid",
		    "SELECT 'few' AS name FROM source WHERE rowid = 1 AND rowid BETWEEN :split_first AND :split_last"),
		SPLIT("aicpu_task.rowid",
		    "SELECT 'none' AS name FROM aicpu_task WHERE rowid BETWEEN :split_first AND :split_last")},
	    .layer_count = 5};
	char *text;
	int members;

	(void)state;
	assert_same(&report, true);
	text = write_report(&report, true, 2, &members);
	assert_non_null(strstr(text, "{\"name\":\"a40007\","));
	assert_true(told > 0);
	assert_non_null(strstr(text, "\"args\":{\"events\":93351,")); /* 1 + 40007 + 40007 + 13335 + 1 */
	free(text);
}

static int64_t ranges, rows_seen;

static int open_far(void *user, int query, struct mp_db *from, struct mp_query **rows, struct mp_error *e)
{
	static const char sql[] = "SELECT id FROM far WHERE id BETWEEN :split_first AND :split_last";

	(void)user, (void)query;
	return mp_query_open(rows, from, sql, sizeof(sql) - 1, e);
}

static int count_far(void *user, int member, int query, struct mp_query *rows, struct mp_out *out, struct mp_error *e)
{
	int status;

	(void)user, (void)member, (void)query, (void)out;
	ranges++;
	while ((status = mp_query_next(rows, e)) == 1)
		rows_seen++;
	return status;
}

/* The work follows the rows, however far apart their keys are. */
static void test_far_keys(void **state)
{
	static const struct mp_sql sql = {.split = "far.id", .text = "", .len = 0};
	const struct mp_split_rows what = {.count = 1, .queries = {&sql}, .open = open_far, .write = count_far};
	struct mp_db *private;
	struct mp_team team;
	struct sink sink;

	(void)state;
	assert_ok(mp_db_private(&private, &err), &err);
	assert_ok(
	    mp_db_run(private,
		"CREATE TABLE far(id INTEGER PRIMARY KEY); INSERT INTO far VALUES (-9223372036854775807), (0), (1), (9223372036854775807);",
		&err),
	    &err);
	sink_open(&sink);
	mp_team_begin(&team, private, 1);
	ranges = rows_seen = 0;
	assert_ok(mp_split_rows_write(&what, &team, sink.out, &err), &err);
	assert_int_equal(rows_seen, 4);
	assert_in_range(ranges, 1, 16);
	mp_team_end(&team);
	sink_close(&sink);
	mp_db_close(private);
}

static void test_table(void **state)
{
	static const struct mp_report report = {.path = "test",
	    .each = SQL("SELECT 7 AS k"),
	    .table.columns = SQL("SELECT '2 * task_id', 'twice'"),
	    .rows = SPLIT("aicore_task.rowid",
		"SELECT rowid AS \"row\", :k AS k, 'a,b' AS quoted, 1.5 AS gone{columns} FROM aicore_task"
		" WHERE rowid BETWEEN :split_first AND :split_last ORDER BY rowid"),
	    .table.without = SQL("SELECT 'gone'")};
	char *text;
	int members;

	(void)state;
	assert_same(&report, false);
	text = write_report(&report, false, 2, &members);
	assert_non_null(strstr(text, "row,k,quoted,twice\n1,7,\"a,b\",0\n"));
	assert_non_null(strstr(text, "\n40007,7,\"a,b\",80012\n"));
	free(text);
}

/* Each connection has the user's choice. */
static void test_choice(void **state)
{
	static const struct mp_report report = {.path = "test",
	    .each = SQL("SELECT 7 AS k"),
	    .rows = SPLIT("aicore_task.rowid",
		"SELECT aicore_task.rowid AS \"row\", job, model_id, iteration_id, iteration_count, chosen,"
		" (SELECT group_concat(layer) FROM temp.unwanted) AS layers FROM aicore_task, temp.choice"
		" WHERE aicore_task.rowid BETWEEN :split_first AND :split_last")};
	char *text;
	int members;

	(void)state;
	assert_ok(mp_db_choose(db,
		      &(struct mp_choice){
			  .job = "JOB", .model_id = 5, .iteration_id = 3, .iteration_count = 2, .chosen = true},
		      &err),
	    &err);
	assert_ok(mp_db_unwanted(db, "{\"json_process\":{\"cann\":false,\"freq\":false,\"ascend\":true}}", &err), &err);
	assert_same(&report, false);
	text = write_report(&report, false, 1, &members);
	assert_non_null(strstr(text, "\n40007,JOB,5,3,2,1,\"cann,freq\"\n"));
	free(text);
}

/* An error in a later range: the first error in the order of rows counts, whatever thread meets it. */
static void test_error(void **state)
{
	static const struct mp_report report = {.path = "test",
	    .each = SQL("SELECT 7 AS k"),
	    .rows = SPLIT("aicore_task.rowid",
		"SELECT CASE WHEN rowid = 30000 THEN json('late') WHEN rowid = 30001 THEN abs(-9223372036854775807 - 1)"
		" ELSE rowid END AS \"row\" FROM aicore_task WHERE rowid BETWEEN :split_first AND :split_last")};
	int members;

	(void)state;
	for (int threads = 1; threads <= 4; threads++) {
		assert_null(write_report(&report, false, threads, &members));
		assert_non_null(strstr(err.text, "malformed JSON"));
		assert_int_equal(members, threads);
	}
}

/* Where @each tells the keys of its rows, only these are divided, into few ranges if there are few rows. */
static void test_within(void **state)
{
	static const struct {
		const char *each, *ranges;
	} cases[] = {{"SELECT 1000 AS _a, 41000 AS _z, 3 AS _n", "1000,41000\n"},
	    {"SELECT 1000 AS _a, 41000 AS _z, 4096 AS _n", "1000,14333\n14334,27667\n27668,41000\n"},
	    {"SELECT 1000 AS _a, 5000 AS _z, 4001 AS _n", "1000,3047\n3048,5000\n"},
	    {"SELECT 0 AS _a, -1 AS _z, 0 AS _n", "0,-1\n"}, {"SELECT 7 AS _a, 7 AS _z, 1 AS _n", "7,7\n"}};
	int members;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mp_report report = {.path = "test",
		    .each = {.text = cases[i].each, .len = strlen(cases[i].each)},
		    .rows = {.split = "aicore_task.rowid",
			.within = {"_a", "_z", "_n"},
			.text = "SELECT :split_first AS first, :split_last AS last",
			.len = strlen("SELECT :split_first AS first, :split_last AS last")}};
		char *text = write_report(&report, false, 2, &members);

		assert_non_null(text);
		assert_memory_equal(text, "first,last\n", strlen("first,last\n"));
		assert_string_equal(text + strlen("first,last\n"), cases[i].ranges);
		free(text);
	}
}

/* Keys at both ends of all numbers, and far apart: each row once, in order. */
static void test_far_apart(void **state)
{
	static const struct mp_report report = {.path = "test",
	    .each = SQL("SELECT 7 AS k"),
	    .rows = SPLIT("far.id", "SELECT id FROM far WHERE id BETWEEN :split_first AND :split_last ORDER BY id")};
	struct mp_db *file = db;
	char *text;
	int members;

	(void)state;
	db = import_private(job);
	assert_ok(
	    mp_db_run(db,
		"CREATE TABLE far(id INTEGER PRIMARY KEY);"
		"INSERT INTO far VALUES(-9223372036854775807 - 1), (-9223372036854775807), (-4097), (-1), (0), (4095), (4096),"
		" (9223372036854775806), (9223372036854775807)",
		&err),
	    &err);
	text = write_report(&report, false, 4, &members);
	assert_int_equal(members, 1); /* nobody else can see a private database */
	assert_string_equal(text,
	    "id\n-9223372036854775808\n-9223372036854775807\n-4097\n-1\n0\n4095\n4096\n9223372036854775806\n"
	    "9223372036854775807\n");
	free(text);
	assert_ok(mp_db_run(db, "DELETE FROM far", &err), &err);
	text = write_report(&report, false, 4, &members);
	assert_string_equal(text, "id\n");
	free(text);
	mp_db_close(db);
	db = file;
}

/* A file that replaces the open file is not mixed with it. */
static void test_replaced(void **state)
{
	static const struct mp_report report = {.path = "test",
	    .each = SQL("SELECT 7 AS k"),
	    .rows = SPLIT("aicore_task.rowid",
		"SELECT rowid AS \"row\" FROM aicore_task WHERE rowid BETWEEN :split_first AND :split_last")};
	char *before, *after;
	int members;

	(void)state;
	before = write_report(&report, false, 2, &members);
	assert_int_equal(members, 2);
	write_done(job, CORE_FILE, "", 0, START_US);
	job_open(job);
	assert_ok(mp_import(job->job, &job->layouts, &import_options, &err), &err);
	after = write_report(&report, false, 2, &members);
	assert_int_equal(members, 2);
	assert_string_equal(after, before);
	free(before);
	free(after);
}

/* Two rows do not need another thread, nor does a sorted or limited table. */
static void test_alone(void **state)
{
	static const struct mp_report few = {.path = "test",
	    .each = SQL("SELECT 7 AS k"),
	    .rows = SPLIT("source.rowid", "SELECT rowid FROM source WHERE rowid BETWEEN :split_first AND :split_last")};
	int members;

	(void)state;
	free(write_report(&few, false, 8, &members));
	assert_int_equal(members, 1);
	assert_true(mp_team_processors() >= 1 && mp_team_processors() <= MP_TEAM_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_events),
	    TEST(test_far_keys),
	    TEST(test_table),
	    TEST(test_choice),
	    TEST(test_error),
	    TEST(test_within),
	    TEST(test_far_apart),
	    TEST(test_replaced),
	    TEST(test_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

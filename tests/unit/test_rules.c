/* test_rules.c: rules of jobs: what each says of a few rows. */
#include "join/rules.h"
#include "store/connection.h"
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
	return mp_rules_register(db, &err);
}

static int teardown(void **state)
{
	mp_db_close(db);
	return job_teardown(state);
}

static void run(const char *sql)
{
	assert_ok(mp_db_run(db, sql, &err), &err);
}

/* host, device, stream, time, ends, task: two streams; the second one ends and begins again */
static void flips_count_batches(void **state)
{
	(void)state;
	run("CREATE VIRTUAL TABLE temp.flip USING flip_batches(SELECT * FROM (VALUES (0, 0, 2, 30, 0, 5), (0, 0, 1, 10, 0, 0),"
	    " (0, 0, 2, 20, 0, 3), (0, 0, 2, 50, 0, 1), (0, 0, 2, 40, 1, 0), (1, 0, 1, 10, 0, 7)))");
	assert_rows(db, "SELECT host, stream_id, time_ns, task_id, batch_id FROM temp.flip",
	    "0|1|10|0|1 / 0|2|20|3|1 / 0|2|30|5|2 / 0|2|40|0|0 / 0|2|50|1|1 / 1|1|10|7|1");
}

/* The host's flip at 100 makes launches after it those of batch 1, whatever they say; number 2 is below that of the
 * flip. */
static void late_launches_are_those_of_their_batch(void **state)
{
	(void)state;
	run("CREATE VIRTUAL TABLE temp.late USING late_launches("
	    "(SELECT * FROM (VALUES (1, 0, 4, 1, 3, 100), (0, 0, 4, 1, 3, 0))),"
	    "(SELECT * FROM (VALUES (71, 0, 4, 9, 0, 200), (72, 0, 4, 9, 0, 50), (73, 0, 4, 2, 0, 60), (74, 0, 5, 9, 6, 60))),"
	    "(SELECT * FROM (VALUES (1, 0, 4, 9, 0), (2, 0, 4, 9, 1), (3, 0, 4, 9, 1), (4, 0, 4, 2, 0), (5, 0, 5, 9, 6))))");
	assert_rows(db, "SELECT id, launched, batch_id FROM temp.late", "1|72|0 / 2|71|1 / 4|73|1 / 5|74|6");
}

/* Number 4 is not below 3: from then on numbers below 3 are of the next batch. */
static void runs_that_raced_with_a_flip(void **state)
{
	(void)state;
	run("CREATE VIRTUAL TABLE temp.raced USING raced_runs((SELECT 0, 0, 4, 1, 3, 100),"
	    "(SELECT * FROM (VALUES (1, 0, 4, 0, 2), (2, 0, 4, 0, 4), (3, 0, 4, 0, 2), (4, 0, 4, 1, 2), (5, 0, 5, 0, 2))))");
	assert_rows(db, "SELECT id FROM temp.raced", "3");
}

static void a_run_that_repeats_bears_the_only_launch(void **state)
{
	(void)state;
	run("CREATE VIRTUAL TABLE temp.repeat USING repeated_runs("
	    "(SELECT * FROM (VALUES (1, 0, 1, 1, 0), (2, 0, 1, 2, 0), (3, 0, 1, 2, 0))),"
	    "(SELECT * FROM (VALUES (4, 0, 1, 1, 0), (5, 0, 1, 1, 0), (6, 0, 1, 2, 0), (7, 0, 1, 1, 1))))");
	assert_rows(db, "SELECT id, launched FROM temp.repeat", "4|1 / 5|1");
}

static void a_sub_task_is_of_the_latest_run_of_its_task(void **state)
{
	(void)state;
	run("CREATE VIRTUAL TABLE temp.whole USING whole_runs(SELECT * FROM (VALUES"
	    " (1, 0, 1, 1, 1), (2, 0, 1, 1, 0), (3, 0, 1, 1, 1), (4, 0, 1, 1, 0), (5, 0, 1, 1, 1), (6, 0, 1, 2, 1)))");
	assert_rows(db, "SELECT id, launched FROM temp.whole", "3|2 / 5|4");
}

static void an_end_closes_the_start_just_before_it(void **state)
{
	(void)state;
	run("CREATE VIRTUAL TABLE temp.pair USING start_end_pairs(SELECT * FROM (VALUES (1, 0, 0, 1, 1), (2, 0, 0, 1, 1),"
	    " (3, 0, 0, 1, 2), (4, 1, 0, 1, 1), (5, 1, 0, 1, 1), (6, 1, 0, 1, 2), (7, 1, 0, 1, 3)))");
	assert_rows(db, "SELECT device_id, start_row, end_row FROM temp.pair", "0|2|4 / 0|3|6");
}

/* 2 and 3 lie in 1, also where 3 ends later; 4 lies in 3 alone, 5 in the whole; the first within another begins with
 * it. */
static void intervals_lie_within_the_latest_that_has_not_ended(void **state)
{
	(void)state;
	run("CREATE VIRTUAL TABLE temp.nested USING nesting(SELECT *, 7 FROM (VALUES (10, 20), (12, 15), (18, 30), (25, 28), (31, 40)))");
	assert_rows(db, "SELECT id, parent, last, since, until, inner FROM temp.nested WHERE id > 2",
	    "3|1|4|18|20|3 / 4|3|4|18|20|0 / 5|0|5|31|40|0");
	assert_rows(db,
	    "SELECT id, parent, last, since = -9223372036854775807 - 1, until FROM temp.nested WHERE id <= 2",
	    "1|0|4|1|20 / 2|1|2|1|15");
	assert_rows(db, "SELECT inner FROM temp.nested WHERE id = 1", "15");
	assert_rows(db, "SELECT record FROM temp.nested WHERE id = 5", "7");
}

/* Rows of a table of a rule are in the order of rowids: SQLite sorts by other columns alone. */
static void rows_of_a_rule_are_in_order(void **state)
{
	(void)state;
	run("CREATE VIRTUAL TABLE temp.ordered USING nesting(SELECT 1, 2, 3)");
	for (int i = 0; i < 2; i++) {
		sqlite3_stmt *q;

		assert_int_equal(
		    sqlite3_prepare_v2(db->handle,
			i ? "SELECT id FROM temp.ordered ORDER BY inner" : "SELECT id FROM temp.ordered ORDER BY rowid",
			-1, &q, NULL),
		    SQLITE_OK);
		assert_int_equal(sqlite3_step(q), SQLITE_ROW);
		assert_int_equal(sqlite3_stmt_status(q, SQLITE_STMTSTATUS_SORT, 0), i);
		sqlite3_finalize(q);
	}
}

/* 3 in 2 in 1, and 4, which has nothing. Doubles are added in the order of the rows: 0.1 + 0.2 + 0.3 is not 0.3 + 0.2 +
 * 0.1. */
static void sums_go_up(void **state)
{
	(void)state;
	run("CREATE VIRTUAL TABLE temp.sums USING nested_sums((SELECT * FROM (VALUES (0), (1), (2), (0))),"
	    " (SELECT column1, bits_of(column2), column3 FROM (VALUES (3, 0.1, 0), (1, 0.2, 1), (3, 0.3, 1), (9, 1.0, 1))))");
	assert_rows(db,
	    "SELECT id, repr(double_of(own)), repr(double_of(whole)), repr(double_of(own_kind)), repr(double_of(whole_kind)) FROM temp.sums",
	    "1|0.2|0.6000000000000001|0.2|0.5 / 2|null|0.4|null|0.3 / 3|0.4|0.4|0.3|0.3");
}

/* 300 within each other: from level 256 on they lie side by side. */
static void intervals_lie_256_deep(void **state)
{
	(void)state;
	run("CREATE VIRTUAL TABLE temp.deep USING nesting(WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT i, 1000 - i, i FROM n)");
	assert_rows(db,
	    "SELECT max(parent), count(*) FILTER (WHERE depth > 256), min(id) FILTER (WHERE depth > 256) FROM temp.deep",
	    "255|44|257");
	assert_rows(
	    db, "SELECT parent, last FROM temp.deep WHERE id IN (255, 256, 300)", "254|300 / 255|256 / 255|300");
}

/* Operators 7, 8 in 7, and 9 of another thread. What was taken out at 100 was put in within 8, at 200 within 7 alone.
 */
static void launches_belong_to_operators(void **state)
{
	static const char ops[] =
	    "(SELECT * FROM (VALUES (10, 90, 1, 7), (20, 40, 1, 8), (21, 39, 2, 9), (95, 99, 1, 6)))";
	char sql[1024];

	(void)state;
	snprintf(sql, sizeof(sql),
	    "CREATE VIRTUAL TABLE temp.taken USING launch_ops("
	    "(SELECT * FROM (VALUES (101, 105, 5, 70), (106, 107, 5, 71), (108, 111, 5, 72), (201, 202, 5, 73))),"
	    "(SELECT * FROM (VALUES (100, 110, 5, 25, 26, 1), (200, 210, 5, 96, 97, 1))), %s)",
	    ops);
	run(sql);
	assert_rows(db, "SELECT id, connection_id FROM temp.taken", "8|70 / 8|71 / 6|73");
	snprintf(sql, sizeof(sql),
	    "CREATE VIRTUAL TABLE temp.alone USING launch_ops("
	    "(SELECT * FROM (VALUES (25, 26, 1, 70), (25, 26, 2, 71), (50, 51, 1, 72), (96, 97, 1, 73))),"
	    "(SELECT 1, 2, 3, 4, 5, 6 WHERE 0), %s)",
	    ops);
	run(sql);
	assert_rows(db, "SELECT id, connection_id FROM temp.alone", "8|70 / 9|72");
}

/* Each launch would look at 3000 operators that are not around it: the looks are counted, and end with a row of 0. */
static void looks_for_launches_are_bounded(void **state)
{
	(void)state;
	run("CREATE VIRTUAL TABLE temp.many USING launch_ops("
	    "(WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 3000) SELECT 5, 6, 1, i FROM n),"
	    "(SELECT 1, 2, 3, 4, 5, 6 WHERE 0),"
	    "(WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 3000) SELECT 1, 4, 1, i FROM n))");
	assert_rows(db, "SELECT id, connection_id FROM temp.many", "0|0");
}

/* Thread 1 calls twice, returns three times, and calls; thread 2 returns, and calls twice without an end. */
static void returns_end_the_last_open_call(void **state)
{
	(void)state;
	run("CREATE VIRTUAL TABLE temp.stacked USING call_stacks(SELECT * FROM (VALUES (1, 1), (1, 1), (1, 0), (1, -1), (1, -1), (1, -1),"
	    " (1, 1), (2, -1), (2, 1), (2, 1)))");
	assert_rows(db, "SELECT id, until, parent FROM temp.stacked", "2|4|1 / 1|5|0 / 7|0|0 / 10|0|9 / 9|0|0");
}

/* Batches of two iterations, the first one from batch 4 on; two counters for three runs of task 5. */
static void runs_have_batches_and_counters(void **state)
{
	(void)state;
	run("CREATE VIRTUAL TABLE temp.batched USING batched_runs((SELECT * FROM (VALUES (70, 0, 1, 5), (71, 0, 1, 5))),"
	    "(SELECT * FROM (VALUES (1, 0, 1, 5, 8, 4), (2, 0, 1, 6, 8, 4), (3, 0, 1, 5, 8, 4), (4, 0, 1, 5, 9, 0),"
	    " (5, 0, 1, 9, 8, 4), (6, 0, 1, 9, 8, 4))))");
	assert_rows(db, "SELECT row, batch_id, counter_row FROM temp.batched",
	    "1|4|70 / 2|4|0 / 3|5|71 / 4|0|0 / 5|5|0 / 6|6|0");
}

static void equal_tensors_are_alike(void **state)
{
	char sql[1024] = "CREATE VIRTUAL TABLE temp.alike USING alike_tensors(SELECT column1, 3, column2";

	(void)state;
	for (int i = 1; i < 56; i++)
		strcat(sql, ", 1");
	strcat(sql, " FROM (VALUES (10, 5), (11, 6), (12, 5)))");
	run(sql);
	assert_rows(db, "SELECT row, device_id, first_row FROM temp.alike", "10|3|10 / 11|3|11 / 12|3|10");
}

/* A set of 9, and one of 32, whose table grows twice: as a hash table of libstdc++ gives them, by a program of its own.
 */
static void sets_are_in_the_order_of_a_hash_table(void **state)
{
	(void)state;
	run("CREATE VIRTUAL TABLE temp.ordered USING hash_order("
	    "SELECT 1, 3 * value + 3, (3 * value + 3) * 7 % 41 FROM numbers(9)"
	    " UNION ALL SELECT 2, value + 1, (value + 1) * 7 % 41 FROM numbers(32))");
	assert_rows(db, "SELECT group_concat(id) FROM temp.ordered",
	    "27,24,21,18,15,12,9,6,3,"
	    "32,31,30,11,1,10,13,23,9,5,12,22,8,4,7,17,3,6,16,2,14,15,18,28,19,29,20,21,24,25,26,27");
	run("CREATE VIRTUAL TABLE temp.empty USING hash_order(SELECT 1, 2, 3 WHERE 0)");
	assert_rows(db, "SELECT count(*) FROM temp.empty", "0");
}

/* Two devices of 40 and 50 rows, some without a run or a row, some of one task; 120 rows that quick sort would split
 * badly. All are in the order that std::sort and a hash table of libstdc++ give them, by a program of its own. */
static void tasks_are_in_the_order_of_unstable_sorts(void **state)
{
	(void)state;
	run("CREATE VIRTUAL TABLE temp.tied USING task_order(SELECT value < 50, value + 1, value * 7 % 13 + 1, value % 3,"
	    " value % 40 + 1, value % 2, value % 11 <> 10, value % 5 <> 4, 1 FROM numbers(90))");
	assert_rows(db, "SELECT group_concat(id) FROM temp.tied",
	    "27,1,14,79,53,16,29,3,42,68,81,31,18,83,57,59,72,7,46,9,74,87,61,48,63,89,37,24,76,26,78,39,13,52,"
	    "28,41,2,54,67,82,69,56,17,43,4,6,58,84,71,19,32,34,47,21,8,73,86,36,49,23,62,64,12,38,51");
	run("CREATE VIRTUAL TABLE temp.as_they_come USING task_order(SELECT value < 50, value + 1, value * 7 % 13 + 1, value % 3,"
	    " value % 40 + 1, value % 2, value % 11 <> 10, value % 5 <> 4, 0 FROM numbers(90))");
	assert_rows(db, "SELECT group_concat(id) FROM temp.as_they_come",
	    "27,1,53,14,79,42,16,81,3,68,29,31,57,18,83,59,7,72,46,61,87,48,9,74,24,89,63,37,76,13,52,39,26,78,"
	    "67,2,54,28,41,4,43,56,69,82,17,19,84,6,32,58,71,86,21,8,47,34,73,23,49,62,36,51,38,64,12");
	run("CREATE TEMP TABLE start AS SELECT key, value FROM json_each('["
	    "51,1,41,2,58,3,40,4,50,5,39,6,55,7,38,8,49,9,37,10,59,11,13,12,60,59,58,57,56,55,54,53,52,51,50,49,"
	    "48,47,46,45,44,43,42,41,40,39,38,48,54,47,57,46,53,45,61,44,52,43,56,42,1,2,3,4,5,6,7,8,9,10,11,12,"
	    "37,35,36,34,35,33,34,32,33,31,32,30,31,29,30,28,29,27,28,26,27,25,26,24,25,23,24,22,23,21,22,20,21,"
	    "19,20,18,19,17,18,16,17,15,16,14,15,13,14,36"
	    "]')");
	run("CREATE VIRTUAL TABLE temp.deep USING task_order(SELECT 0, key + 1, value, 0, key, 0, 1, 1, 1 FROM temp.start)");
	assert_rows(db, "SELECT group_concat(id) FROM temp.deep",
	    "2,61,4,62,63,6,8,64,65,10,66,12,67,14,16,68,69,18,20,70,71,22,24,72,118,23,119,116,114,117,115,112,"
	    "110,113,108,111,109,106,104,107,102,105,103,100,98,101,99,96,97,94,95,92,90,93,88,91,89,86,87,84,82,"
	    "85,80,83,78,81,76,79,74,77,120,75,19,73,15,47,46,11,7,45,3,44,60,43,58,42,56,41,40,54,52,39,50,38,"
	    "48,37,17,36,9,35,1,34,57,33,53,32,49,31,13,30,59,29,28,51,5,27,26,21,25,55");
	run("CREATE VIRTUAL TABLE temp.few_keys USING unstable_order(SELECT value + 1, -(value * 7 % 4) FROM numbers(40))");
	assert_rows(db, "SELECT group_concat(id) FROM temp.few_keys",
	    "2,26,22,18,30,14,34,10,6,38,35,11,7,15,31,39,19,27,3,23,36,32,28,40,24,20,16,12,8,4,25,21,29,17,13,33,9,37,5,1");
	run("CREATE VIRTUAL TABLE temp.first_is_later USING task_order(SELECT * FROM (VALUES (0, 1, 20, 1, 1, 1, 1, 1, 1), (0, 2, 10, 1, 1, 1, 1, 1, 1)))");
	assert_rows(db, "SELECT group_concat(id) FROM temp.first_is_later", "2,1");
	run("CREATE VIRTUAL TABLE temp.no_tasks USING task_order(SELECT 1, 2, 3, 4, 5, 6, 7, 8, 9 WHERE 0)");
	assert_rows(db, "SELECT count(*) FROM temp.no_tasks", "0");
}

/* plane, id, kind, payload, jump, size, start, end: kinds are 1 copied, 2 near, 3 wait. Two payloads are a transfer to
 * the third task from the last; what is within it, or has no end, says nothing. */
static void payloads_are_one_transfer(void **state)
{
	(void)state;
	run("CREATE VIRTUAL TABLE temp.moved USING transfers(SELECT * FROM (VALUES (1, 1, 3, 0, 3, 0, 0, 5),"
	    " (1, 2, 2, 0, 3, 7, 5, 6), (1, 3, 3, 0, 3, 0, 6, 7), (1, 4, 1, 1, 3, 9223372036854775807, 10, 11),"
	    " (1, 5, 0, 1, 3, 1, 11, 12),"
	    " (1, 6, 3, 0, 3, 0, 12, 13), (1, 7, 3, 0, 3, 0, 13, 20), (1, 8, 3, 0, 3, 0, 20, 22), (1, 9, 1, 1, 3, 8, 22, 25),"
	    " (2, 10, 3, 0, 3, 0, 0, 1)))");
	assert_rows(db, "SELECT group_concat(id || ':' || what || ':' || size || ':' || ns, ' ') FROM temp.moved",
	    "1:5:0:5 2:2:7:1 3:5:0:1 4:1:9223372036854775807:1 4:3:9223372036854775807:10 8:4:0:2 9:1:8:3 10:5:0:1");
}

static void a_rule_needs_its_queries(void **state)
{
	(void)state;
	assert_refused(mp_db_run(db, "CREATE VIRTUAL TABLE temp.w USING whole_runs(SELECT 1)", &err), &err,
	    "whole_runs: query 1 has 1 columns, not 5");
	assert_refused(mp_db_run(db, "CREATE VIRTUAL TABLE temp.x USING repeated_runs((SELECT 1, 2, 3, 4, 5))", &err),
	    &err, "repeated_runs: query 2 has 0 columns, not 5");
	assert_refused(
	    mp_db_run(db, "CREATE VIRTUAL TABLE temp.y USING repeated_runs((SELECT 1, 2, 3, 4, 5), SELECT 1)", &err),
	    &err, "each in parentheses");
	assert_refused(mp_db_run(db, "CREATE VIRTUAL TABLE temp.z USING whole_runs((SELECT x FROM nowhere))", &err),
	    &err, "no such table: nowhere");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(flips_count_batches, setup, teardown),
	    cmocka_unit_test_setup_teardown(late_launches_are_those_of_their_batch, setup, teardown),
	    cmocka_unit_test_setup_teardown(runs_that_raced_with_a_flip, setup, teardown),
	    cmocka_unit_test_setup_teardown(a_run_that_repeats_bears_the_only_launch, setup, teardown),
	    cmocka_unit_test_setup_teardown(a_sub_task_is_of_the_latest_run_of_its_task, setup, teardown),
	    cmocka_unit_test_setup_teardown(an_end_closes_the_start_just_before_it, setup, teardown),
	    cmocka_unit_test_setup_teardown(sums_go_up, setup, teardown),
	    cmocka_unit_test_setup_teardown(intervals_lie_256_deep, setup, teardown),
	    cmocka_unit_test_setup_teardown(returns_end_the_last_open_call, setup, teardown),
	    cmocka_unit_test_setup_teardown(launches_belong_to_operators, setup, teardown),
	    cmocka_unit_test_setup_teardown(looks_for_launches_are_bounded, setup, teardown),
	    cmocka_unit_test_setup_teardown(intervals_lie_within_the_latest_that_has_not_ended, setup, teardown),
	    cmocka_unit_test_setup_teardown(rows_of_a_rule_are_in_order, setup, teardown),
	    cmocka_unit_test_setup_teardown(runs_have_batches_and_counters, setup, teardown),
	    cmocka_unit_test_setup_teardown(equal_tensors_are_alike, setup, teardown),
	    cmocka_unit_test_setup_teardown(sets_are_in_the_order_of_a_hash_table, setup, teardown),
	    cmocka_unit_test_setup_teardown(tasks_are_in_the_order_of_unstable_sorts, setup, teardown),
	    cmocka_unit_test_setup_teardown(payloads_are_one_transfer, setup, teardown),
	    cmocka_unit_test_setup_teardown(a_rule_needs_its_queries, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

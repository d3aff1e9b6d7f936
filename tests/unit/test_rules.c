/* test_rules.c: rules of jobs: what each says of a few rows. */
#include "join/rules.h"
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
	    cmocka_unit_test_setup_teardown(runs_have_batches_and_counters, setup, teardown),
	    cmocka_unit_test_setup_teardown(equal_tensors_are_alike, setup, teardown),
	    cmocka_unit_test_setup_teardown(sets_are_in_the_order_of_a_hash_table, setup, teardown),
	    cmocka_unit_test_setup_teardown(payloads_are_one_transfer, setup, teardown),
	    cmocka_unit_test_setup_teardown(a_rule_needs_its_queries, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

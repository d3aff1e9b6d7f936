/* test_sequences.c: sequences of tasks, and the time that intervals cover, against counting by hand and by brute force.
 */
#include "store_support.h"

#include <stdlib.h>

#include "insight/facts.h"
#include "insight/sweep.h"

static const struct mp_known_list none;

/* Tasks of 10 ns, 2 ns apart, of the kinds of a text; a blank ends a run. */
static size_t tasks_of(struct mp_sequence_task *tasks, const char *kinds)
{
	size_t count = 0;
	uint32_t run = 0;

	for (int64_t i = 0; kinds[i]; i++) {
		run += kinds[i] == ' ';
		if (kinds[i] != ' ')
			tasks[count++] = (struct mp_sequence_task){kinds[i], 12 * i, 12 * i + 10, (uint32_t)i, run};
	}
	return count;
}

static void the_largest_saving_is_first(void **state)
{
	struct mp_sequence_task tasks[128];
	struct mp_sequences s;
	size_t count = tasks_of(tasks, "abcabcabcx abcyzyzyz abcabc");

	(void)state;
	assert_true(mp_sequences_find(&s, tasks, count, 3, none));
	assert_int_equal(s.count, 2);
	assert_int_equal(s.items[0].length, 3);
	assert_int_equal(s.items[0].times, 6);
	assert_int_equal(s.items[0].span_ns, 6 * 34);
	assert_int_equal(s.items[0].saving_ns, 6 * 24);
	assert_int_equal(s.items[0].first, 0);
	assert_int_equal(s.items[1].length, 2);
	assert_int_equal(s.items[1].times, 3);
	assert_int_equal(s.number[0], -1);
	assert_int_equal(s.number[1], 1);
	assert_int_equal(s.number[9], 0); /* x */
	mp_sequences_free(&s);
}

/* Known sequences come first, once is enough, and each place takes any of its kinds; one that no run has is none. */
static void known_sequences_are_first(void **state)
{
	static const struct mp_known items[] = {
	    {1, 0, 'm'}, {1, 1, 'n'}, {1, 2, 'o'}, {2, 0, 'a'}, {2, 0, 'x'}, {2, 1, 'b'}, {3, 0, 'q'}, {3, 1, 'r'}};
	const struct mp_known_list known = {items, sizeof(items) / sizeof(items[0])};
	struct mp_sequence_task tasks[128];
	struct mp_sequences s;
	size_t count = tasks_of(tasks, "mnocdcdcd xbq r abcdm n");

	(void)state;
	assert_true(mp_sequences_find(&s, tasks, count, 3, known));
	assert_int_equal(s.count, 3);
	assert_int_equal(s.items[0].known, 1);
	assert_int_equal(s.items[0].times, 1);
	assert_int_equal(s.items[0].span_ns, 34);
	assert_int_equal(s.items[1].known, 2);
	assert_int_equal(s.items[1].times, 2);
	assert_int_equal(s.items[1].saving_ns, 2 * 12);
	assert_int_equal(s.items[2].known, 0);
	assert_int_equal(s.items[2].times, 4);
	mp_sequences_free(&s);
}

static void what_is_no_sequence(void **state)
{
	static const char *const texts[] = {
	    "", "a", "aaaaaaaaaaaaaaaaaaaa", "ab ab", "a b a b a b a b", "abcdefghijklm"};
	struct mp_sequence_task tasks[128];
	struct mp_sequences s;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_true(mp_sequences_find(&s, tasks, tasks_of(tasks, texts[i]), 3, none));
		assert_int_equal(s.count, 0);
		mp_sequences_free(&s);
	}
}

/* Occurrences do not overlap, lie in one run, are equal, and are as many as is said. */
static void random_tasks(void **state)
{
	struct mp_sequence_task tasks[400];

	(void)state;
	srand(1);
	for (int round = 0; round < 300; round++) {
		size_t count = (size_t)(rand() % 400);
		struct mp_sequences s;
		int64_t now = 0;
		uint32_t run = 0;

		for (size_t i = 0; i < count; i++) {
			run += rand() % 20 == 0;
			tasks[i] = (struct mp_sequence_task){rand() % 3, now, now + 1 + rand() % 50, (uint32_t)i, run};
			now = tasks[i].end_ns + rand() % 10;
		}
		assert_true(mp_sequences_find(&s, tasks, count, 4, none));
		for (int n = 0; n < s.count; n++) {
			const struct mp_op_sequence *q = &s.items[n];
			int64_t times = 0, span_ns = 0;

			assert_in_range(q->length, 2, MP_SEQUENCE_MAX);
			for (size_t i = 0; i < count; i++) {
				if (s.number[i] != -n - 1)
					continue;
				times++;
				span_ns += tasks[i + (size_t)q->length - 1].end_ns - tasks[i].start_ns;
				for (size_t k = 0; k < (size_t)q->length; k++) {
					assert_int_equal(tasks[i + k].kind, tasks[q->first + k].kind);
					assert_int_equal(tasks[i + k].run, tasks[i].run);
					assert_int_equal(s.number[i + k], k ? n + 1 : -n - 1);
				}
			}
			assert_int_equal(times, q->times);
			assert_int_equal(span_ns, q->span_ns);
			assert_true(times >= 4 && q->saving_ns >= 0 && q->saving_ns < span_ns);
		}
		mp_sequences_free(&s);
	}
}

/* Rows (start_ns, end_ns) in order of start: against counting every nanosecond. */
static void covered_time_is_that_of_every_nanosecond(void **state)
{
	static const char make[] = "CREATE TEMP TABLE call(start_ns INTEGER, end_ns INTEGER); INSERT INTO temp.call"
				   " SELECT value * 7, value * 7 + (value * 7919) % 23 FROM numbers(100)";
	static const char sql[] = "SELECT start_ns, end_ns FROM temp.call ORDER BY start_ns";
	struct mp_coverage c = {.query = NULL};
	struct mp_db *db = import_private(*state);
	struct mp_error err;
	int64_t want = 0;

	assert_ok(mp_db_run(db, make, &err), &err);
	assert_ok(mp_query_open(&c.query, db, sql, sizeof(sql) - 1, &err), &err);
	for (int64_t at = -3, got; at < 760; at++) {
		assert_ok(mp_coverage_until(&c, at, &got, &err), &err);
		assert_int_equal(got, want);
		for (int64_t i = 0; i < 100; i++)
			if (i * 7 <= at && at < i * 7 + i * 7919 % 23) {
				want++;
				break;
			}
	}
	mp_query_close(c.query);
	mp_db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_largest_saving_is_first),
	    cmocka_unit_test(known_sequences_are_first), cmocka_unit_test(what_is_no_sequence),
	    cmocka_unit_test(random_tasks),
	    cmocka_unit_test_setup_teardown(covered_time_is_that_of_every_nanosecond, job_setup, job_teardown)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

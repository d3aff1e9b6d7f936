/* test_pump.c: rows made by another thread, and the calls that run on the consumer's thread. */
#include "base/pump.h"
#include "support.h"

#include <pthread.h>

enum { MANY = 5000 };

/* A source of rows that records the order of events. */
struct maker {
	struct mp_pump *pump;
	pthread_t taker;
	int64_t rows, fail_at; /* fail_at: this row is an error; -1: no error */
	int64_t begun[MP_PUMP_BATCHES], taken;
	int asked, called;
	char order[64];
	bool on_taker;
};

static int next(void *user, int64_t *values, bool *nulls, struct mp_error *err)
{
	struct maker *m = user;

	if (m->rows == m->fail_at)
		return mp_fail(err, "row %lld is none", (long long)m->rows);
	if (m->rows == MANY)
		return 0;
	values[0] = m->rows * 3;
	values[1] = 0;
	nulls[0] = false;
	nulls[1] = true;
	m->rows++;
	return 1;
}

static void take_all(struct maker *m, const struct mp_pump_rows *rows, bool threaded)
{
	struct mp_error err;
	const bool *nulls;

	assert_ok(mp_pump_start(&m->pump, rows, threaded, &err), &err);
	for (int64_t i = 0; i < MANY; i++) {
		assert_int_equal(mp_pump_next(m->pump, &err), 1);
		assert_int_equal(mp_pump_row(m->pump, &nulls)[0], 3 * i);
		assert_false(nulls[0]);
		assert_true(nulls[1]);
	}
	assert_int_equal(mp_pump_next(m->pump, &err), 0);
	mp_pump_stop(m->pump);
}

static void rows_come_in_their_order(void **state)
{
	(void)state;
	for (int threaded = 0; threaded < 2; threaded++) {
		struct maker m = {.fail_at = -1};
		const struct mp_pump_rows rows = {.user = &m, .columns = 2, .next = next};

		take_all(&m, &rows, threaded != 0);
	}
}

static void an_error_comes_after_the_rows_before_it(void **state)
{
	(void)state;
	for (int threaded = 0; threaded < 2; threaded++) {
		struct maker m = {.fail_at = 1234};
		const struct mp_pump_rows rows = {.user = &m, .columns = 2, .next = next};
		struct mp_error err;

		assert_ok(mp_pump_start(&m.pump, &rows, threaded != 0, &err), &err);
		for (int64_t i = 0; i < 1234; i++)
			assert_int_equal(mp_pump_next(m.pump, &err), 1);
		assert_refused(mp_pump_next(m.pump, &err), &err, "row 1234 is none");
		mp_pump_stop(m.pump);
	}
}

/* A pump can be stopped while nobody takes rows. */
static void a_pump_may_be_stopped(void **state)
{
	struct maker m = {.fail_at = -1};
	const struct mp_pump_rows rows = {.user = &m, .columns = 2, .next = next};
	struct mp_error err;

	(void)state;
	assert_ok(mp_pump_start(&m.pump, &rows, true, &err), &err);
	assert_int_equal(mp_pump_next(m.pump, &err), 1);
	mp_pump_stop(m.pump);
	mp_pump_stop(NULL);
}

static int note(struct maker *m, char what)
{
	size_t len = strlen(m->order);

	m->on_taker = m->on_taker && pthread_equal(pthread_self(), m->taker);
	if (len + 1 < sizeof(m->order))
		m->order[len] = what;
	return 0;
}

static int call(void *user, struct mp_error *err)
{
	(void)err;
	return note(user, 'c');
}

/* A job may call, too. */
static int job(void *user, struct mp_error *err)
{
	struct maker *m = user;

	note(m, 'j');
	return mp_pump_call(m->pump, call, m, err);
}

static int failing_job(void *user, struct mp_error *err)
{
	note(user, 'f');
	return mp_fail(err, "the job failed");
}

static int next_with_jobs(void *user, int64_t *values, bool *nulls, struct mp_error *err)
{
	struct maker *m = user;
	struct mp_pump_job one = {.function = job, .user = m}, two = {.function = failing_job, .user = m};
	struct mp_error why = {""};

	if (m->rows == 700) {
		mp_pump_ask(m->pump, &one);
		if (mp_pump_call(m->pump, call, m, err) || mp_pump_wait(m->pump, &one, err))
			return -1;
		mp_pump_ask(m->pump, &two);
		if (mp_pump_wait(m->pump, &two, &why) != -1 || !strstr(why.text, "the job failed"))
			return mp_fail(err, "the job worked");
	}
	return next(user, values, nulls, err);
}

/* A job runs before later calls, whoever is faster, and runs on the consumer's thread. */
static void jobs_are_done_in_their_turn(void **state)
{
	(void)state;
	for (int round = 0; round < 200; round++) {
		struct maker m = {.fail_at = -1, .taker = pthread_self(), .on_taker = true};
		const struct mp_pump_rows rows = {.user = &m, .columns = 2, .next = next_with_jobs};

		take_all(&m, &rows, round % 2 == 0);
		assert_string_equal(m.order, "jccf");
		assert_true(m.on_taker);
	}
}

static void begin(void *user, int batch)
{
	struct maker *m = user;

	assert_true(batch >= 0 && batch < MP_PUMP_BATCHES);
	m->begun[batch] = m->rows;
}

static int take(void *user, int batch, struct mp_error *err)
{
	struct maker *m = user;

	(void)err;
	assert_true(m->begun[batch] >= m->taken); /* batches are taken in the order in which they began */
	m->taken = m->begun[batch];
	return 0;
}

static void batches_are_taken_in_their_order(void **state)
{
	(void)state;
	for (int threaded = 0; threaded < 2; threaded++) {
		struct maker m = {.fail_at = -1};
		const struct mp_pump_rows rows = {&m, 2, next, begin, take};

		take_all(&m, &rows, threaded != 0);
		assert_true(m.taken > MANY / 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(rows_come_in_their_order),
	    cmocka_unit_test(an_error_comes_after_the_rows_before_it),
	    cmocka_unit_test(a_pump_may_be_stopped),
	    cmocka_unit_test(jobs_are_done_in_their_turn),
	    cmocka_unit_test(batches_are_taken_in_their_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

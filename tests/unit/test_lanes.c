/* test_lanes.c: events of one lane nest or do not overlap, for all kinds of events. */
#include "support.h"

#include "report/timeline.h"

enum { LANES_CHECKED = 4096 };

struct event {
	int64_t start, end, lane;
};

static struct mp_lanes *lanes;
static struct mp_error err;

static int setup(void **state)
{
	(void)state;
	return mp_lanes_create(&lanes, &err);
}

static int teardown(void **state)
{
	(void)state;
	mp_lanes_free(lanes);
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->end == y->end ? 0 : x->end > y->end ? -1 : 1;
}

static void place_all(struct event *events, size_t count)
{
	qsort(events, count, sizeof(events[0]), by_start);
	for (size_t i = 0; i < count; i++)
		events[i].lane = mp_lanes_place(lanes, events[i].start, events[i].end, &err);
}

/* No two events of a lane overlap partly; every pair is checked. */
static void check_pairs(const struct event *events, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		assert_true(events[i].lane >= 0);
		for (size_t k = i + 1; k < count; k++) {
			const struct event *a = &events[i], *b = &events[k];

			if (a->lane == b->lane && b->start < a->end && b->end > a->end)
				fail_msg("lane %lld: %lld-%lld and %lld-%lld", (long long)a->lane, (long long)a->start,
				    (long long)a->end, (long long)b->start, (long long)b->end);
		}
	}
}

/* Begin again with empty lanes. */
static void start_over(void)
{
	mp_lanes_free(lanes);
	assert_ok(mp_lanes_create(&lanes, &err), &err);
}

static int64_t place(int64_t start, int64_t end)
{
	return mp_lanes_place(lanes, start, end, &err);
}

static void test_simple(void **state)
{
	(void)state;
	assert_int_equal(place(0, 10), 0);
	assert_int_equal(place(2, 8), 0);
	assert_int_equal(place(2, 5), 0);
	assert_int_equal(place(4, 9), 1);
	assert_int_equal(place(5, 8), 0);
	assert_int_equal(place(9, 12), 1); /* 4..9 has ended, and 0..10 has not */
	assert_int_equal(place(10, 20), 0);
	assert_int_equal(place(20, 20), 0);
	assert_int_equal(place(20, 20), 0);
	start_over();
	assert_int_equal(place(5, 6), 0);
}

static void test_extremes(void **state)
{
	(void)state;
	assert_int_equal(place(INT64_MIN, INT64_MAX), 0);
	assert_int_equal(place(-5, INT64_MAX), 0);
	assert_int_equal(place(0, 0), 0);
	assert_int_equal(place(INT64_MAX, INT64_MAX), 0);
}

/* By start, the longer event first; before the first event any event is in order. */
static void test_in_order(void **state)
{
	(void)state;
	assert_true(mp_lanes_in_order(lanes, INT64_MIN + 1, 0));
	assert_int_equal(place(10, 20), 0);
	assert_true(mp_lanes_in_order(lanes, 10, 20));
	assert_true(mp_lanes_in_order(lanes, 10, 15));
	assert_true(mp_lanes_in_order(lanes, 11, 99));
	assert_false(mp_lanes_in_order(lanes, 10, 21));
	assert_false(mp_lanes_in_order(lanes, 9, 9));
}

/* Reversed time: events in descending order of end, the longer event first. */
static void test_backwards(void **state)
{
	static struct event events[500];
	uint64_t seed = 13;

	(void)state;
	for (size_t i = 0; i < COUNT(events); i++) {
		int64_t end = (int64_t)(next_random(&seed) % 1000);

		events[i].start = -end;
		events[i].end = -end + (int64_t)(next_random(&seed) % 90);
	}
	place_all(events, COUNT(events));
	check_pairs(events, COUNT(events));
}

static void test_random(void **state)
{
	static const int64_t spans[] = {4, 50, 1000, 100000};
	static struct event events[700];
	uint64_t seed = 7;

	(void)state;
	for (size_t round = 0; round < 40; round++) {
		int64_t span = spans[round % COUNT(spans)];

		for (size_t i = 0; i < COUNT(events); i++) {
			events[i].start = (int64_t)(next_random(&seed) % 1000);
			events[i].end = events[i].start + (int64_t)(next_random(&seed) % (uint64_t)span);
		}
		start_over();
		place_all(events, COUNT(events));
		check_pairs(events, COUNT(events));
	}
}

/* Thousands of events, each overlapping all others partly: one lane each, numbered without a gap, and reused. */
static void test_thousands(void **state)
{
	enum { EVENTS = 5000 };
	static bool used[EVENTS];

	(void)state;
	for (int64_t i = 0; i < EVENTS; i++)
		assert_int_equal(place(i, EVENTS + i), i);
	for (int64_t i = 0; i < EVENTS; i++) {
		int64_t lane = place(3 * EVENTS + i, 5 * EVENTS + i);

		assert_true(lane >= 0 && lane < EVENTS && !used[lane]);
		used[lane] = true;
	}
	start_over();
	for (int64_t i = 0; i < 50; i++)
		assert_int_equal(place(i, EVENTS + i), i);
}

/* Nesting deeper than a lane allows: still no partial overlap, and every event is placed. */
static void test_deep_nesting(void **state)
{
	enum { DEPTH = 6000 };
	static struct event events[DEPTH];

	(void)state;
	for (int64_t i = 0; i < DEPTH; i++)
		events[i] = (struct event){i, 3 * DEPTH - i, 0};
	place_all(events, DEPTH);
	check_pairs(events, DEPTH);
}

/* Many short events behind a few long events, like in a real queue. */
static void test_long_run(void **state)
{
	static int64_t busy_until[LANES_CHECKED][32];
	static int depth[LANES_CHECKED];
	uint64_t seed = 3;
	int64_t start = 0;

	(void)state;
	for (int i = 0; i < 300000; i++) {
		int64_t length = next_random(&seed) % 500 == 0 ? 20000 : (int64_t)(next_random(&seed) % 60), lane;

		start += 1 + (int64_t)(next_random(&seed) % 5); /* never two at once */
		lane = place(start, start + length);
		assert_true(lane >= 0 && lane < LANES_CHECKED);
		while (depth[lane] && busy_until[lane][depth[lane] - 1] <= start)
			depth[lane]--;
		assert_true(!depth[lane] || busy_until[lane][depth[lane] - 1] >= start + length);
		assert_true(depth[lane] < 32);
		busy_until[lane][depth[lane]++] = start + length;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_simple, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_extremes, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_in_order, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_backwards, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_random, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_thousands, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_deep_nesting, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_long_run, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

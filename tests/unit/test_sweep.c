/* test_sweep.c: where the time of windows went, against counting every nanosecond; operators; the longest gaps. */
#include "support.h"

#include <stdlib.h>

#include "insight/ops.h"
#include "insight/sweep.h"

enum { LENGTH = 200, TASKS = 40, WINDOWS = 2, ROUNDS = 2000, MANY = 300000 };

struct counted {
	struct mp_interval tasks[TASKS];
	int classes[TASKS];
	int64_t alone[TASKS], gap_ns;
};

static int class_of(void *user, uint32_t op)
{
	return ((struct counted *)user)->classes[op];
}

static void add_alone(void *user, uint32_t op, int64_t ns)
{
	((struct counted *)user)->alone[op] += ns;
}

static void add_gap(void *user, const struct mp_idle_gap *gap)
{
	struct counted *c = user;

	c->gap_ns += gap->end_ns - gap->start_ns;
	for (int i = 0; i < TASKS; i++) /* nothing runs in a gap */
		assert_true(c->tasks[i].end_ns <= gap->start_ns || c->tasks[i].start_ns >= gap->end_ns ||
			    c->tasks[i].start_ns == c->tasks[i].end_ns);
	if (gap->after)
		assert_true(gap->after->start_ns >= gap->end_ns);
}

static bool runs(const struct counted *c, int class, int64_t at)
{
	for (int i = 0; i < TASKS; i++)
		if (c->classes[c->tasks[i].op] == class && c->tasks[i].start_ns <= at && c->tasks[i].end_ns > at)
			return true;
	return false;
}

static void check_window(const struct counted *c, const struct mp_sweep_window *w)
{
	int64_t alone[MP_CLASS_MAX] = {0}, own[MP_CLASS_MAX] = {0}, idle = 0;

	for (int64_t at = w->start_ns; at < w->end_ns; at++) {
		bool found = false;

		for (int k = 0; k < MP_CLASS_MAX; k++) {
			bool active = runs(c, k, at);

			own[k] += active;
			alone[k] += active && !found;
			found = found || active;
		}
		idle += !found;
	}
	for (int k = 0; k < MP_CLASS_MAX; k++) {
		assert_int_equal(w->own_ns[k], own[k]);
		assert_int_equal(w->alone_ns[k], alone[k]);
	}
	assert_int_equal(w->idle_ns, idle);
}

static void parts_are_those_of_every_nanosecond(void **state)
{
	(void)state;
	srand(1);
	for (int round = 0; round < ROUNDS; round++) {
		struct counted c = {.gap_ns = 0};
		const int64_t middle = 20 + rand() % LENGTH;
		struct mp_sweep_window w[WINDOWS] = {{.id = 1, .start_ns = rand() % 20, .end_ns = middle},
		    {.id = 2, .start_ns = middle + rand() % 5, .end_ns = LENGTH + 20}};
		struct mp_intervals tasks = {.count = 0};
		struct mp_sweep s = {&tasks, class_of, add_alone, add_gap, &c};
		int64_t alone = 0, told = 0, idle = 0;

		for (uint32_t i = 0; i < TASKS; i++) {
			c.classes[i] = rand() % 4;
			c.tasks[i] = (struct mp_interval){.start_ns = rand() % LENGTH, .op = i, .row = i};
			c.tasks[i].end_ns = c.tasks[i].start_ns + rand() % (round % 2 ? 4 : 30);
			assert_true(mp_intervals_add(&tasks, &c.tasks[i]));
		}
		assert_true(mp_intervals_sort(&tasks));
		mp_sweep(&s, &(struct mp_windows){w, WINDOWS});
		mp_intervals_free(&tasks);
		for (int i = 0; i < WINDOWS; i++) {
			check_window(&c, &w[i]);
			idle += w[i].idle_ns;
			for (int k = 0; k < MP_CLASS_MAX; k++)
				alone += w[i].alone_ns[k];
		}
		for (int i = 0; i < TASKS; i++)
			told += c.alone[i];
		assert_int_equal(told, alone);
		assert_int_equal(c.gap_ns, idle);
	}
}

/* The order of `i` among `count`: in order, backwards, or three runs; then as srand says. */
static int64_t start_of(int kind, uint32_t i, uint32_t count)
{
	return kind == 0 ? i : kind == 1 ? count - i : kind == 2 ? i % (count / 3) : (int64_t)rand();
}

static void many_intervals_are_sorted_in_little_memory(void **state)
{
	(void)state;
	srand(2);
	for (int kind = 0; kind < 4; kind++) {
		struct mp_intervals v = {.count = 0};
		uint64_t sum = 0;

		for (uint32_t i = 0; i < MANY; i++) {
			struct mp_interval t = {.start_ns = start_of(kind, i, MANY), .row = i};

			t.end_ns = t.start_ns + rand() % 3;
			sum += (uint64_t)t.start_ns * (i + 1);
			assert_true(mp_intervals_add(&v, &t));
		}
		assert_true(v.array.file);
		assert_true(mp_intervals_sort(&v));
		assert_int_equal(v.count, MANY);
		for (size_t i = 0; i < v.count; i++) {
			const struct mp_interval *t = mp_intervals_at(&v, i), *before = i ? t - 1 : t;

			sum -= (uint64_t)t->start_ns * (t->row + 1u);
			assert_true(before->start_ns < t->start_ns ||
				    (before->start_ns == t->start_ns &&
					(before->end_ns < t->end_ns ||
					    (before->end_ns == t->end_ns && before->row <= t->row))));
		}
		assert_int_equal(sum, 0);
		mp_intervals_free(&v);
	}
}

static void lengths_saturate(void **state)
{
	struct counted c = {.gap_ns = 0};
	struct mp_sweep_window w = {.start_ns = INT64_MIN, .end_ns = INT64_MAX};
	struct mp_intervals tasks = {.count = 0};
	const struct mp_sweep s = {&tasks, class_of, NULL, NULL, &c};

	(void)state;
	assert_true(mp_intervals_add(&tasks, &(struct mp_interval){.start_ns = INT64_MIN, .end_ns = INT64_MAX}));
	mp_sweep(&s, &(struct mp_windows){&w, 1});
	mp_intervals_free(&tasks);
	assert_int_equal(w.alone_ns[0], INT64_MAX);
	assert_int_equal(w.idle_ns, 0);
	assert_int_equal(mp_span_ns(INT64_MAX, INT64_MIN), INT64_MIN);
	assert_int_equal(mp_add_ns(INT64_MIN, -1), INT64_MIN);
}

static void operators_beyond_the_maximum_are_one(void **state)
{
	struct mp_ops ops = {.class = 1, .sum_count = 1};
	int64_t keys[MP_OP_KEYS] = {0}, total = 0;
	uint32_t op, again;

	(void)state;
	for (int64_t i = 0; i < MP_OPS_MAX + 10; i++) {
		keys[0] = i;
		assert_true(mp_ops_find(&ops, keys, i % 3 ? -1 : 2, &op));
		mp_ops_add(&ops, op, (uint32_t)i, i, &i);
		assert_int_equal(ops.items[op].class, i % 3 ? 1 : 2);
		assert_int_equal(ops.items[op].is_rest, i >= MP_OPS_MAX);
	}
	assert_int_equal(ops.count, MP_OPS_MAX + 2);
	keys[0] = 5;
	assert_true(mp_ops_find(&ops, keys, -1, &again));
	assert_int_equal(ops.items[again].total_ns, 5);
	for (size_t i = 0; i < ops.count; i++)
		total += ops.sums[i];
	assert_int_equal(total, (int64_t)(MP_OPS_MAX + 10) * (MP_OPS_MAX + 9) / 2);
	mp_ops_free(&ops);
}

static void longest_gaps_stay(void **state)
{
	struct mp_gaps *gaps = calloc(1, sizeof(*gaps));
	const struct mp_interval late = {.launch_ns = 50}, early = {.launch_ns = -1}, alone = {.launch_ns = INT64_MIN};
	const struct mp_interval *after[] = {&late, &early, &alone, NULL};

	(void)state;
	assert_non_null(gaps);
	for (int64_t i = 0; i < 10000; i++) {
		const struct mp_idle_gap gap = {.window = i, .end_ns = 100 + i * 7919 % 10000, .after = after[i % 4]};

		mp_gaps_add(gaps, &gap, mp_gap_reason(&gap));
	}
	mp_gaps_finish(gaps);
	assert_int_equal(gaps->count, MP_GAPS_KEPT);
	for (int64_t i = 0; i < MP_GAPS_KEPT; i++)
		assert_int_equal(gaps->kept[i].end_ns, 100 + 9999 - i);
	assert_int_equal(gaps->number[MP_GAP_HOST_LATE], 2500);
	assert_int_equal(gaps->number[MP_GAP_DEVICE_WAIT], 2500);
	assert_int_equal(gaps->number[MP_GAP_UNLINKED], 2500);
	assert_int_equal(gaps->number[MP_GAP_END], 2500);
	free(gaps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(parts_are_those_of_every_nanosecond),
	    cmocka_unit_test(many_intervals_are_sorted_in_little_memory), cmocka_unit_test(lengths_saturate),
	    cmocka_unit_test(operators_beyond_the_maximum_are_one), cmocka_unit_test(longest_gaps_stay)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_strip.c: the time of calls in the flame graph of a page, whatever their lengths. */
#include "support.h"

#include "page/strip.h"

/* The same call of two threads. */
static void add_threads(struct mp_stacks *stacks, int64_t end_ns)
{
	for (int thread = 0; thread < 2; thread++) {
		struct mp_strip strip;

		mp_strip_begin(&strip, stacks);
		assert_true(mp_strip_add(&strip, 0, end_ns, 1));
		assert_true(mp_strip_add(&strip, 1, 3, 2)); /* within it */
		assert_true(mp_strip_end(&strip));
		mp_strip_free(&strip);
	}
}

static void test_threads_are_added_up(void **state)
{
	struct mp_stacks stacks = {.count = 0};

	(void)state;
	add_threads(&stacks, 10);
	assert_int_equal(stacks.count, 2);
	assert_int_equal(stacks.nodes[0].total_ns, 20);
	assert_int_equal(stacks.nodes[0].self_ns, 16);
	assert_int_equal(stacks.nodes[1].parent, 0);
	assert_int_equal(stacks.nodes[1].self_ns, 4);
	mp_stacks_free(&stacks);
}

static void test_sums_end_at_the_largest_number(void **state)
{
	struct mp_stacks stacks = {.count = 0};

	(void)state;
	add_threads(&stacks, INT64_MAX);
	assert_int_equal(stacks.nodes[0].total_ns, INT64_MAX);
	assert_int_equal(stacks.nodes[0].self_ns, INT64_MAX);
	mp_stacks_free(&stacks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_threads_are_added_up),
	    cmocka_unit_test(test_sums_end_at_the_largest_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

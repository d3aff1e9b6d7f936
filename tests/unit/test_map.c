/* test_map.c: maps of joins. */
#include "store/map.h"
#include "support.h"

static bool count(void *user, int64_t value)
{
	*(int64_t *)user += value;
	return true;
}

static void a_map_that_was_cleared_is_as_new(void **state)
{
	struct mp_maps *maps = mp_maps_create();
	struct mp_map *map = mp_maps_find(maps, "a"), *other;
	int64_t part = 7, value, sum = 0;
	const struct mp_key key = {&part, 1};

	(void)state;
	assert_true(mp_map_put(map, &key, 1, false));
	assert_true(mp_map_put(map, &key, 2, false));
	mp_map_clear(map);
	other = mp_maps_find(maps, "b");
	assert_ptr_not_equal(map, other);
	assert_ptr_equal(map, mp_maps_find(maps, "a"));
	assert_false(mp_map_take(map, &key, &value));
	for (part = 0; part < 5000; part++)
		assert_true(mp_map_put(map, &key, part, false));
	assert_true(mp_map_each(map, count, &sum));
	assert_int_equal(sum, 5000 * 4999 / 2);
	for (part = 0; part < 5000; part++) {
		assert_true(mp_map_take(map, &key, &value));
		assert_int_equal(value, part);
	}
	mp_maps_free(maps);
}

/* An interval from 0 to 1000000 with many others in it, one of them with more in it. */
static void an_interval_is_found_behind_those_within_it(void **state)
{
	struct mp_maps *maps = mp_maps_create();
	struct mp_map *map = mp_maps_find(maps, "a");
	int64_t value, *mark;

	(void)state;
	assert_true(mp_map_span(map, 5, -10, -5, 1));
	assert_true(mp_map_span(map, 5, 0, 1000000, 2));
	for (int i = 0; i < 1000; i++)
		assert_true(mp_map_span(map, 5, 10 + 20 * i, 20 + 20 * i, 100 + i));
	assert_true(mp_map_span(map, 5, 30000, 40000, 3));
	for (int i = 0; i < 100; i++)
		assert_true(mp_map_span(map, 5, 31000 + 2 * i, 31001 + 2 * i, 2000 + i));
	assert_true(mp_map_span(map, 5, 2000000, 2000001, 4));

	assert_true(mp_map_within(map, 5, 999999, &value, &mark));
	assert_int_equal(value, 2);
	assert_int_equal(*mark, 0);
	assert_true(mp_map_within(map, 5, 39999, &value, NULL));
	assert_int_equal(value, 3);
	assert_true(mp_map_within(map, 5, 15 + 20 * 500, &value, NULL));
	assert_int_equal(value, 600);
	assert_true(mp_map_within(map, 5, 25 + 20 * 500, &value, NULL));
	assert_int_equal(value, 2);
	assert_true(mp_map_within(map, 5, -7, &value, NULL));
	assert_int_equal(value, 1);
	assert_false(mp_map_within(map, 5, -1, &value, NULL));
	assert_false(mp_map_within(map, 5, 1500000, &value, NULL));
	assert_false(mp_map_within(map, 6, 15, &value, NULL));
	mp_maps_free(maps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_map_that_was_cleared_is_as_new),
	    cmocka_unit_test(an_interval_is_found_behind_those_within_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

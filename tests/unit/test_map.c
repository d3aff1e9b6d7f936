/* test_map.c: maps of joins. */
#include "base/index.h"
#include "base/map.h"
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
	assert_true(mp_map_put(map, &key, 1));
	assert_true(mp_map_put(map, &key, 2));
	mp_map_clear(map);
	other = mp_maps_find(maps, "b");
	assert_ptr_not_equal(map, other);
	assert_ptr_equal(map, mp_maps_find(maps, "a"));
	assert_false(mp_map_take(map, &key, &value));
	for (part = 0; part < 5000; part++)
		assert_true(mp_map_put(map, &key, part));
	assert_true(mp_map_each(map, count, &sum));
	assert_int_equal(sum, 5000 * 4999 / 2);
	for (part = 0; part < 5000; part++) {
		assert_true(mp_map_take(map, &key, &value));
		assert_int_equal(value, part);
	}
	mp_maps_free(maps);
}

/* An interval from 0 to 1000000 with many intervals in it; one of these has further intervals in it. */
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

/*
 * Half a million of each exceed the memory limit; every hundredth interval contains the intervals up to the next such
 * interval.
 */
static void large_maps_lie_in_files(void **state)
{
	char *dir = temp_dir();
	int dirfd = open(dir, O_RDONLY | O_DIRECTORY);
	struct mp_maps *maps = mp_maps_create();
	struct mp_map *spans = mp_maps_find(maps, "a"), *list = mp_maps_find(maps, "b");
	int64_t value, *mark, sum = 0, part;
	const struct mp_key key = {&part, 1};

	(void)state;
	mp_maps_lie_in(maps, dirfd);
	for (int64_t i = 0; i < 500000; i++) {
		part = i;
		assert_true(mp_map_span(spans, 5, 10 * i, 10 * i + (i % 100 ? 5 : 985), i));
		assert_true(mp_map_put(list, &key, i));
	}
	for (int64_t i = 0; i < 500000; i++) {
		part = i;
		assert_true(mp_map_within(spans, 5, 10 * i + 5, &value, &mark));
		assert_int_equal(value, i);
		*mark = i;
		assert_true(mp_map_take(list, &key, &value));
		assert_int_equal(value, i);
		assert_int_equal(mp_map_within(spans, 5, 10 * i + 7, &value, NULL), i % 100 < 98);
		assert_true(i % 100 >= 98 || value == i - i % 100);
	}
	assert_true(mp_map_each_mark(spans, count, &sum));
	assert_int_equal(sum, INT64_C(500000) * 499999 / 2);
	mp_maps_free(maps);
	close(dirfd);
	remove_dir(dir);
}

/* Values in order of putting, with their keys: the model of a map. */
struct list {
	int64_t keys[40000], values[40000];
	int count;
};

static int find_in(const struct list *list, int64_t key)
{
	for (int i = 0; i < list->count; i++)
		if (list->keys[i] == key)
			return i;
	return -1;
}

static void take_out(struct list *list, int at)
{
	list->count--;
	memmove(&list->keys[at], &list->keys[at + 1], (size_t)(list->count - at) * sizeof(list->keys[0]));
	memmove(&list->values[at], &list->values[at + 1], (size_t)(list->count - at) * sizeof(list->values[0]));
}

/* Puts and questions: in order, nearly in order, of few keys, or of any keys. */
static void a_map_is_as_its_list(void **state)
{
	struct list *list = calloc(1, sizeof(*list));
	uint64_t seed = 3;

	(void)state;
	for (int round = 0; round < 60; round++) {
		struct mp_maps *maps = mp_maps_create();
		struct mp_map *map = mp_maps_find(maps, "a");
		uint64_t keys = round % 3 == 0 ? 5 : round % 3 == 1 ? 200 : 100000, near = 1 + (uint64_t)round * 2;
		uint64_t puts = 30 + next_random(&seed) % 40; /* per cent */

		list->count = 0;
		for (int step = 0; step < 4000; step++) {
			bool wants_any = next_random(&seed) % 20 == 0 || !list->count;
			uint64_t what = next_random(&seed) % 100;
			int at = wants_any ? 0 : (int)(next_random(&seed) % near) % list->count;
			int64_t key = (int64_t)(next_random(&seed) % keys), value = -1, parts[3], sum = 0;
			const struct mp_key of = {parts, 3};

			if (what >= puts && !wants_any)
				key = list->keys[at];
			parts[0] = 1 - key, parts[1] = 77, parts[2] = key << 20;
			at = find_in(list, key);
			if (what < puts) {
				assert_true(mp_map_put(map, &of, step));
				list->keys[list->count] = key;
				list->values[list->count++] = step;
			} else if (what % 4 == 0) {
				assert_int_equal(mp_map_peek(map, &of, &value), at >= 0);
				assert_int_equal(value, at >= 0 ? list->values[at] : -1);
			} else {
				assert_int_equal(mp_map_take(map, &of, &value), at >= 0);
				assert_int_equal(value, at >= 0 ? list->values[at] : -1);
				if (at >= 0)
					take_out(list, at);
			}
			if (step % 100 == 0) {
				assert_true(mp_map_each(map, count, &sum));
				for (int i = 0; i < list->count; i++)
					sum -= list->values[i];
				assert_int_equal(sum, 0);
			}
		}
		while (list->count) {
			int64_t key = list->keys[list->count / 2], parts[3] = {1 - key, 77, key << 20}, value;
			int at = find_in(list, key);

			assert_true(mp_map_take(map, &(struct mp_key){parts, 3}, &value));
			assert_int_equal(value, list->values[at]);
			take_out(list, at);
		}
		mp_maps_free(maps);
	}
	free(list);
}

/* Numbers stay with their keys while thousands of others are added. */
static void each_key_has_its_number(void **state)
{
	struct mp_maps *maps = mp_maps_create();
	struct mp_map *map = mp_maps_find(maps, "a");

	(void)state;
	for (int64_t round = 0; round < 3; round++)
		for (int64_t i = 0; i < 20000; i++) {
			const int64_t parts[2] = {i, -i * i};
			bool is_new;
			int64_t *number = mp_map_number(map, &(struct mp_key){parts, 2}, &is_new);

			assert_non_null(number);
			assert_int_equal(is_new, round == 0);
			assert_int_equal(*number, round == 0 ? 0 : i + round - 1);
			*number = i + round;
		}
	mp_maps_free(maps);
}

/* Tracks of many keys, searched in any order. */
static void each_track_is_its_own(void **state)
{
	struct mp_maps *maps = mp_maps_create();
	struct mp_map *map = mp_maps_find(maps, "a");
	uint64_t seed = 5;
	int64_t value, *mark;

	(void)state;
	for (int64_t i = 0; i < 200; i++)
		for (int64_t track = -40; track < 40; track++)
			assert_true(mp_map_span(map, track, 10 * i, 10 * i + 5, track * 1000 + i));
	for (int i = 0; i < 20000; i++) {
		int64_t track = (int64_t)(next_random(&seed) % 82) - 41, at = (int64_t)(next_random(&seed) % 2100);
		bool is_in = track >= -40 && track < 40 && at < 2000 && at % 10 <= 5;

		assert_int_equal(mp_map_within(map, track, at, &value, &mark), is_in);
		if (is_in)
			assert_int_equal(value, track * 1000 + at / 10);
	}
	mp_maps_free(maps);
}

/* Texts that mp_hash_bytes cannot tell apart, and one that only its end tells from zeros. */
static void texts_of_one_hash_are_two_keys(void **state)
{
	struct mp_maps *maps = mp_maps_create();
	struct mp_map *map = mp_maps_find(maps, "a");
	const char *one = "aten::aaaddha000", *other = "aten::aiadd(b00X";

	(void)state;
	assert_true(mp_hash_bytes(one, 16) == mp_hash_bytes(other, 16));
	assert_true(mp_map_text(map, one, 16) != mp_map_text(map, other, 16));
	assert_true(mp_map_text(map, one, 16) == mp_map_text(map, "aten::aaaddha000 more", 16));
	assert_true(mp_map_text(map, "a", 1) != mp_map_text(map, "a\0", 2));
	assert_true(mp_map_text(map, NULL, 0) == mp_map_text(map, "", 0));
	mp_maps_free(maps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_map_that_was_cleared_is_as_new),
	    cmocka_unit_test(an_interval_is_found_behind_those_within_it),
	    cmocka_unit_test(large_maps_lie_in_files),
	    cmocka_unit_test(a_map_is_as_its_list),
	    cmocka_unit_test(each_key_has_its_number),
	    cmocka_unit_test(each_track_is_its_own),
	    cmocka_unit_test(texts_of_one_hash_are_two_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_vec.c: arrays that grow cost a few moves, keep their items, and refuse sizes that no memory has. */
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/vec.h"
#include "support.h"

static void test_few_moves(void **state)
{
	const int count = 1000000;
	int *items = NULL, grown = 0;

	(void)state;
	for (int i = 0; i < count; i++) {
		size_t before = items ? malloc_usable_size(items) : 0;

		assert_true(mp_vec_room(items, (size_t)i, 1));
		assert_true(malloc_usable_size(items) >= ((size_t)i + 1) * sizeof(*items));
		grown += malloc_usable_size(items) != before;
		items[i] = i;
	}
	for (int i = 0; i < count; i++)
		assert_int_equal(items[i], i);
	assert_in_range(grown, 1, 24);
	free(items);
}

/* The room depends on the number of items alone, also after some were taken away. */
static void test_fewer_items(void **state)
{
	char *text = NULL;

	(void)state;
	for (size_t count = 0; count < 300; count += 7)
		for (size_t left = 0; left <= count; left += 11) {
			assert_true(mp_vec_room(text, count, 40));
			assert_true(malloc_usable_size(text) >= count + 40);
			assert_true(mp_vec_room(text, left, 1));
			assert_true(malloc_usable_size(text) >= left + 1);
			assert_true(mp_vec_room(text, left, count - left + 40));
		}
	free(text);
}

/* An array that is emptied again and again moves no more than one that is filled once. */
static void test_refilled(void **state)
{
	size_t most = 0, moved = 0;
	int *items = NULL;

	(void)state;
	for (int round = 0; round < 1000; round++)
		for (size_t count = 0; count < 1000; count++) {
			const int *before = items;
			size_t room = items ? malloc_usable_size(items) : 0;

			assert_true(mp_vec_reach(items, &most, count + 1));
			assert_true(malloc_usable_size(items) >= (count + 1) * sizeof(*items));
			moved += items != before || malloc_usable_size(items) != room;
			items[count] = round;
		}
	assert_int_equal(most, 1000);
	assert_in_range(moved, 1, 8);
	assert_false(mp_vec_reach(items, &most, SIZE_MAX));
	assert_int_equal(most, 1000);
	free(items);
}

static void test_too_many(void **state)
{
	int *items = NULL, *before;

	(void)state;
	assert_true(mp_vec_room(items, 0, 3));
	before = items;
	assert_false(mp_vec_room(items, 3, SIZE_MAX));
	assert_false(mp_vec_room(items, 3, SIZE_MAX / 2));
	assert_false(mp_vec_room(items, SIZE_MAX - 1, 1));
	assert_ptr_equal(items, before);
	free(items);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_few_moves), cmocka_unit_test(test_fewer_items),
	    cmocka_unit_test(test_refilled), cmocka_unit_test(test_too_many)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

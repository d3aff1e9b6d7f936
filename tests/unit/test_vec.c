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
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_few_moves), cmocka_unit_test(test_fewer_items), cmocka_unit_test(test_too_many)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_index.c: an index finds what was put into it, asks for few items, and grows in few steps. */
#include <stdlib.h>

#include "base/index.h"
#include "base/vec.h"
#include "support.h"

struct numbers {
	int64_t *items;
	size_t count;
	struct mp_index index;
	int asked; /* items that were compared */
};

struct wanted {
	struct numbers *numbers;
	int64_t number;
};

static bool same(const void *key, uint32_t item)
{
	const struct wanted *w = key;

	w->numbers->asked++;
	return w->numbers->items[item] == w->number;
}

/* The place of a number, which is added when new. */
static size_t add(struct numbers *n, int64_t number, uint64_t hash)
{
	uint32_t *place = mp_index_find(&n->index, n->count, hash, same, &(struct wanted){n, number});

	assert_non_null(place);
	if (!*place) {
		assert_true(mp_vec_room(n->items, n->count, 1));
		n->items[n->count++] = number;
		*place = (uint32_t)n->count;
	}
	return *place - 1;
}

static void numbers_free(struct numbers *n)
{
	mp_index_free(&n->index);
	free(n->items);
}

static void test_many(void **state)
{
	const int64_t count = 200000;
	struct numbers n = {.count = 0};
	size_t room = 0, grown = 0;

	(void)state;
	for (int64_t i = 0; i < count; i++) {
		assert_int_equal(add(&n, i * i, mp_hash_mix(0, (uint64_t)(i * i))), i);
		assert_true(n.index.room >= 2 * n.count);
		grown += n.index.room != room;
		room = n.index.room;
	}
	assert_in_range(grown, 1, 20);
	assert_int_equal(n.index.room & (n.index.room - 1), 0);
	n.asked = 0;
	for (int64_t i = 0; i < count; i++)
		assert_int_equal(add(&n, i * i, mp_hash_mix(0, (uint64_t)(i * i))), i);
	assert_int_equal(n.count, count);
	assert_in_range(n.asked, count, count + 100); /* the kept hashes tell nearly all others apart */
	numbers_free(&n);
}

/* Equal hashes are told apart by the items alone, also after growing. */
static void test_equal_hashes(void **state)
{
	const uint64_t hashes[] = {0, UINT32_MAX, UINT64_MAX};
	struct numbers n = {.count = 0};

	(void)state;
	for (int round = 0; round < 2; round++)
		for (int64_t i = 0; i < 300; i++)
			assert_int_equal(add(&n, i, hashes[i % 3]), i);
	assert_int_equal(n.count, 300);
	numbers_free(&n);
}

/* A place that the caller leaves free stays free; a cleared index has nothing, and keeps its room. */
static void test_forget(void **state)
{
	struct numbers n = {.count = 0};
	struct wanted w = {&n, 7};
	size_t room;

	(void)state;
	for (int round = 0; round < 100; round++)
		assert_int_equal(*mp_index_find(&n.index, n.count, (uint64_t)round, same, &w), 0);
	for (int64_t i = 0; i < 100; i++)
		add(&n, i, (uint64_t)i);
	room = n.index.room;
	mp_index_clear(&n.index);
	n.count = 0;
	assert_int_equal(add(&n, 99, 99), 0);
	assert_int_equal(n.index.room, room);
	numbers_free(&n);
	assert_int_equal(n.index.room, 0);
	mp_index_clear(&n.index);
	mp_index_free(&n.index);
}

/* With room made before, no call can fail, and nothing moves. */
static void test_room_before(void **state)
{
	struct numbers n = {.count = 0};
	const void *slots;

	(void)state;
	assert_true(mp_index_grow(&n.index, 1000));
	slots = n.index.slots;
	for (int64_t i = 0; i <= 1000; i++)
		add(&n, i, mp_hash_mix(0, (uint64_t)i));
	assert_ptr_equal(n.index.slots, slots);
	assert_false(mp_index_grow(&n.index, SIZE_MAX / 8));
	assert_ptr_equal(n.index.slots, slots);
	numbers_free(&n);
}

static void test_text_set(void **state)
{
	struct mp_text_set set = {.count = 0};
	char text[16];

	(void)state;
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 1000; i++) {
			snprintf(text, sizeof(text), "text %d", i);
			assert_int_equal(mp_text_set_add(&set, text, sizeof(text)), i);
		}
	assert_int_equal(mp_text_set_add(&set, "text 77 and more", 7), 77);
	assert_int_equal(mp_text_set_add(&set, "text", 0), 1000);
	assert_string_equal(set.items[1000], "");
	assert_int_equal(set.count, 1001);
	mp_text_set_free(&set);
	assert_int_equal(set.count, 0);
}

/* The sums that databases and names hold are those of FNV's authors. */
static void test_fnv(void **state)
{
	(void)state;
	assert_int_equal(mp_fnv_32(MP_FNV_32, "", 0), 0x811c9dc5u);
	assert_int_equal(mp_fnv_32(MP_FNV_32, "foobar", 6), 0xbf9cf968u);
	assert_true(mp_fnv(MP_FNV, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
	assert_true(mp_fnv(mp_fnv(MP_FNV, "foo", 3), "bar", 3) == UINT64_C(0x85944171f73967e8));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_many), cmocka_unit_test(test_equal_hashes),
	    cmocka_unit_test(test_forget), cmocka_unit_test(test_room_before), cmocka_unit_test(test_text_set),
	    cmocka_unit_test(test_fnv)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_merge.c: events of several rings in the order of their ends, and times since 1970. */
#include <time.h>

#include "recorder/recorder.h"
#include "recorder/ring.h"
#include "support.h"

enum { RINGS = 40, SLOTS = 256 };

static struct mp_ring *rings[RINGS];
static struct mp_merge items[RINGS];

static uint64_t some_number(void)
{
	static uint64_t state = 88172645463325252u;

	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

static int make_rings(void **state)
{
	(void)state;
	for (int i = 0; i < RINGS; i++) {
		size_t size =
		    sizeof(struct mp_ring) + sizeof(struct mp_ring_memory) + SLOTS * sizeof(struct mp_ring_slot);

		rings[i] = aligned_alloc(MP_CACHE_LINE, size);
		if (!rings[i])
			return -1;
		memset(rings[i], 0, size);
		rings[i]->mask = SLOTS - 1;
		rings[i]->memory = (struct mp_ring_memory *)(rings[i] + 1);
	}
	return 0;
}

static int free_rings(void **state)
{
	(void)state;
	for (int i = 0; i < RINGS; i++)
		free(rings[i]);
	return 0;
}

static void put(int ring, uint8_t kind, uint64_t end_ns, const char *text)
{
	struct mp_ring_slot slot = {.end_ns = end_ns, .kind = kind, .text_size = (uint16_t)strlen(text)};

	if (*text)
		mp_ring_put_text(rings[ring], &slot, text);
	else
		mp_ring_put(rings[ring], slot);
}

/* Take everything. Returns how many events there were; *late those that ended before the one before them. */
static int take_all(int *late)
{
	struct mp_merge *top = NULL;
	char text[MP_RING_TEXT_SIZE];
	struct mp_ring_slot slot;
	uint64_t last = 0;
	int count = 0;

	*late = 0;
	for (int i = 0; i < RINGS; i++)
		mp_merge_add(&top, &items[i], rings[i], mp_ring_end(rings[i]));
	for (; top; mp_merge_next(&top), count++) {
		assert_true(mp_ring_take(top->ring, top->end, &slot, text));
		*late += slot.end_ns < last;
		last = slot.end_ns;
	}
	for (int i = 0; i < RINGS; i++)
		mp_ring_release(rings[i]);
	return count;
}

static void events_come_in_the_order_of_their_ends(void **state)
{
	int late, put_count;

	(void)state;
	for (int round = 0; round < 200; round++) {
		put_count = 0;
		for (int i = 0; i < RINGS; i++) {
			uint64_t end_ns = some_number() % 1000;

			for (uint64_t n = some_number() % 60; n; n--, put_count++) {
				end_ns += some_number() % (i % 2 ? 5 : 500);
				put(i, n % 7 ? MP_EVENT_CALL : MP_EVENT_STAMP, end_ns,
				    n % 7 ? "" : "a text of more than a slot of the ring");
			}
		}
		assert_int_equal(take_all(&late), put_count);
		assert_int_equal(late, 0);
	}
	assert_int_equal(take_all(&late), 0);
}

/* A program may publish operators with any end: they hold nothing back, and nothing holds them back. */
static void operators_come_first(void **state)
{
	struct mp_merge *top = NULL;
	char text[MP_RING_TEXT_SIZE];
	struct mp_ring_slot slot;

	(void)state;
	put(0, MP_EVENT_CALL, 5, "");
	put(1, MP_EVENT_OP, UINT64_MAX, "");
	put(1, MP_EVENT_CALL, 4, "");
	for (int i = 0; i < 2; i++)
		mp_merge_add(&top, &items[i], rings[i], mp_ring_end(rings[i]));
	for (int i = 0; i < 3; i++) {
		assert_true(mp_ring_take(top->ring, top->end, &slot, text));
		assert_true(slot.end_ns == (i == 0 ? UINT64_MAX : i == 1 ? 4 : 5));
		mp_merge_next(&top);
	}
	assert_null(top);
}

static void times_since_1970_have_the_same_order_and_differences(void **state)
{
	const struct mp_wall wall = {.realtime_ns = 1700000000000000000, .monotonic_ns = 5000};
	struct mp_wall read = {0, 0};
	struct timespec t;

	(void)state;
	assert_true(mp_wall_ns(&wall, 5000) == 1700000000000000000);
	assert_true(mp_wall_ns(&wall, 5001) == 1700000000000000001);
	assert_true(mp_wall_ns(&wall, 0) == 1699999999999995000);
	assert_true(mp_wall_ns(&(struct mp_wall){.realtime_ns = 10, .monotonic_ns = 100}, 5) == 0);
	mp_wall_read(&read);
	clock_gettime(CLOCK_REALTIME, &t);
	assert_true(read.monotonic_ns <= mp_recorder_now() && read.realtime_ns / 1000000000 + 5 > (uint64_t)t.tv_sec);
	assert_true(mp_wall_ns(&read, mp_recorder_now()) / 1000000000 <= (uint64_t)t.tv_sec + 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(events_come_in_the_order_of_their_ends),
	    cmocka_unit_test(operators_come_first),
	    cmocka_unit_test(times_since_1970_have_the_same_order_and_differences),
	};

	return cmocka_run_group_tests(tests, make_rings, free_rings);
}

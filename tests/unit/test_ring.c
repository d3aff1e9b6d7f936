/* test_ring.c: the queue between a thread and the flusher. */
#include <pthread.h>

#include "recorder/recorder_internal.h"
#include "support.h"

static struct mp_ring *ring_new(size_t slots)
{
	size_t size = sizeof(struct mp_ring_memory) + slots * sizeof(struct mp_ring_slot);
	struct mp_ring *ring = aligned_alloc(MP_CACHE_LINE, sizeof(*ring) + size);

	if (ring) {
		memset(ring, 0, sizeof(*ring) + sizeof(struct mp_ring_memory));
		ring->mask = slots - 1;
		ring->memory = (struct mp_ring_memory *)(ring + 1);
	}
	return ring;
}

static struct mp_ring_slot slot_of(uint64_t number)
{
	return (struct mp_ring_slot){.begin_ns = number, .end_ns = ~number};
}

static void order_is_kept_and_what_does_not_fit_is_counted(void **state)
{
	struct mp_ring *ring = ring_new(8);
	struct mp_ring_slot slot;
	char text[MP_RING_TEXT_SIZE];

	(void)state;
	assert_non_null(ring);
	for (uint64_t i = 0; i < 11; i++) {
		slot = slot_of(i);
		mp_ring_put_text(ring, &slot, NULL);
	}
	for (uint64_t i = 0; i < 8; i++) {
		assert_true(mp_ring_take(ring, mp_ring_end(ring), &slot, text));
		assert_int_equal(slot.begin_ns, i);
		assert_int_equal(slot.end_ns, ~i);
		assert_string_equal(text, "");
	}
	assert_false(mp_ring_take(ring, mp_ring_end(ring), &slot, text));
	assert_int_equal(mp_ring_lost(ring), 3);
	assert_int_equal(mp_ring_lost(ring), 0);
	mp_ring_put_text(ring, &slot, NULL); /* taken slots are not yet released */
	assert_int_equal(mp_ring_lost(ring), 1);
	mp_ring_release(ring);
	mp_ring_put_text(ring, &slot, NULL);
	assert_int_equal(mp_ring_lost(ring), 0);
	assert_true(mp_ring_take(ring, mp_ring_end(ring), &slot, text));
	free(ring);
}

static void texts_of_every_length_come_back_wherever_they_lie(void **state)
{
	struct mp_ring *ring = ring_new(16);
	char sent[256], got[MP_RING_TEXT_SIZE];

	(void)state;
	assert_non_null(ring);
	for (unsigned len = 0; len < 256; len++) {
		struct mp_ring_slot slot = slot_of(len), back;

		for (unsigned i = 0; i < len; i++)
			sent[i] = (char)('a' + (i + len) % 26);
		sent[len] = '\0';
		slot.text_size = (uint8_t)len;
		mp_ring_put_text(ring, &slot, sent);
		assert_true(mp_ring_take(ring, mp_ring_end(ring), &back, got));
		assert_int_equal(back.begin_ns, len);
		assert_string_equal(got, sent);
		mp_ring_release(ring);
	}
	assert_int_equal(mp_ring_lost(ring), 0);
	free(ring);
}

static void a_text_without_room_is_one_event_lost(void **state)
{
	struct mp_ring *ring = ring_new(8);
	struct mp_ring_slot slot = {.begin_ns = 1, .text_size = 255};
	char text[256] = "", got[MP_RING_TEXT_SIZE];

	(void)state;
	assert_non_null(ring);
	memset(text, 'x', 255);
	mp_ring_put_text(ring, &slot, text); /* nine slots */
	assert_false(mp_ring_take(ring, mp_ring_end(ring), &slot, got));
	assert_int_equal(mp_ring_lost(ring), 1);
	free(ring);
}

/* Put twelve events of three slots, and make zeros of some slots. Returns how many events come out. */
static uint64_t count_whole(struct mp_ring *ring, size_t first, size_t count)
{
	struct mp_ring_slot slot = {.begin_ns = 1, .kind = MP_EVENT_STAMP, .text_size = 40};
	char text[MP_RING_TEXT_SIZE] = "forty bytes of a text, which take 2 slots";
	uint64_t whole = 0;

	for (int i = 0; i < 12; i++)
		mp_ring_put_text(ring, &slot, text);
	memset(&ring->memory->slots[first], 0, count * sizeof(slot));
	while (mp_ring_take(ring, mp_ring_end(ring), &slot, text))
		if (slot.begin_ns == 1)
			whole++;
		else
			mp_ring_refuse(ring);
	return whole;
}

static void events_that_are_gone_are_counted_not_their_slots(void **state)
{
	static const struct {
		size_t first, count;
		uint64_t whole;
	} cases[] = {{36, 0, 12}, {0, 3, 11}, {3, 12, 8}, {4, 2, 12}, {3, 1, 1}}; /* the last: a text is no event */

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mp_ring *ring = ring_new(64);

		assert_non_null(ring);
		assert_int_equal(count_whole(ring, cases[i].first, cases[i].count), cases[i].whole);
		assert_int_equal(mp_ring_lost(ring), 12 - cases[i].whole);
		assert_int_equal(mp_ring_lost(ring), 0);
		free(ring);
	}
}

enum { SENT = 300000 };

static void *sender(void *arg)
{
	struct mp_ring *ring = arg;

	for (uint64_t i = 0; i < SENT;) {
		struct mp_ring_slot slot = slot_of(i);
		uint64_t lost = atomic_load(&ring->lost);

		mp_ring_put_text(ring, &slot, NULL);
		i += atomic_load(&ring->lost) == lost;
	}
	return NULL;
}

static void two_threads_see_the_same_events(void **state)
{
	struct mp_ring *ring = ring_new(64);
	char text[MP_RING_TEXT_SIZE];
	struct mp_ring_slot slot;
	uint64_t next = 0;
	pthread_t id;

	(void)state;
	assert_non_null(ring);
	assert_int_equal(pthread_create(&id, NULL, sender, ring), 0);
	while (next < SENT) {
		uint64_t end = mp_ring_end(ring);

		while (mp_ring_take(ring, end, &slot, text)) {
			assert_int_equal(slot.begin_ns, next);
			assert_int_equal(slot.end_ns, ~next);
			next++;
		}
		mp_ring_release(ring);
	}
	pthread_join(id, NULL);
	free(ring);
}

static void an_old_slot_behind_the_head_ends_the_events(void **state)
{
	static const uint16_t sizes[] = {64, MP_RING_TEXT_SIZE, UINT16_MAX};
	const struct mp_slot_texts texts = {0};
	static struct mp_ring ring;
	struct mp_ring_slot slot;
	char text[MP_RING_TEXT_SIZE];
	struct mp_event event;

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct mp_ring *full = ring_new(64);
		uint64_t end = i ? 64 : 2; /* the first text needs three slots */

		assert_non_null(full);
		memset(full->memory->slots, 0, 64 * sizeof(struct mp_ring_slot));
		full->memory->slots[0].text_size = sizes[i];
		atomic_store(&full->head, end);
		assert_false(mp_ring_take(full, end, &slot, text));
		assert_true(full->next == end);
		free(full);
	}
	slot = (struct mp_ring_slot){.kind = MP_EVENT_CALL, .type = 200};
	assert_int_equal(mp_slot_event(&event, &texts, &ring, &slot, ""), 0);
	slot = (struct mp_ring_slot){.kind = MP_EVENT_DOMAIN_STAMP, .text_size = 7};
	assert_int_equal(mp_slot_event(&event, &texts, &ring, &slot, ""), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(order_is_kept_and_what_does_not_fit_is_counted),
	    cmocka_unit_test(texts_of_every_length_come_back_wherever_they_lie),
	    cmocka_unit_test(a_text_without_room_is_one_event_lost),
	    cmocka_unit_test(events_that_are_gone_are_counted_not_their_slots),
	    cmocka_unit_test(an_old_slot_behind_the_head_ends_the_events),
	    cmocka_unit_test(two_threads_see_the_same_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

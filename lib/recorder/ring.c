/* ring.c: the slow half of the ring: texts, and taking events. Knows nothing about the content of slots. */
#include "recorder/ring.h"

#include <string.h>

_Static_assert(sizeof(struct mp_ring_slot) == 32, "two slots a cache line");

void mp_ring_put_text(struct mp_ring *ring, const struct mp_ring_slot *slot, const char *text)
{
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	size_t left = slot->text_size;

	if (!mp_ring_has_room(ring, mp_ring_slots(left)))
		return;
	ring->memory->slots[head++ & ring->mask] = *slot;
	for (; left; head++) {
		size_t n = left < sizeof(*slot) ? left : sizeof(*slot);

		memcpy(&ring->memory->slots[head & ring->mask], text, n);
		text += n;
		left -= n;
	}
	mp_ring_move(ring, head);
}

bool mp_ring_take(struct mp_ring *ring, uint64_t end, struct mp_ring_slot *slot, char text[MP_RING_TEXT_SIZE])
{
	char *at = text;
	size_t left;

	if (ring->next == end)
		return false;
	*slot = ring->memory->slots[ring->next & ring->mask];
	if (slot->text_size >= MP_RING_TEXT_SIZE || mp_ring_slots(slot->text_size) > end - ring->next) {
		ring->next = end;
		return false;
	}
	ring->next++;
	for (left = slot->text_size; left; ring->next++) {
		size_t n = left < sizeof(*slot) ? left : sizeof(*slot);

		memcpy(at, &ring->memory->slots[ring->next & ring->mask], n);
		at += n;
		left -= n;
	}
	*at = '\0';
	return true;
}

void mp_ring_release(struct mp_ring *ring)
{
	atomic_store_explicit(&ring->memory->tail, ring->next, memory_order_release);
	atomic_store_explicit(&ring->tail, ring->next, memory_order_release);
}

uint64_t mp_ring_lost(struct mp_ring *ring)
{
	uint64_t lost = atomic_load_explicit(&ring->lost, memory_order_relaxed), fresh = lost - ring->lost_told;

	ring->lost_told = lost;
	atomic_store_explicit(&ring->memory->lost_told, lost, memory_order_relaxed);
	return fresh;
}

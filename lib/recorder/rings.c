/*
 * rings.c: the memory of all rings. Rings are large enough for bursts, while all rings together stay small.
 *
 * A new ring gets a fifth of the rest: 2 MiB for the first thread, 128 KiB for the sixteenth. Threads beyond
 * RINGS_MAX_BYTES get no ring, and their events are lost.
 */
#include "recorder/recorder_internal.h"

#include <stdlib.h>

enum {
	SLOT = sizeof(struct mp_ring_slot),
	RINGS_BYTES = 10 * 1024 * 1024,
	RING_MOST = 2 * 1024 * 1024 / SLOT,
	RINGS_MAX_BYTES = 12 * 1024 * 1024
};

/* Reserve the slots of a new ring. Returns 0 when all are taken. */
static size_t reserve_slots(void)
{
	struct mp_recorder *r = &mp_recorder;
	size_t used = atomic_load_explicit(&r->ring_bytes, memory_order_relaxed), slots;

	do {
		slots = RING_MOST;
		while (slots > MP_RING_LEAST && (used >= RINGS_BYTES || slots * SLOT > (RINGS_BYTES - used) / 5))
			slots /= 2;
		if (used + slots * SLOT > RINGS_MAX_BYTES)
			return 0;
	} while (!atomic_compare_exchange_weak_explicit(
	    &r->ring_bytes, &used, used + slots * SLOT, memory_order_relaxed, memory_order_relaxed));
	return slots;
}

static void release_slots(size_t slots)
{
	atomic_fetch_sub_explicit(&mp_recorder.ring_bytes, slots * SLOT, memory_order_relaxed);
}

struct mp_ring *mp_rings_new(void)
{
	size_t slots = reserve_slots();
	struct mp_ring *ring;

	if (!slots)
		return NULL;
	ring = mp_ring_new(slots);
	if (!ring)
		release_slots(slots);
	return ring;
}

void mp_thread_free(struct mp_thread *thread)
{
	if (thread->ring)
		release_slots(thread->ring->mask + 1);
	free(thread->ring);
	free(thread);
}

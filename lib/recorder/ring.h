/*
 * ring.h: a bounded queue of events from one thread to one consumer, without locks.
 *
 * An event takes one slot, and further slots for its text. Without room the event is counted as lost, and the thread
 * continues. Exactly one thread puts events; one thread at a time takes events. A ring begins with zeros, a mask and
 * memory for the slots.
 *
 * The memory may outlive its process (arena.h), and may be cut or written by others. So the process relies on nothing
 * in it but the slots, whose content is checked. The numbers in it are copies for mp_recover, right at every moment:
 *
 * - The slots of an event are stored before `head` moves over them, and `head` is stored with release. Another
 * processor that reads the new head with acquire finds the slots. The same order holds for the memory that a killed
 * process leaves: an instruction that was executed is seen by whoever reads the memory later, and the store of `head`
 * is not executed before the stores of the slots are visible. So up to `head` all events are whole; the event being
 * written lies behind `head`, and is the only one that a crash loses.
 * - `tail` is stored with release after the events before it were written to files (mp_ring_release). The thread reads
 *   it with acquire before it uses the slots again. Events between `tail` and `head` may be in the files already, when
 *   the crash came between the write and the store; mp_recover looks for them there.
 */
#ifndef MP_RECORDER_RING_H
#define MP_RECORDER_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mp_ring_slot {
	uint64_t begin_ns, end_ns;
	uint32_t name; /* number of the name, a stamp's mark id, or the name of a domain */
	uint32_t model_id;
	uint32_t extra; /* of an operator: the name of its type; of a stamp: its category; of a domain's: its thread */
	uint8_t kind;   /* enum mp_event_kind */
	uint8_t type;   /* enum msprof_api_type or enum mp_stamp_type */
	uint16_t text_size; /* bytes of text in the following slots */
};

enum { MP_CACHE_LINE = 64, MP_RING_TEXT_SIZE = 272, MP_THREAD_NAME = 16 };

/* What outlives the process: see struct mp_ring. */
struct mp_ring_memory {
	_Alignas(MP_CACHE_LINE) _Atomic uint64_t head;
	uint64_t unused;
	_Atomic uint64_t lost;
	_Alignas(MP_CACHE_LINE) _Atomic uint64_t tail;
	uint64_t unused_too;
	_Atomic uint64_t lost_told;
	_Alignas(MP_CACHE_LINE) uint64_t mask;
	uint32_t tid;
	char name[MP_THREAD_NAME];
	struct mp_ring_slot slots[];
};

struct mp_ring {
	/* written by the thread: */
	_Alignas(MP_CACHE_LINE) _Atomic uint64_t head; /* slots put since the beginning */
	uint64_t tail_seen;
	_Atomic uint64_t lost;
	_Atomic uint64_t text_slots; /* slots of texts among those put: the others are events */
	/* written by the consumer: */
	_Alignas(MP_CACHE_LINE) _Atomic uint64_t tail; /* slots returned */
	uint64_t next;                                 /* the slot to take next */
	uint64_t lost_told, taken, gone_told;          /* events; gone: put, and no event any more */
	/* read by both: */
	_Alignas(MP_CACHE_LINE) uint64_t mask; /* slots - 1; slots are a power of two */
	struct mp_ring_memory *memory;
	uint32_t tid;              /* of the thread; 0: the ring is free */
	char name[MP_THREAD_NAME]; /* of the thread, as it was at its first event */
	struct mp_ring *older;     /* of the process */
};

/* How many slots wait, as far as the thread that puts knows; never less than the true number. */
static inline uint64_t mp_ring_waiting(const struct mp_ring *ring)
{
	return atomic_load_explicit(&ring->head, memory_order_relaxed) - ring->tail_seen;
}

/* Read again how far the consumer is. */
static inline void mp_ring_look(struct mp_ring *ring)
{
	ring->tail_seen = atomic_load_explicit(&ring->tail, memory_order_acquire);
}

/* How many slots an event takes with this many bytes of text. */
static inline uint64_t mp_ring_slots(size_t text_size)
{
	return 1 + (text_size + sizeof(struct mp_ring_slot) - 1) / sizeof(struct mp_ring_slot);
}

/* Returns whether the thread may put `slots` more; otherwise counts a lost event. */
static inline bool mp_ring_has_room(struct mp_ring *ring, uint64_t slots)
{
	if (mp_ring_waiting(ring) + slots <= ring->mask + 1)
		return true;
	mp_ring_look(ring);
	if (mp_ring_waiting(ring) + slots <= ring->mask + 1)
		return true;
	atomic_store_explicit(
	    &ring->lost, atomic_load_explicit(&ring->lost, memory_order_relaxed) + 1, memory_order_relaxed);
	atomic_store_explicit(
	    &ring->memory->lost, atomic_load_explicit(&ring->lost, memory_order_relaxed), memory_order_relaxed);
	return false;
}

/* The slots before `head` are stored. */
static inline void mp_ring_move(struct mp_ring *ring, uint64_t head)
{
	atomic_store_explicit(&ring->memory->head, head, memory_order_release);
	atomic_store_explicit(&ring->head, head, memory_order_release);
}

enum { MP_RING_AHEAD = 32 }; /* slots whose lines are on their way between processors while others are used */

/* Put an event without text, where there is room. The lines of slots to come may be with the consumer's processor. */
static inline void mp_ring_put(struct mp_ring *ring, struct mp_ring_slot slot)
{
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	struct mp_ring_slot *slots = ring->memory->slots;

	slots[head & ring->mask] = slot;
	__builtin_prefetch(&slots[(head + MP_RING_AHEAD) & ring->mask], 1);
	mp_ring_move(ring, head + 1);
}

/* Put an event with slot->text_size bytes of text, or count it as lost. */
void mp_ring_put_text(struct mp_ring *ring, const struct mp_ring_slot *slot, const char *text);

/* The end of the slots put so far: where to stop taking. */
static inline uint64_t mp_ring_end(const struct mp_ring *ring)
{
	return atomic_load_explicit(&ring->head, memory_order_acquire);
}

/*
 * Take the next event before `end`. Returns false at the end. The text is NUL-terminated. The slots are free
 * for the thread after mp_ring_release. Where the memory of the ring was exchanged while the thread was late with an
 * event (arena.c), or others changed it, a slot may be no event: what cannot be one ends the events before `end`.
 * mp_ring_refuse: what was taken last is no event.
 */
bool mp_ring_take(struct mp_ring *ring, uint64_t end, struct mp_ring_slot *slot, char text[MP_RING_TEXT_SIZE]);
static inline void mp_ring_refuse(struct mp_ring *ring)
{
	ring->taken--;
}
void mp_ring_release(struct mp_ring *ring);

/*
 * The number of events lost since the last call: those without room, and those put that were not taken. It is right as
 * soon as all that was put is taken, and never too large before. Called by the consumer.
 */
uint64_t mp_ring_lost(struct mp_ring *ring);

/*
 * Takes the events of several rings in the order in which they ended: a heap of rings, by the end of the next event of
 * each. The caller owns the items, one for each ring, and takes the events. Operators that a program publishes come
 * first, whatever end it tells for them. Nothing is allocated. One thread at a time.
 */
struct mp_merge {
	struct mp_ring *ring;
	uint64_t end;    /* the slot at which its events end */
	uint64_t end_ns; /* of its next event */
	struct mp_merge *left, *right;
};

/* Add the events of a ring before the slot `end` to the heap *top, which is NULL when empty. */
void mp_merge_add(struct mp_merge **top, struct mp_merge *item, struct mp_ring *ring, uint64_t end);

/* The next event of (*top)->ring was taken: put the ring in its place, or out of the heap when nothing is left. */
void mp_merge_next(struct mp_merge **top);

#endif

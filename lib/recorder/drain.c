/*
 * drain.c: takes events out of the rings and gives them to the sinks. Only the flusher runs this code, with the lock.
 * Before it the slow half of a ring (texts, and taking events), which knows nothing about the content of slots, and a
 * skew heap of rings.
 *
 * A pass takes what had ended at its beginning, in the order of the ends, and in turns. After each turn the sinks
 * write, and only then the slots are free: until an event is in a file it is in its ring. Turns are short, so that busy
 * threads get free slots soon.
 */
#include "recorder/recorder_internal.h"

#include <stdlib.h>
#include <string.h>

#include "recorder/arena.h"
#include "recorder/recorder.h"
#include "recorder/ring.h"

_Static_assert(sizeof(struct mp_ring_slot) == 32, "two slots a cache line");

void mp_ring_put_text(struct mp_ring *ring, const struct mp_ring_slot *slot, const char *text)
{
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed),
		 texts = atomic_load_explicit(&ring->text_slots, memory_order_relaxed);
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
	/* before the head: the consumer may count too many slots of texts, and so too few events, but none too many */
	atomic_store_explicit(&ring->text_slots, texts + mp_ring_slots(slot->text_size) - 1, memory_order_relaxed);
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
	__builtin_prefetch(&ring->memory->slots[(ring->next + MP_RING_AHEAD) & ring->mask]);
	for (left = slot->text_size; left; ring->next++) {
		size_t n = left < sizeof(*slot) ? left : sizeof(*slot);

		memcpy(at, &ring->memory->slots[ring->next & ring->mask], n);
		at += n;
		left -= n;
	}
	*at = '\0';
	ring->taken++;
	return true;
}

void mp_ring_release(struct mp_ring *ring)
{
	atomic_store_explicit(&ring->memory->tail, ring->next, memory_order_release);
	atomic_store_explicit(&ring->tail, ring->next, memory_order_release);
}

uint64_t mp_ring_lost(struct mp_ring *ring)
{
	uint64_t lost = atomic_load_explicit(&ring->lost, memory_order_relaxed), fresh = lost - ring->lost_told,
		 events = ring->next - atomic_load_explicit(&ring->text_slots, memory_order_relaxed),
		 gone = events - ring->taken - ring->gone_told;

	if ((int64_t)gone > 0) {
		ring->gone_told += gone;
		fresh += gone;
	}
	ring->lost_told = lost;
	atomic_store_explicit(&ring->memory->lost_told, lost, memory_order_relaxed);
	return fresh;
}

/* Join two heaps from the top down; each item on the way exchanges its sides, which keeps the way short. */
static struct mp_merge *join(struct mp_merge *a, struct mp_merge *b)
{
	struct mp_merge *top = NULL, **place = &top;

	while (a && b) {
		struct mp_merge *first = a->end_ns <= b->end_ns ? a : b, *rest = first->right;

		b = first == a ? b : a;
		a = rest;
		first->right = first->left;
		*place = first;
		place = &first->left;
	}
	*place = a ? a : b;
	return top;
}

static void look(struct mp_merge *item)
{
	const struct mp_ring_slot *slot = &item->ring->memory->slots[item->ring->next & item->ring->mask];

	item->end_ns = slot->kind == MP_EVENT_OP ? 0 : slot->end_ns;
}

void mp_merge_add(struct mp_merge **top, struct mp_merge *item, struct mp_ring *ring, uint64_t end)
{
	*item = (struct mp_merge){.ring = ring, .end = end};
	if (ring->next == end)
		return;
	look(item);
	*top = join(*top, item);
}

void mp_merge_next(struct mp_merge **top)
{
	struct mp_merge *item = *top, *rest;

	if (item->ring->next != item->end) {
		look(item);
		if ((!item->left || item->end_ns <= item->left->end_ns) &&
		    (!item->right || item->end_ns <= item->right->end_ns))
			return; /* a thread makes many events in turn */
	}
	rest = join(item->left, item->right);
	item->left = item->right = NULL;
	*top = item->ring->next != item->end ? join(rest, item) : rest;
}

/* Waiting records that wake the flusher: a megabyte of JOB records. */
enum { WAITING_MOST = 8192, WAKE_LEAST = 64, TURN = 8192, SECOND_NS = 1000000000 };

static void deliver(const struct mp_event *event, unsigned what)
{
	for (struct mp_event_sink *s = mp_recorder.sinks; s; s = s->next)
		if ((s->wanted & what) && event->begin_ns >= s->begin_ns &&
		    (!s->until_ns || event->begin_ns < s->until_ns))
			s->event(s->state, event);
}

/* What calls and operators have. */
static void put_names(struct mp_event *e, uint32_t op_type, const struct mp_slot_texts *texts)
{
	e->op_type = op_type;
	e->text = texts->name(texts->state, &e->name);
	e->op_type_text = op_type ? texts->name(texts->state, &e->op_type) : "?";
	e->model = texts->model(texts->state, e->model_id);
}

unsigned mp_slot_event(struct mp_event *e, const struct mp_slot_texts *texts, const struct mp_ring *ring,
    const struct mp_ring_slot *slot, const char *text)
{
	/* With all members named, compilers store each: to clear a struct of this size is slower. */
	*e = (struct mp_event){.kind = (enum mp_event_kind)slot->kind,
	    .tid = ring->tid,
	    .thread = ring->name,
	    .begin_ns = slot->begin_ns,
	    .end_ns = slot->end_ns,
	    .model_id = slot->model_id,
	    .model = NULL,
	    .name = slot->name,
	    .text = NULL,
	    .type = 0,
	    .op_type = 0,
	    .op_type_text = NULL,
	    .stamp = MP_STAMP_MARK,
	    .domain = 0,
	    .domain_text = NULL,
	    .stream = 0,
	    .category = 0,
	    .mark_id = 0};
	switch (e->kind) {
	case MP_EVENT_CALL:
		if (slot->type < MSPROF_OP || slot->type > MSPROF_OTHER)
			return 0; /* no thread has put this: see mp_ring_take */
		e->type = (enum msprof_api_type)slot->type;
		put_names(e, slot->extra, texts);
		return 1u << slot->type;
	case MP_EVENT_OP:
		put_names(e, slot->extra, texts);
		return MP_WANT_OPS;
	case MP_EVENT_OP_RANGE:
		e->stamp = MP_STAMP_PUSH_POP;
		put_names(e, slot->extra, texts);
		return MP_WANT_STAMPS;
	case MP_EVENT_STAMP:
		e->stamp = (enum mp_stamp_type)slot->type;
		e->mark_id = slot->name;
		e->category = slot->extra;
		e->text = text;
		return MP_WANT_STAMPS;
	case MP_EVENT_DOMAIN_STAMP:
		if (slot->text_size < sizeof(e->stream))
			return 0;
		e->stamp = (enum mp_stamp_type)slot->type;
		e->tid = slot->extra ? slot->extra : ring->tid;
		e->thread = e->tid == ring->tid ? ring->name : ""; /* the thread that began the range may be another */
		e->mark_id = slot->model_id;
		e->model_id = MSPROF_NO_MODEL;
		e->domain = slot->name;
		e->domain_text = texts->name(texts->state, &e->domain);
		memcpy(&e->stream, text, sizeof(e->stream));
		e->text = text + sizeof(e->stream);
		return MP_WANT_STAMPS;
	}
	return 0;
}

/* Sinks may rely on each number of a name. */
static const char *name_text(void *unused, uint32_t *number)
{
	(void)unused;
	return mp_name_known(&mp_recorder.names, number);
}

static const char *model_text(void *unused, uint32_t model_id)
{
	(void)unused;
	return model_id == MSPROF_NO_MODEL ? NULL : mp_model_name(model_id);
}

/*
 * Whether the next event waits for the next pass: it ended after the beginning of this one, and events that ended
 * before it may still be on their way into other rings. A time far ahead is none: see mp_ring_take.
 */
static bool must_wait(const struct mp_merge *next, uint64_t until_ns)
{
	return next->end_ns > until_ns && next->end_ns - until_ns < SECOND_NS;
}

/*
 * Whether a thread can have put a slot. Programs publish operators with times of their own. The clock is read again for
 * what came after a process was stopped within a pass.
 */
static bool is_possible(const struct mp_ring_slot *slot, uint64_t until_ns)
{
	const uint64_t last_ns = slot->begin_ns > slot->end_ns ? slot->begin_ns : slot->end_ns;

	return slot->begin_ns && (slot->kind == MP_EVENT_OP || last_ns <= until_ns || last_ns <= mp_recorder_now());
}

/* Take a turn's events. Returns whether there are more. Somebody may have cut or changed the file below them. */
static bool take_turn(struct mp_merge **top, uint64_t until_ns)
{
	static const struct mp_slot_texts texts = {.name = name_text, .model = model_text};
	struct mp_ring_slot slot;
	char text[MP_RING_TEXT_SIZE];
	struct mp_event e;

	for (int i = 0; *top && !must_wait(*top, until_ns); i++) {
		struct mp_ring *ring = (*top)->ring;
		unsigned what;

		if (i == TURN)
			return true;
		if (mp_ring_take(ring, (*top)->end, &slot, text)) {
			what = is_possible(&slot, until_ns) ? mp_slot_event(&e, &texts, ring, &slot, text) : 0;
			if (what)
				deliver(&e, what);
			else
				mp_ring_refuse(ring);
		}
		mp_merge_next(top);
	}
	return false;
}

static void flush_sinks(void)
{
	for (struct mp_event_sink *s = mp_recorder.sinks; s; s = s->next)
		s->flush(s->state);
}

/* Take `t`, which follows `before`, out of the list. Returns false when another thread was added in front meanwhile. */
static bool unlink_thread(struct mp_thread *before, struct mp_thread *t)
{
	struct mp_thread *first = t;

	if (before) {
		before->next = t->next;
		return true;
	}
	return atomic_compare_exchange_strong(&mp_recorder.threads, &first, t->next);
}

/* Take the events that ended until now. Returns the number of lost events. */
static uint64_t drain_rings(struct mp_thread *first)
{
	uint64_t until_ns = mp_recorder_now(), lost = 0;
	struct mp_merge *top = NULL;
	bool more = true;

	for (struct mp_thread *t = first; t; t = t->next) {
		t->done = atomic_load_explicit(&t->ended, memory_order_acquire);
		if (t->ring)
			mp_merge_add(&top, &t->events, t->ring, mp_ring_end(t->ring));
	}
	while (more) {
		more = take_turn(&top, until_ns);
		flush_sinks();
		for (struct mp_thread *t = first; t; t = t->next)
			if (t->ring)
				mp_ring_release(t->ring);
	}
	for (struct mp_thread *t = first; t; t = t->next) {
		t->done = t->done && (!t->ring || t->ring->next == t->events.end);
		lost += t->ring ? mp_ring_lost(t->ring) : 0;
	}
	return lost;
}

void mp_thread_free(struct mp_thread *thread)
{
	if (thread->ring)
		mp_arena_give_back(thread->ring);
	free(thread);
}

static uint64_t drain_threads(void)
{
	struct mp_thread *first = atomic_load_explicit(&mp_recorder.threads, memory_order_acquire), *before = NULL,
			 *next;
	uint64_t lost = drain_rings(first);
	uint32_t count = 0;

	for (struct mp_thread *t = first; t; t = next) {
		next = t->next;
		if (t->done && unlink_thread(before, t)) {
			mp_thread_free(t);
			continue;
		}
		before = t;
		count++;
	}
	count = count ? WAITING_MOST / count : WAITING_MOST;
	atomic_store_explicit(&mp_recorder_wake_at, count > WAKE_LEAST ? count : WAKE_LEAST, memory_order_relaxed);
	return lost;
}

void mp_drain_locked(void)
{
	uint64_t lost = drain_threads() + atomic_exchange_explicit(&mp_recorder.homeless, 0, memory_order_relaxed);

	for (struct mp_event_sink *s = mp_recorder.sinks; lost && s; s = s->next)
		if (s->wanted && s->lost) {
			s->lost(s->state, lost);
			s->flush(s->state);
		}
}

static int drain(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&mp_recorder.lock);
	mp_drain_locked();
	pthread_mutex_unlock(&mp_recorder.lock);
	return 0;
}

void mp_recorder_drain(void)
{
	mp_flusher_do(drain, NULL, 0);
}

void mp_sinks_settle(void)
{
	unsigned wanted = atomic_load(&mp_recorder.wanted) & MP_WANT_RENEWAL;

	for (struct mp_event_sink *s = mp_recorder.sinks; s; s = s->next)
		wanted |= s->wanted;
	atomic_store(&mp_recorder.wanted, wanted);
	atomic_store(&mp_recorder.attached, mp_recorder.sinks != NULL);
}

int64_t mp_sinks_tick(int64_t most_ns)
{
	for (struct mp_event_sink *s = mp_recorder.sinks; s; s = s->next) {
		int64_t next_ns = s->tick ? s->tick(s->state) : INT64_MAX;

		most_ns = next_ns < most_ns ? next_ns : most_ns;
	}
	return most_ns;
}

void mp_sinks_end(enum mp_end how)
{
	struct mp_event_sink *s = mp_recorder.sinks;

	if (how != MP_END_FORK) {
		atomic_store(&mp_recorder.wanted, 0); /* first: what is recorded until then is in the results */
		mp_drain_locked();
	}
	mp_recorder.sinks = NULL;
	mp_sinks_settle();
	while (s) {
		struct mp_event_sink *next = s->next;

		if (s->end)
			s->end(s->state, how);
		s = next;
	}
}

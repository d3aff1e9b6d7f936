/* drain.c: takes events out of the rings and gives them to the sinks. Only the thread with the lock runs this code. */
#include <string.h>

#include "recorder/recorder_internal.h"

/* Waiting records that wake the flusher: a megabyte of JOB records. */
enum { WAITING_MOST = 8192, WAKE_LEAST = 64 };

static void deliver(const struct mp_event *event, unsigned what)
{
	for (struct mp_event_sink *s = mp_recorder.sinks; s; s = s->next)
		if ((s->wanted & what) && event->begin_ns >= s->begin_ns &&
		    (!s->until_ns || event->begin_ns < s->until_ns))
			s->event(s->state, event);
}

/* Replace a number that is not in use, so that sinks may rely on each number. */
static uint32_t known_name(uint32_t number)
{
	return mp_name_known(&mp_recorder.names, number) ? number : 0;
}

static void deliver_slot(uint32_t tid, const struct mp_ring_slot *slot, const char *text)
{
	struct mp_event e = {.kind = (enum mp_event_kind)slot->kind,
	    .tid = tid,
	    .begin_ns = slot->begin_ns,
	    .end_ns = slot->end_ns,
	    .model_id = slot->model_id};

	switch (e.kind) {
	case MP_EVENT_CALL:
		e.type = (enum msprof_api_type)slot->type;
		e.name = known_name(slot->name);
		e.text = mp_name_text(&mp_recorder.names, e.name);
		deliver(&e, 1u << slot->type);
		break;
	case MP_EVENT_OP:
		e.name = known_name(slot->name);
		e.text = mp_name_text(&mp_recorder.names, e.name);
		e.op_type = known_name(slot->extra);
		e.op_type_text = mp_name_text(&mp_recorder.names, e.op_type);
		deliver(&e, MP_WANT_OPS);
		break;
	case MP_EVENT_STAMP:
		e.stamp = (enum mp_stamp_type)slot->type;
		e.mark_id = slot->name;
		e.category = slot->extra;
		e.text = text;
		deliver(&e, MP_WANT_STAMPS);
		break;
	case MP_EVENT_DOMAIN_STAMP:
		e.stamp = (enum mp_stamp_type)slot->type;
		e.tid = slot->extra ? slot->extra : tid;
		e.domain = known_name(slot->name);
		e.domain_text = mp_name_text(&mp_recorder.names, e.domain);
		memcpy(&e.stream, text, sizeof(e.stream));
		e.text = text + sizeof(e.stream);
		deliver(&e, MP_WANT_STAMPS);
		break;
	}
}

static uint64_t drain_thread(struct mp_thread *t)
{
	struct mp_ring_slot slot;
	char text[MP_RING_TEXT_SIZE];
	uint64_t end = mp_ring_end(t->ring);

	while (mp_ring_take(t->ring, end, &slot, text))
		deliver_slot(t->tid, &slot, text);
	mp_ring_release(t->ring);
	return mp_ring_lost(t->ring);
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

static uint64_t drain_threads(void)
{
	struct mp_thread *t = atomic_load_explicit(&mp_recorder.threads, memory_order_acquire), *before = NULL, *next;
	uint64_t lost = 0;
	uint32_t count = 0;

	for (; t; t = next) {
		bool ended = atomic_load_explicit(&t->ended, memory_order_acquire);

		next = t->next;
		if (t->ring)
			lost += drain_thread(t);
		if (ended && unlink_thread(before, t)) {
			mp_thread_free(t);
			continue;
		}
		before = t;
		count++;
	}
	count = count ? WAITING_MOST / count : WAITING_MOST;
	atomic_store_explicit(&mp_recorder.wake_at, count > WAKE_LEAST ? count : WAKE_LEAST, memory_order_relaxed);
	return lost;
}

void mp_drain_locked(void)
{
	uint64_t lost = drain_threads() + atomic_exchange_explicit(&mp_recorder.homeless, 0, memory_order_relaxed);

	atomic_fetch_add_explicit(&mp_recorder.lost, lost, memory_order_relaxed);
	for (struct mp_event_sink *s = mp_recorder.sinks; s; s = s->next) {
		if (lost && s->wanted && s->lost)
			s->lost(s->state, lost);
		s->flush(s->state);
	}
}

void mp_recorder_drain(void)
{
	pthread_mutex_lock(&mp_recorder.lock);
	mp_drain_locked();
	pthread_mutex_unlock(&mp_recorder.lock);
}

void mp_sinks_settle(void)
{
	unsigned wanted = 0;

	for (struct mp_event_sink *s = mp_recorder.sinks; s; s = s->next)
		wanted |= s->wanted;
	atomic_store(&mp_recorder.wanted, wanted);
	atomic_store(&mp_recorder.attached, mp_recorder.sinks != NULL);
}

void mp_sinks_end(enum mp_end how)
{
	struct mp_event_sink *s = mp_recorder.sinks;

	if (how != MP_END_FORK)
		mp_drain_locked();
	mp_recorder.sinks = NULL;
	mp_sinks_settle();
	while (s) {
		struct mp_event_sink *next = s->next;

		if (s->end)
			s->end(s->state, how);
		s = next;
	}
}

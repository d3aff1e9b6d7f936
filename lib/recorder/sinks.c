/* sinks.c: attaches sinks to the recorder and detaches them. The first sink starts the flusher. */
#include "recorder/arena.h"
#include "recorder/recorder_internal.h"

#include <string.h>

int mp_recorder_remember(struct mp_error *err)
{
	struct mp_names *names = &mp_recorder.names;
	int fresh;

	pthread_mutex_lock(&names->lock);
	fresh = mp_arena_make(err);
	for (uint32_t i = 1; fresh > 0 && i < names->count; i++)
		mp_arena_name(mp_name_text(names, i), strlen(mp_name_text(names, i)));
	pthread_mutex_unlock(&names->lock);
	for (int i = 0; fresh > 0 && i < MP_MODELS_MAX; i++) {
		struct mp_model *m = &mp_recorder.models.items[i];
		uint64_t key = atomic_load_explicit(&m->key, memory_order_acquire);
		const char *name = key ? atomic_load_explicit(&m->name, memory_order_acquire) : NULL;

		if (name)
			mp_arena_model((uint32_t)(key - 1), mp_name_number(names, NULL, name, strlen(name)));
	}
	return fresh < 0 ? -1 : 0;
}

struct attachment {
	struct mp_event_sink *sink;
	struct mp_error *err;
};

static int attach(void *state)
{
	struct mp_recorder *r = &mp_recorder;
	struct mp_event_sink *sink = ((struct attachment *)state)->sink;
	uint64_t now;
	int status;

	pthread_mutex_lock(&r->lock);
	mp_drain_locked(); /* events that nobody wanted, or that others wanted, are not for the new sink */
	status = mp_recorder_remember(((struct attachment *)state)->err);
	if (!status) {
		if (!r->sinks)
			mp_signals_catch();
		now = mp_recorder_now();
		if (sink->begin_ns < now)
			sink->begin_ns = now;
		sink->next = r->sinks;
		r->sinks = sink;
		mp_sinks_settle();
		mp_flusher_call(); /* the flusher may be asleep without a time limit */
	}
	pthread_mutex_unlock(&r->lock);
	return status;
}

int mp_recorder_attach(struct mp_event_sink *sink, struct mp_error *err)
{
	return mp_flusher_start(attach, &(struct attachment){sink, err}, -1, err);
}

static struct mp_event_sink **place_of(const struct mp_event_sink *sink)
{
	struct mp_event_sink **at = &mp_recorder.sinks;

	while (*at && *at != sink)
		at = &(*at)->next;
	return at;
}

static int quiet(void *state)
{
	struct mp_event_sink *sink = state;

	pthread_mutex_lock(&mp_recorder.lock);
	if (*place_of(sink)) {
		mp_drain_locked();
		sink->wanted = 0;
		mp_sinks_settle();
	}
	pthread_mutex_unlock(&mp_recorder.lock);
	return 0;
}

void mp_recorder_quiet(struct mp_event_sink *sink)
{
	mp_flusher_do(quiet, sink, 0);
}

static int detach(void *state)
{
	struct mp_event_sink *sink = state, **at;

	pthread_mutex_lock(&mp_recorder.lock);
	at = place_of(sink);
	if (*at) {
		mp_drain_locked();
		*at = sink->next;
		mp_sinks_settle();
	}
	if (!mp_recorder.sinks)
		mp_signals_release();
	if (atomic_load(&mp_recorder.signal))
		mp_flusher_call(); /* the signal arrived meanwhile; without sinks the flusher would sleep through it */
	pthread_mutex_unlock(&mp_recorder.lock);
	return 0;
}

void mp_recorder_detach(struct mp_event_sink *sink)
{
	mp_flusher_do(detach, sink, 0);
}

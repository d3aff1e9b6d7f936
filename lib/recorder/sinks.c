/* sinks.c: attaches sinks to the recorder and detaches them. The first sink starts the flusher. */
#include "recorder/recorder_internal.h"

int mp_recorder_attach(struct mp_event_sink *sink, struct mp_error *err)
{
	struct mp_recorder *r = &mp_recorder;
	uint64_t now;
	int status = 0;

	mp_process_prepare();
	pthread_mutex_lock(&r->lock);
	mp_drain_locked(); /* events that nobody wanted, or that others wanted, are not for the new sink */
	if (atomic_load(&r->forked))
		status = mp_fail(err, "cannot record in a child of a process that records: start it with exec");
	else
		status = mp_flusher_start(err);
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

static struct mp_event_sink **place_of(const struct mp_event_sink *sink)
{
	struct mp_event_sink **at = &mp_recorder.sinks;

	while (*at && *at != sink)
		at = &(*at)->next;
	return at;
}

void mp_recorder_quiet(struct mp_event_sink *sink)
{
	pthread_mutex_lock(&mp_recorder.lock);
	if (*place_of(sink)) {
		mp_drain_locked();
		sink->wanted = 0;
		mp_sinks_settle();
	}
	pthread_mutex_unlock(&mp_recorder.lock);
}

void mp_recorder_detach(struct mp_event_sink *sink)
{
	struct mp_event_sink **at;

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
}

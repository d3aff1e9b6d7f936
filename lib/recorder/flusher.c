/*
 * flusher.c: the thread that has the files. It drains the rings four times a second, and on request, and does what else
 * needs a descriptor (table.h) for threads that wait. It blocks all signals. It sleeps by the monotonic clock, so that
 * changes of the wall clock do not delay it. Attaches sinks to the recorder and detaches them; the first sink starts
 * the flusher.
 */
#include "recorder/recorder_internal.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/thread.h"
#include "recorder/arena.h"
#include "recorder/log.h"
#include "recorder/table.h"

enum { PERIOD_NS = 250 * 1000 * 1000, SECOND_NS = 1000 * 1000 * 1000, FLUSHER_NICE = -10 };

/* Sleep until called or, while there are sinks, for this time, which is less than a second. */
static void sleep_a_while(int64_t wait_ns)
{
	struct mp_recorder *r = &mp_recorder;
	struct timespec until;
	int code = 0;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += (long)wait_ns;
	if (until.tv_nsec >= SECOND_NS) {
		until.tv_nsec -= SECOND_NS;
		until.tv_sec++;
	}
	pthread_mutex_lock(&r->sleep_lock);
	while (!atomic_load_explicit(&r->flusher_called, memory_order_relaxed) && code != ETIMEDOUT)
		code = atomic_load(&r->attached) ? pthread_cond_timedwait(&r->sleep, &r->sleep_lock, &until)
						 : pthread_cond_wait(&r->sleep, &r->sleep_lock);
	atomic_store_explicit(&r->flusher_called, false, memory_order_relaxed);
	pthread_mutex_unlock(&r->sleep_lock);
}

/* Samples that are due come before the events: both are then written. */
static int64_t tick(void)
{
	int64_t wait_ns;

	pthread_mutex_lock(&mp_recorder.lock);
	wait_ns = mp_sinks_tick(PERIOD_NS);
	pthread_mutex_unlock(&mp_recorder.lock);
	return wait_ns;
}

static void *run(void *unused)
{
	int64_t wait_ns = PERIOD_NS;

	(void)unused;
	mp_errands_begin();
	mp_table_take(-1);
	mp_table_lead(MP_TABLE_FLUSHER);
	mp_log_later();
	mp_bus_admit();
	/* Threads that fill their rings keep the processors busy. The priority stays when it may not be raised. */
	setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), FLUSHER_NICE);
	for (;;) {
		int number;

		sleep_a_while(wait_ns);
		number = atomic_load(&mp_recorder.signal);

		if (number)
			mp_process_die(number);
		mp_errands_run();
		wait_ns = tick();
		mp_recorder_drain();
		mp_arena_prepare();
	}
	return NULL;
}

static int start_thread(struct mp_error *err)
{
	pthread_t thread;
	int code = mp_thread_start(&thread, run, NULL);

	if (code)
		return mp_fail(err, "cannot start the thread that writes: %s", strerror(code));
	pthread_detach(thread); /* the thread lives as long as the process; without sinks it sleeps */
	atomic_store(&mp_recorder.flusher_of, getpid());
	return 0;
}

/* Start the flusher unless it runs. Call without the lock. */
static int start(struct mp_error *err)
{
	struct mp_recorder *r = &mp_recorder;
	int status = 0;

	mp_process_prepare();
	if (mp_is_flusher())
		return 0;
	mp_log_begin();
	pthread_mutex_lock(&r->lock);
	if (!atomic_load(&r->flusher_of))
		status = start_thread(err);
	pthread_mutex_unlock(&r->lock);
	return status;
}

int mp_flusher_start(int (*work)(void *state), void *state, int otherwise, struct mp_error *err)
{
	if (start(err))
		return otherwise;
	mp_error_set(err, "cannot record in a process made without fork"); /* unless the work is done */
	return mp_flusher_do(work, state, otherwise);
}

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

/*
 * No thread records any more what this sink alone wants, and then the sink gets what was recorded: none of it waits
 * longer. Call with the lock.
 */
static void silence(struct mp_event_sink *sink)
{
	const unsigned wanted = sink->wanted;

	sink->wanted = 0;
	mp_sinks_settle();
	sink->wanted = wanted;
	mp_drain_locked();
	sink->wanted = 0;
}

static int quiet(void *state)
{
	struct mp_event_sink *sink = state;

	pthread_mutex_lock(&mp_recorder.lock);
	if (*place_of(sink))
		silence(sink);
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
		silence(sink);
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

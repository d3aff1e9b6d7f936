/*
 * flusher.c: the thread that has the files. It drains the rings four times a second, and on request, and does what else
 * needs a descriptor (table.h) for threads that wait. It blocks all signals. It sleeps by the monotonic clock, so that
 * changes of the wall clock do not delay it.
 */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/thread.h"
#include "recorder/arena.h"
#include "recorder/bus.h"
#include "recorder/log.h"
#include "recorder/recorder_internal.h"
#include "recorder/table.h"

enum { PERIOD_NS = 250 * 1000 * 1000, SECOND_NS = 1000 * 1000 * 1000, FLUSHER_NICE = -10 };

/* Sleep until called or, while there are sinks, until the period ends. */
static void sleep_a_while(void)
{
	struct mp_recorder *r = &mp_recorder;
	struct timespec until;
	int code = 0;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += PERIOD_NS;
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

static void *run(void *unused)
{
	(void)unused;
	mp_errands_begin();
	mp_table_take(-1);
	mp_table_lead();
	mp_log_later();
	mp_bus_admit();
	/* Threads that fill their rings keep the processors busy. The priority stays when it may not be raised. */
	setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), FLUSHER_NICE);
	for (;;) {
		int number;

		sleep_a_while();
		number = atomic_load(&mp_recorder.signal);

		if (number)
			mp_process_die(number);
		mp_errands_run();
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
	if (atomic_load(&r->forked))
		status = mp_fail(err, "cannot record in a child of a process that records: start it with exec");
	else if (!atomic_load(&r->flusher_of))
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

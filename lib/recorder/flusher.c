/*
 * flusher.c: the thread that drains the rings four times a second, and on request. It blocks all signals. It sleeps by
 * the monotonic clock, so that changes of the wall clock do not delay it.
 */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/thread.h"
#include "recorder/recorder_internal.h"

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
	/* Threads that fill their rings keep the processors busy. The priority stays when it may not be raised. */
	setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), FLUSHER_NICE);
	for (;;) {
		int number;

		sleep_a_while();
		number = atomic_load(&mp_recorder.signal);

		if (number)
			mp_process_die(number);
		mp_recorder_drain();
	}
	return NULL;
}

int mp_flusher_start(struct mp_error *err)
{
	struct mp_recorder *r = &mp_recorder;
	pthread_t thread;
	int code;

	if (r->flusher_runs)
		return 0;
	code = mp_thread_start(&thread, run, NULL);
	if (code)
		return mp_fail(err, "cannot start the thread that writes: %s", strerror(code));
	pthread_detach(thread); /* the thread lives as long as the process; without sinks it sleeps */
	r->flusher_runs = true;
	return 0;
}

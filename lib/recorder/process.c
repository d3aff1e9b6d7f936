/*
 * process.c: what the recorder does when its process forks, receives a signal to end, or ends.
 *
 * A child made by fork drops all sinks, because the files are the parent's. At its first event its sessions begin anew,
 * with files of its own; most children become another program and have none. SIGINT and SIGTERM are caught only when
 * the application has no handler of its own. The data is finalised before the signal takes effect.
 */
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "recorder/arena.h"
#include "recorder/log.h"
#include "recorder/recorder_internal.h"
#include "recorder/table.h"

static const int caught[] = {SIGINT, SIGTERM};
enum { CAUGHT = sizeof(caught) / sizeof(caught[0]) };

static void before_fork(void)
{
	pthread_mutex_lock(&mp_recorder.lock);
	pthread_mutex_lock(&mp_recorder.models.lock);
	pthread_mutex_lock(&mp_recorder.names.lock);
	pthread_mutex_lock(&mp_recorder.sleep_lock);
	mp_arena_before_fork();
	mp_log_before_fork();
}

static void unlock_all(void)
{
	pthread_mutex_unlock(&mp_recorder.sleep_lock);
	pthread_mutex_unlock(&mp_recorder.names.lock);
	pthread_mutex_unlock(&mp_recorder.models.lock);
	pthread_mutex_unlock(&mp_recorder.lock);
}

static void after_fork(void)
{
	mp_log_after_fork(false);
	mp_arena_after_fork();
	unlock_all();
}

static void make_sleep(void)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&mp_recorder.sleep, &attributes);
	pthread_cond_init(&mp_recorder.answer, NULL);
	pthread_condattr_destroy(&attributes);
}

static void in_child(void)
{
	mp_table_leave();
	mp_log_after_fork(true);
	if (mp_recorder.sinks) {
		mp_signals_release();
		mp_sinks_end(MP_END_FORK);
		atomic_store(&mp_recorder.wanted, mp_recorder.renewal ? MP_WANT_RENEWAL : 0);
	}
	atomic_store(&mp_recorder.prof_count, 0);
	atomic_store(&mp_recorder.identity, 0);
	atomic_store(&mp_recorder.signal, 0);
	mp_recorder.errands = NULL;
	atomic_store(&mp_recorder.flusher_of, 0);
	make_sleep(); /* the flusher of the parent still waits on the old condition */
	mp_arena_in_child();
	mp_table_left();
	mp_recorder_adopt();
	unlock_all();
}

static void prepare(void)
{
	make_sleep();
	pthread_atfork(before_fork, after_fork, in_child);
}

/* Also as soon as the library is loaded: a child of fork finds the names unlocked, though nothing is recorded yet. */
__attribute__((constructor)) void mp_process_prepare(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, prepare);
}

static void on_signal(int number)
{
	/* The flusher handles the signal within its period, and sends it again; a second signal does not wait. */
	if (atomic_exchange(&mp_recorder.signal, number)) {
		mp_log_now();
		signal(number, SIG_DFL);
		raise(number);
	}
}

void mp_signals_catch(void)
{
	struct sigaction ours = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, now;

	sigemptyset(&ours.sa_mask);
	for (int i = 0; i < CAUGHT; i++)
		if (sigaction(caught[i], NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL)
			sigaction(caught[i], &ours, NULL);
}

void mp_signals_release(void)
{
	struct sigaction now;

	for (int i = 0; i < CAUGHT; i++)
		if (sigaction(caught[i], NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) &&
		    now.sa_handler == on_signal)
			signal(caught[i], SIG_DFL);
}

void mp_process_die(int number)
{
	pthread_mutex_lock(&mp_recorder.lock);
	mp_sinks_end(MP_END_SIGNAL);
	pthread_mutex_unlock(&mp_recorder.lock);
	kill(getpid(), number); /* the handler, which is still there, lets it take effect */
}

static int end_all(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&mp_recorder.lock);
	mp_sinks_end(MP_END_EXIT);
	mp_signals_release();
	pthread_mutex_unlock(&mp_recorder.lock);
	return 0;
}

/* Runs after main, atexit and the destructors of all users of this library. */
__attribute__((destructor)) static void at_exit(void)
{
	mp_flusher_do(end_all, NULL, 0);
}

uint64_t mp_process_identity(void)
{
	uint64_t none = 0, fresh = 0;

	if (getrandom(&fresh, sizeof(fresh), 0) != (ssize_t)sizeof(fresh) || !fresh)
		fresh = (uint64_t)getpid() << 32 ^ mp_recorder_now();
	atomic_compare_exchange_strong(&mp_recorder.identity, &none, fresh);
	return none ? none : fresh;
}

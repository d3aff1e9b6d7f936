/*
 * crash_app.c: an application that crashes while its threads record, and that knows by itself what it recorded.
 *
 *   crash_app NOTES HOW US [THREADS]
 *
 * Each thread records marks with the texts "THREAD 0", "THREAD 1", ..., and calls. It notes in the mapped file NOTES
 * how many marks it has finished, after each: 64 bits a thread. A thread ends when nothing records any more: a mark of
 * that time may be in no result. US microseconds after the first mark of each thread the process ends by HOW: kill,
 * segv, _exit or abort; finalize ends the recording first; hang waits to be killed. With the variable BLOCKED the
 * threads block all signals.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <msprof_recorder.h>

enum { THREADS_MAX = 64 };

static _Atomic uint64_t *notes;
/* Not more than what the rings hold until a busy machine writes it: those of many threads are small. */
static uint64_t burst;
static long pause_us;

static void rest(long us)
{
	nanosleep(&(struct timespec){us / 1000000, us % 1000000 * 1000}, NULL);
}

static void *record(void *thread)
{
	uint32_t name = msprof_name("a call");
	const char *blocked = getenv("BLOCKED");
	uint64_t begin;
	sigset_t all;
	char text[32];

	sigfillset(&all);
	if (blocked && *blocked)
		pthread_sigmask(SIG_BLOCK, &all, NULL);
	for (uint64_t i = 0;; i++) {
		snprintf(text, sizeof(text), "%d %llu", (int)(intptr_t)thread, (unsigned long long)i);
		msprof_mark(text);
		begin = msprof_begin();
		if (!begin)
			return NULL;
		atomic_store(&notes[(intptr_t)thread], i + 1);
		msprof_api_end(begin, MSPROF_OP, name, 1);
		if (i % burst == 0)
			rest(pause_us);
	}
}

static void crash(const char *how)
{
	volatile int *nowhere = NULL;

	if (strcmp(how, "kill") == 0)
		kill(getpid(), SIGKILL);
	else if (strcmp(how, "segv") == 0)
		*nowhere = 1;
	else if (strcmp(how, "_exit") == 0)
		_exit(3);
	else if (strcmp(how, "finalize") == 0)
		_exit(msprof_finalize());
	else if (strcmp(how, "abort") == 0)
		abort();
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	int threads = argc > 4 ? atoi(argv[4]) : 3, fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
	pthread_t id;

	pause_us = 200 * threads;
	burst = threads < 32 ? 64 / (uint64_t)threads : 2;
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	if (fd < 0 || threads > THREADS_MAX || ftruncate(fd, THREADS_MAX * sizeof(*notes)))
		return 9;
	notes = mmap(NULL, THREADS_MAX * sizeof(*notes), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (notes == MAP_FAILED ||
	    (getenv("PROFILER_SAMPLECONFIG") ? msprof_wrap_begin() : msprof_init("acl.json", MSPROF_SVP)))
		return 9;
	msprof_model_loaded(1, "resnet50");
	for (int i = 0; i < threads; i++)
		if (pthread_create(&id, NULL, record, (void *)(intptr_t)i))
			return 9;
	for (int i = 0, turns = 0; i < threads; i++) /* a busy machine may start them late */
		while (!atomic_load(&notes[i]) && turns++ < 60000)
			rest(1000);
	rest(atol(argv[3]));
	crash(argv[2]);
	return 9;
}

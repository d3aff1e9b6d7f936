/*
 * recorder.c: what recording costs and holds, by the library as applications link it. Usage: recorder DIR WHAT
 *   one     nanoseconds of an API interval (msprof_begin and msprof_api_end), one thread; of the same without a
 *           recording; of two readings of the clock
 *   burst   two threads that make 5 M/s together for 20 ms, ten times with a pause
 *   sustain 1 M/s for 5 s on one thread
 *   pace    2 M/s of two threads together for 5 s
 *   full    20 M events of two threads as fast as they can
 *   many    1 M/s of 300 threads together for 3 s
 *   rss     KiB that the library adds, with 16 threads that fill their rings
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "msprof_recorder.h"

enum { MILLION = 1000000 };

static uint32_t name;

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void record(long count)
{
	for (long i = 0; i < count; i++)
		msprof_api_end(msprof_begin(), MSPROF_RUNTIME, name, 1);
}

/* Make `per_ms` calls a millisecond for `ms` milliseconds, evenly in steps of a tenth. */
static void record_at(long per_ms, long ms)
{
	uint64_t start = now_ns();

	for (long i = 0; i < ms * 10; i++) {
		while (now_ns() < start + (uint64_t)i * 100000)
			;
		record(per_ms / 10);
	}
}

static void *burst(void *unused)
{
	(void)unused;
	for (int i = 0; i < 10; i++) {
		record_at(2500, 20);
		nanosleep(&(struct timespec){0, 100000000}, NULL);
	}
	return NULL;
}

static void *pace(void *unused)
{
	(void)unused;
	record_at(1000, 5000);
	return NULL;
}

static void *fill(void *unused)
{
	(void)unused;
	record(200000);
	return NULL;
}

static void *full(void *unused)
{
	(void)unused;
	record(10 * MILLION);
	return NULL;
}

/* 33 calls each 10 ms */
static void *slow(void *unused)
{
	(void)unused;
	for (int i = 0; i < 300; i++) {
		record(33);
		nanosleep(&(struct timespec){0, 10000000}, NULL);
	}
	return NULL;
}

static void run_threads(int count, void *(*work)(void *))
{
	pthread_t ids[300];

	for (int i = 0; i < count; i++)
		if (pthread_create(&ids[i], NULL, work, NULL))
			exit(1);
	for (int i = 0; i < count; i++)
		pthread_join(ids[i], NULL);
}

static long rss_kib(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	long pages = 0, resident = 0;

	if (!f || fscanf(f, "%ld %ld", &pages, &resident) != 2)
		exit(1);
	fclose(f);
	return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static void read_clock(long count)
{
	volatile uint64_t ns;

	for (long i = 0; i < 2 * count; i++)
		ns = now_ns();
	(void)ns;
}

/*
 * The best of nine rounds of 10,000 calls, which a ring can hold: the cost of a call without other load of the machine.
 */
static double best_ns(void (*work)(long count))
{
	double best = 1e9;

	for (int round = 0; round < 9; round++) {
		uint64_t start = now_ns();

		work(10000);
		if ((double)(now_ns() - start) / 10000 < best)
			best = (double)(now_ns() - start) / 10000;
		nanosleep(&(struct timespec){0, 300000000}, NULL);
	}
	return best;
}

int main(int argc, char **argv)
{
	char path[4096];
	long before = rss_kib();
	const char *what = argc == 3 ? argv[2] : "";
	double off;

	snprintf(path, sizeof(path), "%s/acl.json", argc == 3 ? argv[1] : ".");
	name = msprof_name("svp_acl_rt_malloc");
	off = strcmp(what, "one") == 0 ? best_ns(record) : 0;
	if (msprof_init(path, MSPROF_SVP) || msprof_model_loaded(1, "bench"))
		return 1;
	if (strcmp(what, "one") == 0)
		printf("%.1f %.1f %.1f\n", best_ns(record), off, best_ns(read_clock));
	else if (strcmp(what, "burst") == 0)
		run_threads(2, burst);
	else if (strcmp(what, "sustain") == 0)
		record_at(1000, 5000);
	else if (strcmp(what, "pace") == 0)
		run_threads(2, pace);
	else if (strcmp(what, "full") == 0)
		run_threads(2, full);
	else if (strcmp(what, "many") == 0)
		run_threads(300, slow);
	else if (strcmp(what, "rss") == 0) {
		run_threads(16, fill);
		printf("%ld\n", rss_kib() - before);
	} else
		return 2;
	return msprof_finalize() ? 1 : 0;
}

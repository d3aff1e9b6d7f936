/*
 * pairs.c: pairs of a begin and an end, one after the other, on one thread. How they are recorded is chosen when this
 * is compiled: PEER_CLOCK only reads the clock, PEER_LTTNG has two tracepoints, PEER_UFTRACE a function for -pg;
 * without one of them it is the recorder's library. Usage: pairs COUNT [ACL_JSON svp|ascend]. Prints the ns of the
 * thread's processor that a pair takes.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(PEER_LTTNG)
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "pair_events.h"
#elif !defined(PEER_CLOCK) && !defined(PEER_UFTRACE)
#define PEER_MSPROF
#include "msprof_recorder.h"

static uint32_t name;
#endif

static uint64_t now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

__attribute__((noinline)) static void pair(void)
{
#if defined(PEER_CLOCK)
	static volatile uint64_t taken_ns;
	uint64_t begin_ns = now_ns(CLOCK_MONOTONIC_RAW);

	taken_ns = now_ns(CLOCK_MONOTONIC_RAW) - begin_ns;
#elif defined(PEER_LTTNG)
	lttng_ust_tracepoint(pair, begin, 1);
	lttng_ust_tracepoint(pair, end, 1);
#elif defined(PEER_MSPROF)
	msprof_api_end(msprof_begin(), MSPROF_RUNTIME, name, 1);
#else
	__asm__ volatile("");
#endif
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
	uint64_t start_ns;

#if defined(PEER_MSPROF)
	name = msprof_name("svp_acl_rt_malloc");
	if (argc != 4 || msprof_init(argv[2], strcmp(argv[3], "svp") == 0 ? MSPROF_SVP : MSPROF_ASCEND) ||
	    msprof_model_loaded(1, "bench"))
		return 1;
#endif
	start_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
	for (long i = 0; i < count; i++)
		pair();
	printf("%.1f\n", (double)(now_ns(CLOCK_THREAD_CPUTIME_ID) - start_ns) / (double)(count ? count : 1));
#if defined(PEER_MSPROF)
	if (msprof_finalize())
		return 1;
#endif
	return 0;
}

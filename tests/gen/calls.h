/* calls.h: the API calls of a process, in the form that a recorder writes. */
#ifndef GEN_CALLS_H
#define GEN_CALLS_H

#include "jobdir.h"
#include "raw/layout.h"

enum { GEN_THREAD_MAX = 256 };

struct gen_calls {
	const struct mp_layouts *layouts;
	uint64_t seed;
	uint64_t count; /* records of one file */
	int threads;
	int overlap;     /* percentage of outermost calls that begin within the previous call */
	bool no_execute; /* only load and unload */
	uint32_t pid;
	/* The clock of each thread in ns; a later model of the same threads continues there. */
	uint64_t clocks[GEN_THREAD_MAX];
};

/* Set the clocks and the process id for the threads of one device. */
void gen_calls_start(struct gen_calls *c, uint64_t monotonic_ns);

/* Write the calls of one model on one device. */
int gen_calls_write(struct gen_calls *c, struct gen_job *job, const struct gen_identity *id, struct mp_error *err);

#endif

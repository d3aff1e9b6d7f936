/* calls.h: applications, which decide when a model is called and by which thread. */
#ifndef GEN_CALLS_H
#define GEN_CALLS_H

#include "run.h"

/* A whole run of a model, with as many recorded calls as the options say, or as the sampled inferences need. */
int gen_calls_make(struct gen_run *run, struct mp_error *err);

/*
 * The same with other calls around and within, all of which msprof's recorder writes down. `clocks_ns` has one moment
 * for each thread, and is moved on to the end of what the thread did. Without a device `run` has its identity alone.
 */
struct gen_host {
	const struct gen_options *options;
	const struct gen_job *job;
	int device_id;
	uint64_t clocks_ns[GEN_THREAD_MAX];
	struct gen_file file;
};

void gen_host_start(struct gen_host *host);
int gen_host_calls_make(struct gen_host *host, struct gen_run *run, struct mp_error *err);
void gen_host_end(struct gen_host *host);

#endif

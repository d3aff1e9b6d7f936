/*
 * run.h: models on a device. It gives every call and every inference its place in time, and writes the records of both.
 *
 * A device runs one inference at a time. An application calls in the order of time: gen_run_begin, then
 * gen_run_execute as often as it likes, from any of its threads, then gen_run_end.
 */
#ifndef GEN_RUN_H
#define GEN_RUN_H

#include "genjob.h"

struct gen_device {
	const struct gen_options *options;
	const struct gen_job *job;
	int device_id;
	uint64_t clock_us;     /* the next model is loaded later than that */
	uint64_t core_free_us; /* the end of the last inference */
	struct gen_file core, cpu, api;
	bool is_core_open; /* one file for all inferences */
};

/* The times of a call. */
struct gen_span {
	uint64_t begin_us, end_us;
};

/* An inference: what an application calls for it, and when. */
struct gen_execute {
	struct gen_span call;    /* svp_acl_mdl_execute, or svp_acl_mdl_execute_async */
	struct gen_span wait;    /* svp_acl_rt_synchronize_stream, after an asynchronous call alone */
	struct gen_span process; /* svp_acl_ext_process_aicpu_task, with nets on the CPU alone */
};

struct gen_run {
	struct gen_device *device;
	const struct gen_plan *plan;
	struct gen_identity id;
	struct gen_random random;
	struct gen_span load;
	uint64_t executes; /* so far */
	uint64_t wanted;   /* that the sampled inferences need */
	uint64_t typical_us, cpu_us;
	struct gen_execute last;
};

/* Threads of the application on this device: `thread` from 0; the one after the last serves the nets on the CPU. */
uint32_t gen_device_tid(const struct gen_options *o, int device_id, int thread);

/* The calls that one inference consists of. */
int gen_calls_of_execute(const struct gen_options *o);

/* Load the model. The caller sets device, plan and id. */
int gen_run_begin(struct gen_run *run, struct mp_error *err);

/* Run an inference for a thread that calls at `earliest_us` or, where it must wait, later. */
int gen_run_execute(
    struct gen_run *run, int thread, uint64_t earliest_us, struct gen_execute *execute, struct mp_error *err);

/* A call that finds nothing to do. */
void gen_run_idle(struct gen_run *run);

/* Unload the model. */
int gen_run_end(struct gen_run *run, uint64_t earliest_us, struct gen_span *unload, struct mp_error *err);

/* Close what all models of the device share. */
int gen_device_end(struct gen_device *device, struct mp_error *err);

/* Write the records of an inference that begins at `begin_us`. Gives its end, and when the nets on the CPU began. */
int gen_inference_write(
    struct gen_run *run, uint64_t begin_us, uint64_t *cpu_begin_us, uint64_t *end_us, struct mp_error *err);

/* The typical time of an inference, and of its nets on the CPU. */
void gen_inference_time(const struct gen_plan *plan, int frequency_mhz, uint64_t *typical_us, uint64_t *cpu_us);

#endif

/* run.c: when a model is loaded, run and unloaded, and the calls of it that a board records. */
#include "run.h"

/* Times in us between two events that follow each other. */
enum { BEFORE_LOAD = 2000, LOAD = 150000, UNLOAD = 5000, AFTER_UNLOAD = 1000 };
enum { STREAM_OF_EXECUTE = 16, STREAM_OF_ASYNC = 2 };

uint32_t gen_device_tid(const struct gen_options *o, int device_id, int thread)
{
	int threads = o->threads + (o->aicpu > 0);

	return GEN_PID + (uint32_t)(device_id * threads + thread);
}

int gen_calls_of_execute(const struct gen_options *o)
{
	return 1 + o->async + (o->aicpu > 0);
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t some_us(struct gen_run *run, uint64_t low, uint64_t high)
{
	return gen_random_between(&run->random, low, high);
}

static void put_call(struct gen_run *run, enum gen_call_type type, const struct gen_span *span, int thread)
{
	struct gen_device *d = run->device;

	if (!d->options->calls)
		return;
	gen_call_put(&d->api.out, d->job->soc,
	    &(struct gen_call){type, span->begin_us, span->end_us, GEN_PID,
		gen_device_tid(d->options, d->device_id, thread), (uint32_t)run->id.model_id});
}

int gen_run_begin(struct gen_run *run, struct mp_error *err)
{
	struct gen_device *d = run->device;
	const struct gen_options *o = d->options;

	gen_random_init(&run->random, o->seed, (uint64_t)d->device_id << 32 | (uint64_t)run->id.model_id << 1 | 1);
	run->id.stream_id = o->async ? STREAM_OF_ASYNC : STREAM_OF_EXECUTE;
	run->executes = 0;
	run->wanted = o->no_execute ? 0 : (uint64_t)(o->pictures - 1) * (uint64_t)o->interval + 1;
	gen_inference_time(run->plan, o->frequency, &run->typical_us, &run->cpu_us);
	run->load.begin_us = d->clock_us + BEFORE_LOAD;
	run->load.end_us = run->load.begin_us + some_us(run, LOAD * 9 / 10, LOAD * 11 / 10);
	run->last = (struct gen_execute){.call = run->load, .wait = run->load, .process = run->load};
	if (o->calls && gen_file_open(&d->api, d->job, GEN_API, &run->id, err))
		return -1;
	put_call(run, GEN_LOAD, &run->load, 0);
	return 0;
}

/* The end of the last record. */
static uint64_t last_end(const struct gen_run *run)
{
	return later(later(run->last.call.end_us, run->last.wait.end_us), run->last.process.end_us);
}

/* Whether this inference is among those that are kept, and the number of pictures before it. */
static bool is_sampled(struct gen_run *run)
{
	uint64_t interval = (uint64_t)run->device->options->interval;

	if (run->executes >= run->wanted || (interval && run->executes % interval))
		return false;
	run->id.current_pic = (int)run->executes;
	return true;
}

/* Where the inference of a call that begins at `begin_us` runs. */
static int run_inference(
    struct gen_run *run, uint64_t begin_us, uint64_t *cpu_begin_us, uint64_t *end_us, struct mp_error *err)
{
	struct gen_device *d = run->device;
	uint64_t core_us = later(begin_us + some_us(run, 20, 40), d->core_free_us + 2);

	*end_us = core_us + run->typical_us * some_us(run, 980, 1020) / 1000;
	*cpu_begin_us = *end_us - run->cpu_us * 98 / 100;
	if (is_sampled(run) && gen_inference_write(run, core_us, cpu_begin_us, end_us, err))
		return -1;
	run->executes++;
	d->core_free_us = *end_us;
	return 0;
}

int gen_run_execute(
    struct gen_run *run, int thread, uint64_t earliest_us, struct gen_execute *execute, struct mp_error *err)
{
	const struct gen_options *o = run->device->options;
	uint64_t after_us = later(run->last.call.begin_us, run->last.process.begin_us);
	uint64_t begin_us = later(earliest_us, after_us + some_us(run, 3, 60)), cpu_begin_us, end_us;

	/* Records stand in the order of their begins and of their ends: a thread that need not wait would break it. */
	if (o->async || !run->executes)
		begin_us = later(begin_us, last_end(run) + 1);
	*execute = run->last;
	if (run_inference(run, begin_us, &cpu_begin_us, &end_us, err))
		return -1;
	end_us = later(end_us + some_us(run, 5, 20), last_end(run) + 4);
	execute->call = (struct gen_span){begin_us, end_us};
	if (o->async) {
		execute->call.end_us = begin_us + some_us(run, 10, 18);
		execute->wait = (struct gen_span){execute->call.end_us + 3, end_us};
	}
	put_call(run, o->async ? GEN_EXECUTE_ASYNC : GEN_EXECUTE, &execute->call, thread);
	if (o->async)
		put_call(run, GEN_SYNCHRONIZE, &execute->wait, thread);
	if (o->aicpu) {
		/* The thread that serves the CPU wakes the one that waits, and returns a little later. */
		execute->process = (struct gen_span){cpu_begin_us - 2, end_us + some_us(run, 1, 3)};
		put_call(run, GEN_PROCESS_AICPU, &execute->process, o->threads);
	}
	run->last = *execute;
	return 0;
}

void gen_run_idle(struct gen_run *run)
{
	const struct gen_options *o = run->device->options;
	struct gen_span *span = o->async ? &run->last.wait : &run->last.process;

	span->begin_us = last_end(run) + some_us(run, 20, 40);
	span->end_us = span->begin_us + some_us(run, 2, 30);
	put_call(run, o->async ? GEN_SYNCHRONIZE : GEN_PROCESS_AICPU, span, o->async ? 0 : o->threads);
}

int gen_run_end(struct gen_run *run, uint64_t earliest_us, struct gen_span *unload, struct mp_error *err)
{
	struct gen_device *d = run->device;
	struct gen_marker m = {.begin_us = run->load.begin_us, .pid = GEN_PID};

	unload->begin_us = later(earliest_us, last_end(run) + some_us(run, 100, 300));
	unload->end_us = unload->begin_us + some_us(run, UNLOAD * 9 / 10, UNLOAD * 11 / 10);
	put_call(run, GEN_UNLOAD, unload, 0);
	d->clock_us = unload->end_us + AFTER_UNLOAD;
	if (!d->options->calls)
		return 0;
	m.bytes = gen_out_size(&d->api.out);
	m.end_us = unload->end_us;
	m.tid = gen_device_tid(d->options, d->device_id, 0);
	if (gen_file_close(&d->api, d->job, err))
		return -1;
	return gen_marker_write(d->job, GEN_API, &run->id, &m, err);
}

int gen_device_end(struct gen_device *d, struct mp_error *err)
{
	int status = d->is_core_open ? gen_file_close(&d->core, d->job, err) : 0;

	gen_out_free(&d->core.out);
	gen_out_free(&d->cpu.out);
	gen_out_free(&d->api.out);
	return status;
}

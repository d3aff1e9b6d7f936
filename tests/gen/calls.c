/* calls.c: an application that does nothing but run a model, in turns of its threads. */
#include "calls.h"

#include <string.h>

/* Between two calls of an application, in us. */
enum { PAUSE_MIN = 50, PAUSE_MAX = 400, LEAST_PAUSE = 3 };

struct turns {
	uint64_t ends_us[GEN_THREAD_MAX]; /* of the last call of each thread */
	uint64_t begin_us, end_us;        /* of the call before */
};

/* When the next call may begin: after the one before, or within it. */
static uint64_t next_begin(struct turns *t, int thread, const struct gen_options *o, struct gen_random *r)
{
	uint64_t begin = t->end_us + gen_random_between(r, PAUSE_MIN, PAUSE_MAX);

	if (o->threads > 1 && !o->async && t->begin_us && gen_random_percent(r, (uint64_t)o->overlap))
		begin = t->begin_us + (t->end_us - t->begin_us) / 2;
	return begin > t->ends_us[thread] ? begin : t->ends_us[thread] + LEAST_PAUSE;
}

int gen_calls_make(struct gen_run *run, struct mp_error *err)
{
	const struct gen_options *o = run->device->options;
	uint64_t size = (uint64_t)gen_calls_of_execute(o);
	uint64_t records = o->calls > 2 ? o->calls - 2 : 0; /* without load and unload */
	uint64_t count = records / size;
	struct turns turns;
	struct gen_span unload;

	memset(&turns, 0, sizeof(turns));
	if (gen_run_begin(run, err))
		return -1;
	turns.end_us = run->load.end_us;
	if (count < run->wanted)
		count = run->wanted;
	for (uint64_t i = 0; i < count && !o->no_execute; i++) {
		int thread = (int)(i % (uint64_t)o->threads);
		struct gen_execute e;

		if (gen_run_execute(run, thread, next_begin(&turns, thread, o, &run->random), &e, err))
			return -1;
		turns.begin_us = e.call.begin_us;
		turns.end_us = o->async ? e.wait.end_us : e.call.end_us;
		turns.ends_us[thread] = turns.end_us;
	}
	for (uint64_t i = count * size; i < records && !o->no_execute; i++)
		gen_run_idle(run);
	return gen_run_end(run, 0, &unload, err);
}

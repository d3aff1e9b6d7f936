/*
 * host_calls.c: the trees of all threads, merged in order of end time. A recorder records a call when the call returns,
 * so inner calls come first. Each thread holds one tree at a time, so memory does not grow with the number of records.
 */
#include "host_trees.h"

#include <string.h>

static const enum gen_api_index prologue[] = {INIT, SET_DEVICE, LOAD, CREATE_DATASET, EXECUTE};
static const enum gen_api_index epilogue[] = {UNLOAD, RESET_DEVICE, FINALIZE};
static const enum gen_api_index body[] = {EXECUTE, MEMCPY, EXECUTE, MALLOC, EXECUTE_ASYNC, SYNCHRONIZE, EXECUTE, FREE};
static const enum gen_api_index body_without[] = {LOAD, UNLOAD};
static const enum gen_api_index fillers[] = {MEMCPY, MALLOC, MEM_FLUSH, FREE};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Without a device, the first thread records calls of the process (begin, end) only if its share of records allows. */
enum { PROLOGUE = COUNT(prologue), EPILOGUE = COUNT(epilogue), SHARE_FOR_FRAME = 16 };
enum { EXECUTES_PERCENT = 60, ROOM_FOR_TREES = 8, APART_NS = 13007 };

void gen_host_start(struct gen_host *host)
{
	const uint64_t begin_ns = GEN_EPOCH_US * 1000;
	const unsigned loading_ns =
	    host->options->host_only ? 500000000 : 0; /* a device tells later when it has loaded */

	/* The other threads start when the first thread has loaded the model. */
	for (unsigned t = 0; t < GEN_THREAD_MAX; t++)
		host->clocks_ns[t] = begin_ns + (t ? loading_ns + t * APART_NS : 0);
}

/* Inferences that this job still needs, which the first thread makes if no other does. */
static uint64_t missing(const struct gen_trees *s)
{
	return s->run && s->run->wanted > s->run->executes ? s->run->wanted - s->run->executes : 0;
}

/* Records that inner calls must leave: the end of the process, and inferences. */
static uint64_t reserve(const struct gen_trees *s, const struct gen_thread *t)
{
	return t->framed ? EPILOGUE + missing(s) * (uint64_t)gen_calls_of_execute(s->options) : 0;
}

static enum gen_api_index next_of_device(struct gen_trees *s, struct gen_thread *t)
{
	const struct gen_options *o = s->options;
	uint64_t prologues = o->no_execute ? PROLOGUE - 1 : PROLOGUE, size = (uint64_t)gen_calls_of_execute(o);
	bool is_short = t->left < reserve(s, t) + ROOM_FOR_TREES;

	if (t->framed && t->made < prologues)
		return prologue[t->made];
	if (missing(s) && t->framed && (is_short || gen_random_percent(&s->random, EXECUTES_PERCENT)))
		return EXECUTE;
	if (!o->no_execute && t->left >= reserve(s, t) + size && gen_random_percent(&s->random, EXECUTES_PERCENT / 2))
		return EXECUTE;
	return fillers[gen_random_between(&s->random, 0, COUNT(fillers) - 1)];
}

static enum gen_api_index next_api(struct gen_trees *s, struct gen_thread *t)
{
	uint64_t choice = t->made;

	if (t->framed && t->left <= EPILOGUE)
		return epilogue[EPILOGUE - t->left];
	if (s->run)
		return next_of_device(s, t);
	if (s->options->no_execute) {
		if (t->framed && choice < 2)
			return prologue[choice];
		return body_without[choice % 2];
	}
	if (t->framed && choice < PROLOGUE)
		return prologue[choice];
	return body[choice ? gen_random_between(&s->random, 0, COUNT(body) - 1) : 0];
}

static bool others_done(const struct gen_trees *s, uint64_t *latest)
{
	*latest = s->threads[0].clock;
	for (int i = 1; i < s->options->threads; i++) {
		const struct gen_thread *t = &s->threads[i];

		if (t->left || t->next < t->used)
			return false;
		if (t->clock > *latest)
			*latest = t->clock;
	}
	return true;
}

static bool may_overlap(struct gen_trees *s, const struct gen_thread *t)
{
	int percent = s->options->overlap;

	if (!percent || !t->made || s->options->no_execute || t->left <= reserve(s, t))
		return false;
	return (!t->framed || t->made >= PROLOGUE) && gen_random_percent(&s->random, (uint64_t)percent);
}

/* Make the next tree of a thread. Returns false when there is none, or the thread must wait. */
static bool refill(struct gen_trees *s, struct gen_thread *t)
{
	uint64_t latest, held, size = (uint64_t)gen_calls_of_execute(s->options);
	enum gen_api_index index;

	if (!t->left || s->failed)
		return false;
	if (t->framed && t->left <= EPILOGUE) {
		if (!others_done(s, &latest))
			return false; /* the model must not be unloaded while in use */
		t->clock = latest;
	}
	t->used = t->next = 0;
	index = next_api(s, t);
	if (may_overlap(s, t)) {
		gen_trees_overlap(s, t);
	} else {
		held = reserve(s, t);
		if (s->run && index == EXECUTE) /* its own records are no inner calls */
			held = (held > size && missing(s) ? held - size : held) + size - 1;
		held = t->left > held ? held : t->left - 1;
		t->left -= held;
		gen_trees_add(s, t, index);
		t->left += held;
	}
	t->left -= (uint64_t)t->used;
	t->made++;
	return t->used > 0;
}

/* The thread with the earliest end of its next record, or NULL when all are done. */
static struct gen_thread *next_thread(struct gen_trees *s)
{
	struct gen_thread *first = NULL;

	for (int i = s->options->threads - 1; i >= 0; i--) { /* thread 0 last, because it may wait for the others */
		struct gen_thread *t = &s->threads[i];

		if (t->next == t->used && !refill(s, t))
			continue;
		if (!first || t->tree[t->next].end < first->tree[first->next].end)
			first = t;
	}
	return first;
}

static void write_record(struct gen_trees *s, const struct gen_tree_call *call, int thread)
{
	struct gen_host *h = s->host;

	gen_host_call_put(&h->file.out, &(struct gen_host_call){call->api->type, call->begin, call->end, GEN_PID,
					    gen_device_tid(s->options, h->device_id, thread), call->api->name, ""});
}

/* Write the next record. Returns false when there is none. */
static bool write_next(struct gen_trees *s)
{
	struct gen_thread *t = next_thread(s);
	const struct gen_tree_call *process = &s->process[s->first_process % PROCESS_QUEUE];

	if (s->first_process != s->end_process && (!t || process->end < t->tree[t->next].end)) {
		write_record(s, process, s->options->threads);
		s->first_process++;
		return true;
	}
	if (t) {
		write_record(s, &t->tree[t->next], (int)(t - s->threads));
		t->next++;
	}
	return t != NULL;
}

static void start_threads(struct gen_trees *s, const struct gen_identity *id)
{
	const struct gen_options *o = s->options;
	uint64_t threads = (uint64_t)o->threads;
	uint64_t least = PROLOGUE + ROOM_FOR_TREES, loaded_ns = s->run ? s->run->load.end_us * 1000 : 0;

	gen_random_init(&s->random, o->seed, (uint64_t)id->device_id << 32 | (uint64_t)id->model_id << 1);
	for (int i = 0; i < o->threads; i++) {
		struct gen_thread *t = &s->threads[i];

		t->clock = s->host->clocks_ns[i];
		if (s->run && i && t->clock < loaded_ns + (uint64_t)i * APART_NS)
			t->clock = loaded_ns + (uint64_t)i * APART_NS;
		t->left = o->host_calls / threads + ((uint64_t)i < o->host_calls % threads);
		t->framed = i == 0 && (s->run || t->left >= SHARE_FOR_FRAME);
		if (t->framed && s->run && t->left < reserve(s, t) + least)
			t->left = reserve(s, t) + least;
	}
}

int gen_host_calls_make(struct gen_host *h, struct gen_run *run, struct mp_error *err)
{
	static struct gen_trees s; /* large, and used by one caller at a time */
	const struct gen_identity *id = &run->id;
	struct gen_marker marker = {.bytes = 0};

	memset(&s, 0, sizeof(s));
	s = (struct gen_trees){.host = h, .options = h->options, .run = h->options->host_only ? NULL : run, .err = err};
	if (s.run) {
		uint64_t ready_us = h->clocks_ns[0] / 1000 + 2500; /* the process has begun */

		if (run->device->clock_us < ready_us)
			run->device->clock_us = ready_us;
		if (gen_run_begin(run, err))
			return -1;
	}
	start_threads(&s, id);
	if (gen_file_open(&h->file, h->job, GEN_HOST_API, id, err))
		return -1;
	while (write_next(&s))
		;
	if (s.failed)
		return -1;
	for (int i = 0; i < h->options->threads; i++)
		h->clocks_ns[i] = s.threads[i].clock;
	marker.bytes = gen_out_size(&h->file.out);
	return gen_file_close(&h->file, h->job, err) ? -1 : gen_marker_write(h->job, GEN_HOST_API, id, &marker, err);
}

void gen_host_end(struct gen_host *host)
{
	gen_out_free(&host->file.out);
}

/*
 * calls.c: trees of nested API calls for each thread, merged in order of end time. A recorder records a call when the
 * call returns, so inner calls come first. Each thread holds one tree at a time, so memory does not grow with the
 * number of records.
 */
#include "calls.h"

#include <string.h>

#include "raw/encode.h"
#include "random.h"

enum { API_OP = 1, API_MODEL = 2, API_RUNTIME = 3, API_OTHER = 4, CHILD_MAX = 3, TREE_MAX = 16, DEPTH_MAX = 3 };

enum { SLOT_TYPE, SLOT_BEGIN, SLOT_END, SLOT_PID, SLOT_TID, SLOT_NAME };
static const char *const slot_names[] = {"type", "begin", "end", "pid", "tid", "name"};

enum api_index {
	NONE,
	INIT,
	FINALIZE,
	SET_DEVICE,
	RESET_DEVICE,
	MALLOC,
	FREE,
	MEMCPY,
	MEM_FLUSH,
	SYNCHRONIZE,
	OP_LOAD,
	LOAD,
	UNLOAD,
	CREATE_DATASET,
	EXECUTE,
	EXECUTE_ASYNC,
	AICPU_TASK
};

static const struct api {
	const char *name;
	uint32_t type;
	uint32_t own_us; /* typical time without inner calls */
	enum api_index children[CHILD_MAX];
} apis[] = {
    [INIT] = {"svp_acl_init", API_OTHER, 1500, {NONE}},
    [FINALIZE] = {"svp_acl_finalize", API_OTHER, 900, {NONE}},
    [SET_DEVICE] = {"svp_acl_rt_set_device", API_RUNTIME, 120, {NONE}},
    [RESET_DEVICE] = {"svp_acl_rt_reset_device", API_RUNTIME, 200, {NONE}},
    [MALLOC] = {"svp_acl_rt_malloc", API_RUNTIME, 60, {NONE}},
    [FREE] = {"svp_acl_rt_free", API_RUNTIME, 25, {NONE}},
    [MEMCPY] = {"svp_acl_rt_memcpy", API_RUNTIME, 90, {NONE}},
    [MEM_FLUSH] = {"svp_acl_rt_mem_flush", API_RUNTIME, 12, {NONE}},
    [SYNCHRONIZE] = {"svp_acl_rt_synchronize_stream", API_RUNTIME, 2500, {NONE}},
    [OP_LOAD] = {"svp_acl_op_load", API_OP, 300, {MALLOC, NONE}},
    [LOAD] = {"svp_acl_mdl_load_from_mem", API_MODEL, 150000, {OP_LOAD, MALLOC, MEMCPY}},
    [UNLOAD] = {"svp_acl_mdl_unload", API_MODEL, 5000, {FREE, FREE, NONE}},
    [CREATE_DATASET] = {"svp_acl_mdl_create_dataset", API_MODEL, 8, {NONE}},
    [EXECUTE] = {"svp_acl_mdl_execute", API_MODEL, 4000, {MEM_FLUSH, AICPU_TASK, NONE}},
    [EXECUTE_ASYNC] = {"svp_acl_mdl_execute_async", API_MODEL, 70, {MEM_FLUSH, NONE}},
    [AICPU_TASK] = {"svp_acl_ext_process_aicpu_task", API_MODEL, 1200, {MEMCPY, NONE}},
};

static const enum api_index prologue[] = {INIT, SET_DEVICE, LOAD, CREATE_DATASET, EXECUTE};
static const enum api_index epilogue[] = {UNLOAD, RESET_DEVICE, FINALIZE};
static const enum api_index body[] = {EXECUTE, MEMCPY, EXECUTE, MALLOC, EXECUTE_ASYNC, SYNCHRONIZE, EXECUTE, FREE};
static const enum api_index body_without[] = {LOAD, UNLOAD};

enum { PROLOGUE = sizeof(prologue) / sizeof(prologue[0]), EPILOGUE = sizeof(epilogue) / sizeof(epilogue[0]) };

/* The first thread records calls of the process (begin, end) only if its share of records allows. */
enum { SHARE_FOR_FRAME = 16 };

struct call {
	const struct api *api;
	uint64_t begin, end;
};

struct thread {
	struct call tree[TREE_MAX]; /* in order of end */
	int used, next;
	uint64_t left; /* records still to be made */
	uint64_t made; /* outermost calls */
	uint64_t clock;
	uint64_t last_begin; /* of the previous outermost call */
	bool framed;
};

struct state {
	const struct gen_calls *options;
	struct gen_random random;
	struct thread threads[GEN_THREAD_MAX];
};

void gen_calls_start(struct gen_calls *c, uint64_t monotonic_ns)
{
	for (int t = 0; t < GEN_THREAD_MAX;
	     t++) /* The other threads start when the first thread has loaded the model. */
		c->clocks[t] = monotonic_ns + (t ? 500000000u + (uint64_t)t * 13007u : 0);
}

static uint64_t some_ns(struct state *s, uint32_t typical_us)
{
	return gen_random_between(&s->random, typical_us * 700u, typical_us * 1300u);
}

static void add_call(struct state *s, struct thread *t, enum api_index index, int depth)
{
	const struct api *api = &apis[index];
	uint64_t begin = t->clock;
	uint64_t own = some_ns(s, api->own_us);

	t->clock += own / 4;
	for (int i = 0; i < CHILD_MAX && api->children[i] != NONE; i++) {
		/* One record is reserved for the call itself, and one for each open call around it. */
		if (depth == DEPTH_MAX || t->left <= (uint64_t)t->used + (uint64_t)depth + 1)
			break;
		add_call(s, t, api->children[i], depth + 1);
		t->clock += own / 8 + 1;
	}
	t->clock += own / 4 + 1;
	t->tree[t->used++] = (struct call){api, begin, t->clock};
}

/* A call that begins within the previous call and ends after it, which a correct stack of calls never does. */
static void add_overlapping(struct state *s, struct thread *t)
{
	uint64_t begin = t->last_begin + (t->clock - t->last_begin) / 2;

	t->clock += some_ns(s, apis[MEMCPY].own_us);
	t->tree[t->used++] = (struct call){&apis[MEMCPY], begin, t->clock};
	t->last_begin = begin;
}

static enum api_index next_api(struct state *s, struct thread *t)
{
	uint64_t choice = t->made;

	if (t->framed && t->left <= EPILOGUE)
		return epilogue[EPILOGUE - t->left];
	if (s->options->no_execute) {
		if (t->framed && choice < 2)
			return prologue[choice];
		return body_without[choice % 2];
	}
	if (t->framed && choice < PROLOGUE)
		return prologue[choice];
	return body[choice ? gen_random_between(&s->random, 0, sizeof(body) / sizeof(body[0]) - 1) : 0];
}

static bool others_done(const struct state *s, uint64_t *latest)
{
	*latest = s->threads[0].clock;
	for (int i = 1; i < s->options->threads; i++) {
		const struct thread *t = &s->threads[i];

		if (t->left || t->next < t->used)
			return false;
		if (t->clock > *latest)
			*latest = t->clock;
	}
	return true;
}

/* Make the next tree of a thread. Returns false when there is none, or the thread must wait. */
static bool refill(struct state *s, struct thread *t)
{
	enum api_index index;
	uint64_t latest, held = 0;
	int percent = s->options->overlap;

	if (!t->left)
		return false;
	if (t->framed && t->left <= EPILOGUE) {
		if (!others_done(s, &latest))
			return false; /* the model must not be unloaded while in use */
		t->clock = latest;
	}
	t->used = t->next = 0;
	index = next_api(s, t);
	if (percent && t->made && !s->options->no_execute && (!t->framed || t->left > EPILOGUE) &&
	    (!t->framed || t->made >= PROLOGUE) && gen_random_percent(&s->random, (uint64_t)percent)) {
		add_overlapping(s, t);
	} else {
		if (t->framed) /* Inner calls must leave the records for the end of the process. */
			held = t->left > EPILOGUE ? EPILOGUE : t->left - 1;
		t->clock += some_ns(s, 20);
		t->last_begin = t->clock;
		t->left -= held;
		add_call(s, t, index, 0);
		t->left += held;
	}
	t->left -= (uint64_t)t->used;
	t->made++;
	return true;
}

/* The thread with the earliest end of its next record, or NULL when all are done. */
static struct thread *next_thread(struct state *s)
{
	struct thread *first = NULL;

	for (int i = s->options->threads - 1; i >= 0; i--) { /* thread 0 last, because it may wait for the others */
		struct thread *t = &s->threads[i];

		if (t->next == t->used && !refill(s, t))
			continue;
		if (!first || t->tree[t->next].end < first->tree[first->next].end)
			first = t;
	}
	return first;
}

static void write_record(struct state *s, struct mp_encoder *e, struct gen_file *f, struct thread *t, int device_id)
{
	const struct gen_calls *c = s->options;
	const struct call *call = &t->tree[t->next++];
	uint32_t tid = c->pid + (uint32_t)(device_id * c->threads) + (uint32_t)(t - s->threads);

	mp_encoder_begin(e);
	mp_encoder_number(e, SLOT_TYPE, call->api->type);
	mp_encoder_number(e, SLOT_BEGIN, call->begin);
	mp_encoder_number(e, SLOT_END, call->end);
	mp_encoder_number(e, SLOT_PID, c->pid);
	mp_encoder_number(e, SLOT_TID, tid);
	mp_encoder_text(e, SLOT_NAME, call->api->name, strlen(call->api->name));
	fwrite(e->record, e->layout->size, 1, f->stream);
}

static void start_threads(struct state *s, const struct gen_identity *id)
{
	const struct gen_calls *c = s->options;
	uint64_t threads = (uint64_t)c->threads;

	gen_random_init(&s->random, c->seed, (uint64_t)id->device_id << 32 | (uint64_t)id->model_id << 1);
	for (int i = 0; i < c->threads; i++) {
		struct thread *t = &s->threads[i];

		memset(t, 0, sizeof(*t));
		t->clock = c->clocks[i];
		t->left = c->count / threads + ((uint64_t)i < c->count % threads);
		t->framed = i == 0 && t->left >= SHARE_FOR_FRAME;
	}
}

int gen_calls_write(struct gen_calls *c, struct gen_job *job, const struct gen_identity *id, struct mp_error *err)
{
	static struct state s; /* large, and used by one caller at a time */
	struct mp_encoder e;
	struct gen_file f;
	struct thread *t;

	s.options = c;
	start_threads(&s, id);
	if (mp_encoder_init(
		&e, c->layouts, "svp.acl_api", slot_names, sizeof(slot_names) / sizeof(slot_names[0]), err) ||
	    gen_raw_open(&f, job, GEN_API, id, err))
		return -1;
	while ((t = next_thread(&s)))
		write_record(&s, &e, &f, t, id->device_id);
	for (int i = 0; i < c->threads; i++)
		c->clocks[i] = s.threads[i].clock;
	if (gen_file_close(&f, err))
		return -1;
	return mp_encoder_check(&e, err);
}

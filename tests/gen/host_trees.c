/* host_trees.c: which calls are inside of others, and how long each takes. */
#include "host_trees.h"

enum { API_OP = 1, API_MODEL = 2, API_RUNTIME = 3, API_OTHER = 4 };

/* A call of the board that is shorter has no room for others inside. */
enum { DEPTH_MAX = 3, ROOM_NS = 30000 };

static const struct gen_api apis[] = {
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

static uint64_t some_ns(struct gen_trees *s, uint32_t typical_us)
{
	return gen_random_between(&s->random, typical_us * 700u, typical_us * 1300u);
}

/* An inner call; with a device, what serves the CPU is no inner call of another. */
static bool is_inner(const struct gen_trees *s, enum gen_api_index index)
{
	return index != NONE && !(s->run && index == AICPU_TASK);
}

static void add_call(struct gen_trees *s, struct gen_thread *t, enum gen_api_index index, int depth);

static void add_inner(struct gen_trees *s, struct gen_thread *t, const struct gen_api *api, uint64_t pause, int depth)
{
	for (int i = 0; i < CHILD_MAX && is_inner(s, api->children[i]); i++) {
		/* One record is reserved for the call itself, and one for each open call around it. */
		if (depth == DEPTH_MAX || t->left <= (uint64_t)t->used + (uint64_t)depth + 1)
			break;
		add_call(s, t, api->children[i], depth + 1);
		t->clock += pause + 1;
	}
}

static void add_call(struct gen_trees *s, struct gen_thread *t, enum gen_api_index index, int depth)
{
	const struct gen_api *api = &apis[index];
	uint64_t begin = t->clock;
	uint64_t own = some_ns(s, api->own_us);

	t->clock += own / 4;
	add_inner(s, t, api, own / 8, depth);
	t->clock += own / 4 + 1;
	t->tree[t->used++] = (struct gen_tree_call){api, begin, t->clock};
}

/* A call of which the board knows the us. */
static struct gen_tree_call placed(struct gen_trees *s, enum gen_api_index index, const struct gen_span *span)
{
	return (struct gen_tree_call){&apis[index], span->begin_us * 1000 + gen_random_between(&s->random, 0, 900),
	    span->end_us * 1000 + gen_random_between(&s->random, 100, 999)};
}

static void add_placed(struct gen_trees *s, struct gen_thread *t, enum gen_api_index index, const struct gen_span *span)
{
	struct gen_tree_call call = placed(s, index, span);

	t->clock = call.begin + 200;
	if (call.end - call.begin > ROOM_NS)
		add_inner(s, t, call.api, 100, 0);
	t->tree[t->used++] = call;
	t->clock = call.end + 1;
}

/* Make an inference. Its calls are counted where they are made. */
static void add_execute(struct gen_trees *s, struct gen_thread *t)
{
	const struct gen_options *o = s->options;
	struct gen_execute e;

	if (gen_run_execute(s->run, (int)(t - s->threads), t->clock / 1000 + 1, &e, s->err)) {
		s->failed = true;
		return;
	}
	if (o->aicpu) {
		s->process[s->end_process++ % PROCESS_QUEUE] = placed(s, AICPU_TASK, &e.process);
		t->left--;
	}
	add_placed(s, t, o->async ? EXECUTE_ASYNC : EXECUTE, &e.call);
	if (o->async)
		t->tree[t->used++] = placed(s, SYNCHRONIZE, &e.wait);
	t->clock = t->tree[t->used - 1].end + 1;
}

void gen_trees_add(struct gen_trees *s, struct gen_thread *t, enum gen_api_index index)
{
	struct gen_span unload;

	t->clock += some_ns(s, 20);
	if (s->run && index == EXECUTE) {
		add_execute(s, t);
	} else if (s->run && index == LOAD) {
		add_placed(s, t, LOAD, &s->run->load);
	} else if (s->run && index == UNLOAD) {
		if (gen_run_end(s->run, t->clock / 1000 + 1, &unload, s->err))
			s->failed = true;
		else
			add_placed(s, t, UNLOAD, &unload);
	} else {
		add_call(s, t, index, 0);
	}
	if (t->used)
		t->last_begin = t->tree[t->used - 1].begin;
}

void gen_trees_overlap(struct gen_trees *s, struct gen_thread *t)
{
	uint64_t begin = t->last_begin + (t->clock - t->last_begin) / 2;

	t->clock += some_ns(s, apis[MEMCPY].own_us);
	t->tree[t->used++] = (struct gen_tree_call){&apis[MEMCPY], begin, t->clock};
	t->last_begin = begin;
}

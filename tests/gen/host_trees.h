/*
 * host_trees.h: the calls of threads, as trees of nested calls, one at a time for each thread.
 *
 * With a device, the calls that the board records too have their times from there.
 */
#ifndef GEN_HOST_TREES_H
#define GEN_HOST_TREES_H

#include "calls.h"

enum { CHILD_MAX = 3, TREE_MAX = 16, PROCESS_QUEUE = 2 * GEN_THREAD_MAX };

enum gen_api_index {
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

struct gen_api {
	const char *name;
	uint32_t type;
	uint32_t own_us; /* typical time without inner calls */
	enum gen_api_index children[CHILD_MAX];
};

struct gen_tree_call {
	const struct gen_api *api;
	uint64_t begin, end;
};

struct gen_thread {
	struct gen_tree_call tree[TREE_MAX]; /* in order of end */
	int used, next;
	uint64_t left; /* records still to be made */
	uint64_t made; /* outermost calls */
	uint64_t clock;
	uint64_t last_begin; /* of the previous outermost call */
	bool framed;
};

struct gen_trees {
	struct gen_host *host;
	const struct gen_options *options;
	struct gen_run *run; /* NULL without a device */
	struct gen_random random;
	struct gen_thread threads[GEN_THREAD_MAX];
	struct gen_tree_call process[PROCESS_QUEUE]; /* calls of the thread that serves the CPU, in order of end */
	unsigned first_process, end_process;
	struct mp_error *err;
	bool failed;
};

/* An outermost call with those inside of it; calls of a device fail with the error of the run. */
void gen_trees_add(struct gen_trees *s, struct gen_thread *t, enum gen_api_index index);

/* A call that begins within the previous call and ends after it, which a correct stack of calls never does. */
void gen_trees_overlap(struct gen_trees *s, struct gen_thread *t);

#endif

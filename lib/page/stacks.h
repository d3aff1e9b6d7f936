/*
 * stacks.h: the calls of the host as a flame graph: nodes by the calls around them.
 *
 * Threads are added up. A struct of zeros is empty; free with mp_stacks_free. One thread.
 */
#ifndef MP_PAGE_STACKS_H
#define MP_PAGE_STACKS_H

#include "base/index.h"

enum { MP_STACKS_BUILT = 1 << 16, MP_STACKS_SHOWN = 2000 };

struct mp_stack_node {
	int64_t parent; /* -1: no call around it */
	uint32_t name;
	int64_t total_ns, self_ns, count;
};

struct mp_stacks {
	struct mp_stack_node *nodes; /* parents before children */
	size_t count;
	struct mp_index index;
	int64_t omitted; /* calls without a node */
};

/* Add a call; its self time comes later. *node is -1 where there are too many nodes. Returns false when out of memory.
 */
bool mp_stacks_add(struct mp_stacks *stacks, int64_t parent, uint32_t name, int64_t dur_ns, int64_t *node);

/*
 * Keep the nodes with the most time, and their parents. Returns how many are left out; -1: out of memory.
 */
int64_t mp_stacks_cut(struct mp_stacks *stacks);

void mp_stacks_free(struct mp_stacks *stacks);

#endif

/*
 * arrows.h: arrows from calls to the tasks that they launched. All tasks are added first, then calls take theirs.
 *
 * Memory is bounded: large arrays are in a file (base/big.h). A struct of zeros is empty; free with
 * mp_trace_arrows_free. One thread at a time.
 */
#ifndef MP_TRACE_ARROWS_H
#define MP_TRACE_ARROWS_H

#include <stdbool.h>

#include "base/big.h"

/* The end of an arrow at a task. */
struct mp_trace_launch {
	int64_t call; /* the key of the call */
	int64_t start_ns;
	uint32_t process, track, number;
};

struct mp_trace_arrows {
	struct mp_big launches;
	size_t count, next;
	bool unsorted; /* a call came after a later one */
};

/* Add a task; its number is set here. dirfd is a directory for a large array, or -1. Returns the number, from 1 on, or
 * 0 when out of memory. */
uint32_t mp_trace_arrows_add(struct mp_trace_arrows *a, const struct mp_trace_launch *launch, int dirfd);

/* The tasks of a call. Returns how many. Calls in the order of their keys are found at once. */
size_t mp_trace_arrows_take(struct mp_trace_arrows *a, int64_t call, const struct mp_trace_launch **launches);

void mp_trace_arrows_free(struct mp_trace_arrows *a);

#endif

/* memory.c: allocations that remember a failure. See memory.h. */
#include "learn/memory.h"

#include <stdlib.h>

static _Thread_local bool failed;

static void *watched(void *got)
{
	failed = failed || !got;
	return got;
}

void *mp_learn_malloc(size_t size)
{
	return watched(malloc(size));
}

void *mp_learn_calloc(size_t count, size_t size)
{
	return watched(calloc(count, size));
}

void *mp_learn_realloc(void *old, size_t size)
{
	return watched(realloc(old, size));
}

void mp_learn_memory_begin(void)
{
	failed = false;
}

bool mp_learn_memory_failed(void)
{
	return failed;
}

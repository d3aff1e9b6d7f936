/*
 * memory.h: the allocations of learn, those of the C library. A search that lacks memory once finds less than there is,
 * and no error tells: that an allocation failed is kept in mind, and mp_learn() fails in the end. Each thread has a
 * mind of its own.
 */
#ifndef MSPROF_LEARN_MEMORY_H
#define MSPROF_LEARN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Return NULL if memory is short, else what free() frees. */
void *mp_learn_malloc(size_t size);
void *mp_learn_calloc(size_t count, size_t size);
void *mp_learn_realloc(void *old, size_t size);

/* Forget failures of before. */
void mp_learn_memory_begin(void);

/* Whether one of the allocations failed since then. */
bool mp_learn_memory_failed(void);

#endif

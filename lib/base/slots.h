/*
 * slots.h: a hash index by open addressing of a fixed size, over items that are stored elsewhere.
 *
 * A slot holds the number of an item + 1, or 0 when free. The caller owns the slots, whose number is a power of two,
 * and keeps some of them free. No function here allocates or fails. index.h has the index that grows.
 */
#ifndef MP_BASE_SLOTS_H
#define MP_BASE_SLOTS_H

#include <stdbool.h>

#include "base/hash.h"

/* Returns the slot of the item for which `same` returns true, or the free slot for a new item. */
static inline uint32_t *mp_slot_find(
    uint32_t *slots, size_t count, uint64_t hash, bool (*same)(const void *key, uint32_t item), const void *key)
{
	size_t at = (size_t)hash & (count - 1);

	while (slots[at] && !same(key, slots[at] - 1))
		at = (at + 1) & (count - 1);
	return &slots[at];
}

#endif

/*
 * index.h: a hash index that grows, over items that are stored elsewhere; and a set of texts with one.
 *
 * A struct of zeros is empty. Two tables do not use this index: map.h keeps parts of keys in its slots, for joins of
 * millions, and slots.h has what is searched without a lock, or never grows. One thread.
 */
#ifndef MP_BASE_INDEX_H
#define MP_BASE_INDEX_H

#include <stdbool.h>

#include "base/hash.h"

struct mp_index {
	struct mp_index_slot {
		uint32_t hash;
		uint32_t item; /* its number + 1; 0: free */
	} * slots;
	size_t room; /* of slots: a power of two */
};

/* Make room for one item more than `count`, with more than half of the slots free. Returns false: memory was short. */
bool mp_index_grow(struct mp_index *index, size_t count);

/*
 * Find the item for which `same` returns true, in an index of `count` items. The result is the place of the item's
 * number + 1, valid until the next call: it holds 0 when there is no such item, and the caller may put a new one there.
 * Returns NULL when memory is short, but not where mp_index_grow made room before.
 */
static inline uint32_t *mp_index_find(
    struct mp_index *index, size_t count, uint64_t hash, bool (*same)(const void *key, uint32_t item), const void *key)
{
	const uint32_t kept = (uint32_t)(hash ^ hash >> 32);
	struct mp_index_slot *slot;

	if (2 * count >= index->room && !mp_index_grow(index, count))
		return NULL;
	for (size_t at = kept; (slot = &index->slots[at & (index->room - 1)])->item; at++)
		if (slot->hash == kept && same(key, slot->item - 1))
			return &slot->item;
	slot->hash = kept;
	return &slot->item;
}

/* Forget all items, and keep the room. */
void mp_index_clear(struct mp_index *index);
void mp_index_free(struct mp_index *index);

/* Texts by numbers from 0 on; equal texts have one number. The struct owns its copies; free with mp_text_set_free. */
struct mp_text_set {
	char **items;
	size_t count;
	struct mp_index index;
};

/* The number of a text, which ends at `len` or a NUL; -1: out of memory. */
int64_t mp_text_set_add(struct mp_text_set *set, const char *text, size_t len);

void mp_text_set_free(struct mp_text_set *set);

#endif

/*
 * index.h: hashes, a hash index that grows, over items that are stored elsewhere, and a set of texts with one.
 *
 * A struct of zeros is empty. Two kinds of tables do not use struct mp_index: map.h keeps parts of keys in its slots,
 * for joins of millions; and what is searched without a lock, or never grows, has slots of a fixed size. One thread.
 */
#ifndef MP_BASE_INDEX_H
#define MP_BASE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * ---- hashes ----
 *
 * mp_hash_mix and mp_hash_bytes are for tables in memory, which compare what has one hash: texts of one length that
 * differ in few bytes may have one. And for long texts. FNV-1a, a byte at a time, is for what others may compute again:
 * names, what files and databases keep. All are the same on each machine.
 */

/* Mix a number into a hash. */
static inline uint64_t mp_hash_mix(uint64_t hash, uint64_t number)
{
	hash = (hash ^ number) * UINT64_C(0x9E3779B97F4A7C15);
	return hash ^ hash >> 29;
}

/* The hash of bytes, eight at a time. */
static inline uint64_t mp_hash_bytes(const char *bytes, size_t size)
{
	uint64_t hash = size, word;

	for (; size >= 8; bytes += 8, size -= 8) {
		memcpy(&word, bytes, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
		word = __builtin_bswap64(word);
#endif
		hash = mp_hash_mix(hash, word);
	}
	for (; size; bytes++, size--)
		hash = mp_hash_mix(hash, (unsigned char)*bytes);
	return hash ^ hash >> 32;
}

/* What FNV-1a begins with. */
#define MP_FNV UINT64_C(14695981039346656037)
#define MP_FNV_32 UINT32_C(2166136261)

/* Go on with the bytes of a text. */
static inline uint64_t mp_fnv(uint64_t hash, const char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
	return hash;
}

static inline uint32_t mp_fnv_32(uint32_t hash, const char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * UINT32_C(16777619);
	return hash;
}

/* ---- an index that grows ---- */

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

/*
 * ---- slots of a fixed size ----
 *
 * A slot holds the number of an item + 1, or 0 when free. The caller owns the slots, whose number is a power of two,
 * and keeps some of them free. No function here allocates or fails.
 */

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

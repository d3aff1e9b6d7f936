/*
 * slots.h: a hash index by open addressing over items that are stored elsewhere.
 *
 * A slot holds the number of an item + 1, or 0 when free. The caller owns the slots, whose number is a power of two,
 * and keeps some of them free. No function here allocates or fails. Two tables do not use this index: map.h keeps parts
 * of keys in its slots, for joins of millions, and the recorder's models are searched without a lock.
 */
#ifndef MP_BASE_SLOTS_H
#define MP_BASE_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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
		hash = mp_hash_mix(hash, word);
	}
	for (; size; bytes++, size--)
		hash = mp_hash_mix(hash, (unsigned char)*bytes);
	return hash ^ hash >> 32;
}

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

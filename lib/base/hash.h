/*
 * hash.h: hashes of bytes and numbers.
 *
 * mp_hash_mix and mp_hash_bytes are for tables in memory, and differ between machines. FNV-1a is for what is kept: in
 * a database, in a file, in a name.
 */
#ifndef MP_BASE_HASH_H
#define MP_BASE_HASH_H

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

#endif

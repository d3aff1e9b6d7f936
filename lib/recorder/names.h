/*
 * names.h: small numbers for texts, for the life of the process.
 *
 * Number 0 is "?", which also stands for every text without room. Any thread may look up a number without a lock;
 * adding takes a lock. Each thread has a cache for texts that the thread has used before. Texts are never freed.
 */
#ifndef MP_RECORDER_NAMES_H
#define MP_RECORDER_NAMES_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { MP_NAMES_MAX = 65536, MP_NAMES_BYTES_MAX = 2 * 1024 * 1024, MP_NAME_CACHE = 256 };

struct mp_names {
	pthread_mutex_t lock;
	uint32_t count;                            /* numbers in use, 0 included */
	size_t bytes;                              /* of all texts */
	_Atomic(const char *) texts[MP_NAMES_MAX]; /* set before any thread receives the number */
	uint32_t table[2 * MP_NAMES_MAX];          /* numbers by hash; 0: free */
};

struct mp_name_cache {
	struct {
		uint32_t hash, number;
	} items[MP_NAME_CACHE];
};

/* The number of a text of `len` bytes; 0 when there is no room. The cache may be NULL. */
uint32_t mp_name_number(struct mp_names *names, struct mp_name_cache *cache, const char *text, size_t len);

/* Returns whether a number is in use. */
bool mp_name_known(const struct mp_names *names, uint32_t number);

/* The text of a number; "?" for a number that is not in use. */
const char *mp_name_text(const struct mp_names *names, uint32_t number);

#endif

/*
 * names.h: texts as small numbers, for the life of the process.
 *
 * Number 0 is "?", which also stands for what has no room. Any thread may look a number up without a lock; adding takes
 * one. A cache, one a thread, answers for texts that the thread has asked for before.
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
	uint32_t count;                            /* numbers given, 0 included */
	size_t bytes;                              /* of all texts */
	_Atomic(const char *) texts[MP_NAMES_MAX]; /* set before the number is given to anybody */
	uint32_t table[2 * MP_NAMES_MAX];          /* numbers by hash; 0: free */
};

struct mp_name_cache {
	struct {
		uint32_t hash, number;
	} items[MP_NAME_CACHE];
};

/* The number of a text of `len` bytes; 0 where there is no room. The cache may be NULL. */
uint32_t mp_name_number(struct mp_names *names, struct mp_name_cache *cache, const char *text, size_t len);

/* Whether a number was given. */
bool mp_name_known(const struct mp_names *names, uint32_t number);

/* The text of a number; "?" for one that was never given. */
const char *mp_name_text(const struct mp_names *names, uint32_t number);

#endif

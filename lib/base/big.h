/*
 * big.h: arrays that grow. What is larger than 8 MiB lies in a file without a name, so the memory of the process stays
 * small whatever their size, as long as what is asked for lies near what was asked for before.
 */
#ifndef MP_STORE_BIG_H
#define MP_STORE_BIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zeros: empty. */
struct mp_big {
	void *at;
	size_t room;      /* bytes; those that were not written yet may have any value */
	int file;         /* its descriptor + 1; 0: in memory */
	uint32_t touched; /* counts */
};

/*
 * More room behind what is there, which may move. dirfd: a directory on a file system with space; without one (-1), or
 * where it takes no file, all stays in memory. false: no memory, nothing has changed.
 */
bool mp_big_grow(struct mp_big *b, int dirfd);
void mp_big_free(struct mp_big *b);

/* Let go of the memory, not of what is in it. */
void mp_big_rest(struct mp_big *b);

/* To be called for each item that is read or written: now and then the array rests. */
static inline void mp_big_touch(struct mp_big *b)
{
	if (b->file && !(++b->touched & 0xffff))
		mp_big_rest(b);
}

#endif

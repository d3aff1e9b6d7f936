/*
 * big.h: arrays that grow, in memory up to 8 MiB, and beyond that in a file without a name.
 *
 * The memory of the process stays small when accesses are near each other. A struct of zeros is an empty array. The
 * struct owns memory and file; free with mp_big_free. Errors are results of the functions. One thread at a time.
 */
#ifndef MP_BASE_BIG_H
#define MP_BASE_BIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An array; the caller counts its items. */
struct mp_big {
	void *at;
	size_t room;      /* size in bytes; bytes that were not written may have any value */
	int file;         /* the file's descriptor + 1; 0: in memory */
	uint32_t touched; /* counts calls of mp_big_touch */
};

/*
 * Make room for more items; the array may move. dirfd is a directory on a file system with space. With -1, or when no
 * file can be made there, the array stays in memory. Returns false when out of memory; the array is then unchanged.
 */
bool mp_big_grow(struct mp_big *b, int dirfd);
void mp_big_free(struct mp_big *b);

/* Release the memory of a file's array; the content stays in the file. */
void mp_big_rest(struct mp_big *b);

/* Call for each item read or written, so that the array releases its memory from time to time. */
static inline void mp_big_touch(struct mp_big *b)
{
	if (b->file && !(++b->touched & 0xffff))
		mp_big_rest(b);
}

/*
 * Sort the first `count` items of an array: runs in order, merged with another array from one end to the other, so that
 * the memory of the process stays small. The order of equal items is not kept. Returns false when out of memory.
 */
typedef int mp_big_compare(const void *a, const void *b);
bool mp_big_sort(struct mp_big *b, size_t count, size_t item_bytes, mp_big_compare *compare, int dirfd);

#endif

/*
 * vec.h: arrays that grow; and large ones, in memory up to 8 MiB, beyond that in a file without a name.
 *
 * An array that only mp_vec_room grows needs no field for its room, which depends on the number of its items: the next
 * power of two, and 8 at least. So n items cost no more than 2 n moves. The caller owns the array, which begins as NULL
 * and is freed with free(). An array that is emptied and filled again and again keeps with mp_vec_reach the most items
 * that it had, so that it is as large as it was.
 *
 * A struct mp_big of zeros is an empty array. It owns memory and file; free with mp_big_free. The memory of the process
 * stays small when accesses are near each other. One thread at a time.
 */
#ifndef MP_BASE_VEC_H
#define MP_BASE_VEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* mp_vec_room and mp_vec_reach, wherever there is no room. */
bool mp_vec_make_room(void *array, size_t count, size_t more, size_t item_bytes);
bool mp_vec_make_most(void *array, size_t *most, size_t wanted, size_t item_bytes);

/* Whether the next power of two, and 8 at least, is the same for count items and for `more` behind them. */
static inline bool mp_vec_has_room(size_t count, size_t more)
{
	const size_t last = (count - 1) | 7, wanted = count + more;

	return count && count <= wanted && wanted <= SIZE_MAX / 2 && (last ^ (wanted - 1)) <= last;
}

/*
 * Give an array of `count` items room for `more` behind them. `array` is the address of the pointer to its items.
 * Returns false when memory is short; the array is then unchanged.
 */
static inline bool mp_vec_grow(void *array, size_t count, size_t more, size_t item_bytes)
{
	return mp_vec_has_room(count, more) || mp_vec_make_room(array, count, more, item_bytes);
}

#define mp_vec_room(array, count, more) mp_vec_grow(&(array), count, more, sizeof(*(array)))

/* Give an array room for `wanted` items. *most is the largest number that was wanted so far. */
static inline bool mp_vec_grow_to(void *array, size_t *most, size_t wanted, size_t item_bytes)
{
	return wanted <= *most || mp_vec_make_most(array, most, wanted, item_bytes);
}

#define mp_vec_reach(array, most, wanted) mp_vec_grow_to(&(array), most, wanted, sizeof(*(array)))

/* ---- large arrays ---- */

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

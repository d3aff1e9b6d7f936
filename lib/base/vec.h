/*
 * vec.h: arrays that grow.
 *
 * An array that only mp_vec_room grows needs no field for its room, which depends on the number of its items: the next
 * power of two, and 8 at least. So n items cost no more than 2 n moves. The caller owns the array, which begins as NULL
 * and is freed with free().
 */
#ifndef MP_BASE_VEC_H
#define MP_BASE_VEC_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Give an array of `count` items room for `more` behind them. `array` is the address of the pointer to its items.
 * Returns false when memory is short; the array is then unchanged.
 */
bool mp_vec_make_room(void *array, size_t count, size_t more, size_t item_bytes);

#define mp_vec_room(array, count, more) mp_vec_make_room(&(array), count, more, sizeof(*(array)))

#endif

/* vec.c: doubles arrays. Knows no item. */
#include "base/vec.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 8 };

/* The room of an array with `count` items; 0: too many. */
static size_t room_of(size_t count)
{
	size_t room = LEAST;

	while (room && room < count)
		room *= 2;
	return room;
}

bool mp_vec_make_room(void *array, size_t count, size_t more, size_t item_bytes)
{
	size_t wanted, room, bytes;
	void *items, *moved;

	if (__builtin_add_overflow(count, more, &wanted))
		return false;
	room = room_of(wanted);
	if (!room || __builtin_mul_overflow(room, item_bytes, &bytes))
		return false;
	memcpy(&items, array, sizeof(items));
	moved = realloc(items, bytes);
	if (!moved)
		return false;
	memcpy(array, &moved, sizeof(moved));
	/* cppcheck-suppress memleak ; the caller has it */
	return true;
}

bool mp_vec_make_most(void *array, size_t *most, size_t wanted, size_t item_bytes)
{
	if (!mp_vec_grow(array, *most, wanted - *most, item_bytes))
		return false;
	*most = wanted;
	return true;
}

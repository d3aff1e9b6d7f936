/* vec.c: doubles arrays, and moves large ones to a file. Knows no item. */
#define _GNU_SOURCE /* madvise */
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/dir.h"

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

/*
 * ---- large arrays: the blocks of a file are allocated before mapping, so that a full disk is an error here and not a
 * signal later ----
 */

enum { FIRST = 64, MEMORY_MAX = 8 << 20, STEP = 4 << 20 };

/* Map the file of `there` bytes with more room. Returns NULL on failure. */
static void *map_file(int fd, size_t there, size_t room)
{
	void *at;
	int error;

	do
		error = posix_fallocate(fd, (off_t)there, (off_t)(room - there));
	while (error == EINTR);
	if (error)
		return NULL;
	at = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return at == MAP_FAILED ? NULL : at;
}

static bool move_to_file(struct mp_big *b, size_t room, int dirfd)
{
	int fd = dirfd < 0 ? -1 : mp_dir_unnamed(dirfd);
	void *at = fd < 0 ? NULL : map_file(fd, 0, room);

	if (!at) {
		if (fd >= 0)
			close(fd); /* the file is empty */
		return false;
	}
	memcpy(at, b->at, b->room);
	free(b->at);
	*b = (struct mp_big){at, room, fd + 1, 0};
	return true;
}

static bool grow_file(struct mp_big *b, size_t room)
{
	void *at = map_file(b->file - 1, b->room, room);

	if (!at)
		return false;
	munmap(b->at, b->room);
	b->at = at;
	b->room = room;
	return true;
}

/* The file system is full: move the array to memory. */
static bool move_to_memory(struct mp_big *b, size_t room)
{
	void *at = malloc(room);

	if (!at)
		return false;
	memcpy(at, b->at, b->room);
	mp_big_free(b);
	b->at = at;
	b->room = room;
	return true;
}

bool mp_big_grow(struct mp_big *b, int dirfd)
{
	size_t room = b->file ? b->room + STEP : b->room ? 2 * b->room : FIRST;
	void *at;

	if (room > SIZE_MAX / 4)
		return false;
	if (b->file)
		return grow_file(b, room) || move_to_memory(b, room);
	if (room > MEMORY_MAX && move_to_file(b, room, dirfd))
		return true;
	at = realloc(b->at, room);
	if (!at)
		return false;
	b->at = at;
	b->room = room;
	return true;
}

void mp_big_free(struct mp_big *b)
{
	if (b->file) {
		munmap(b->at, b->room);
		close(b->file - 1); /* the file has no name, so nobody else can read it */
	} else {
		free(b->at);
	}
	*b = (struct mp_big){NULL, 0, 0, 0};
}

void mp_big_rest(struct mp_big *b)
{
	if (b->file)
		madvise(b->at, b->room, MADV_DONTNEED); /* the mapping is shared, so its pages stay in the file */
}

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

enum { RUN_MIN = 64 << 10 }; /* items; a shorter run is made longer, in memory */

/* Items to be sorted. */
struct sorting {
	struct mp_big *from, to;
	size_t count, size;
	mp_big_compare *compare;
};

static char *item(struct mp_big *b, size_t index, size_t size)
{
	mp_big_touch(b);
	return (char *)b->at + index * size;
}

/* The end of the run that begins at `first`. */
static size_t run_end(const struct sorting *s, size_t first)
{
	size_t i = first + 1;

	while (i < s->count && s->compare(item(s->from, i - 1, s->size), item(s->from, i, s->size)) <= 0)
		i++;
	return i;
}

/* Sort what follows `first` where its run is short. Returns the end of the run. */
static size_t make_run(const struct sorting *s, size_t first)
{
	size_t end = run_end(s, first), wanted = s->count - first < RUN_MIN ? s->count : first + RUN_MIN;

	if (end >= wanted)
		return end;
	qsort(item(s->from, first, s->size), wanted - first, s->size, s->compare);
	mp_big_rest(s->from); /* qsort touched all of them */
	return wanted;
}

/* Merge the runs [first, middle) and [middle, end) into the same places of the other array. */
static void merge(struct sorting *s, size_t first, size_t middle, size_t end)
{
	size_t a = first, b = middle;

	for (size_t i = first; i < end; i++) {
		const char *left = item(s->from, a, s->size), *right = item(s->from, b < end ? b : a, s->size);
		bool is_left = b == end || (a < middle && s->compare(left, right) <= 0);

		memcpy(item(&s->to, i, s->size), is_left ? left : right, s->size);
		a += is_left;
		b += !is_left;
	}
}

/* Merge each pair of runs. Returns how many runs are left. */
static size_t merge_pairs(struct sorting *s)
{
	size_t runs = 0;

	for (size_t first = 0; first < s->count; runs++) {
		size_t middle = run_end(s, first), end = middle < s->count ? run_end(s, middle) : middle;

		merge(s, first, middle, end);
		first = end;
	}
	return runs;
}

bool mp_big_sort(struct mp_big *b, size_t count, size_t item_bytes, mp_big_compare *compare, int dirfd)
{
	struct sorting s = {.from = b, .count = count, .size = item_bytes, .compare = compare};
	size_t runs = 0;

	for (size_t first = 0; first < count; runs++)
		first = make_run(&s, first);
	while (runs > 1) {
		struct mp_big merged;

		while (s.to.room < count * item_bytes)
			if (!mp_big_grow(&s.to, dirfd)) {
				mp_big_free(&s.to);
				return false;
			}
		runs = merge_pairs(&s);
		merged = s.to;
		s.to = *b;
		*b = merged;
	}
	mp_big_free(&s.to);
	return true;
}

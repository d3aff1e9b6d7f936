/*
 * fuzz_sqlite.h: memory for SQLite that costs little under a sanitizer.
 *
 * SQLite asks for memory thousands of times in each execution, mostly to parse SQL, and the sanitizer's own allocator
 * takes longer than the rest. Here blocks come from lists of their size. The sanitizer still sees a read beside a block
 * or of a freed one; what SQLite still holds after an execution is counted.
 */
#ifndef MP_TESTS_FUZZ_SQLITE_H
#define MP_TESTS_FUZZ_SQLITE_H

#include "fuzz.h"

#include <sanitizer/asan_interface.h>
#include <sqlite3.h>
#include <stdatomic.h>

enum {
	BLOCK_LEAST = 32, /* bytes, with the head */
	BLOCK_CLASSES = 12,
	BLOCK_MOST = BLOCK_LEAST << (BLOCK_CLASSES - 1),
	BLOCK_REGION = 1 << 20
};

/* Before the bytes that SQLite gets; nobody but this file may read it. */
struct block {
	int64_t size;
	struct block *next; /* of the free blocks */
};

static struct {
	atomic_flag lock;
	struct block *free[BLOCK_CLASSES];
	char *region;
	size_t left; /* of the region */
	int64_t held;
} blocks = {.lock = ATOMIC_FLAG_INIT};

/* Neither watched nor a part of the coverage. */
#ifdef __clang__
#define UNWATCHED __attribute__((no_sanitize("address", "undefined", "coverage")))
#else
#define UNWATCHED __attribute__((no_sanitize("address", "undefined")))
#endif

UNWATCHED static void lock_blocks(void)
{
	while (atomic_flag_test_and_set_explicit(&blocks.lock, memory_order_acquire))
		;
}

UNWATCHED static void unlock_blocks(void)
{
	atomic_flag_clear_explicit(&blocks.lock, memory_order_release);
}

UNWATCHED static int block_class(int64_t size)
{
	uint64_t units = (uint64_t)(size + (int64_t)sizeof(struct block) - 1) / BLOCK_LEAST;

	return units ? 64 - __builtin_clzll(units) : 0;
}

/* A block of a class that is used up, from the region. */
UNWATCHED static struct block *new_block(int class)
{
	size_t bytes = (size_t)BLOCK_LEAST << class;
	struct block *b;

	if (blocks.left < bytes) {
		blocks.region = mmap(NULL, BLOCK_REGION, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		CHECK(blocks.region != MAP_FAILED);
		blocks.left = BLOCK_REGION;
		ASAN_POISON_MEMORY_REGION(blocks.region, BLOCK_REGION);
	}
	b = (struct block *)blocks.region;
	blocks.region += bytes;
	blocks.left -= bytes;
	return b;
}

UNWATCHED static void *block_alloc(int wanted)
{
	int64_t size = (wanted + 7) & ~7;
	struct block *b;

	lock_blocks();
	if (size + (int64_t)sizeof(*b) > BLOCK_MOST) {
		b = malloc((size_t)size + sizeof(*b));
		CHECK(b);
	} else {
		int class = block_class(size);

		b = blocks.free[class];
		if (b)
			blocks.free[class] = b->next;
		else
			b = new_block(class);
		ASAN_UNPOISON_MEMORY_REGION(b + 1, (size_t)size);
	}
	b->size = size;
	blocks.held += size;
	unlock_blocks();
	return b + 1;
}

UNWATCHED static void block_free(void *bytes)
{
	struct block *b = (struct block *)bytes - 1;
	int64_t size = b->size;

	lock_blocks();
	blocks.held -= size;
	if (size + (int64_t)sizeof(*b) > BLOCK_MOST) {
		free(b);
	} else {
		ASAN_POISON_MEMORY_REGION(bytes, (size_t)size);
		b->next = blocks.free[block_class(size)];
		blocks.free[block_class(size)] = b;
	}
	unlock_blocks();
}

UNWATCHED static int block_size(void *bytes)
{
	return bytes ? (int)((struct block *)bytes - 1)->size : 0;
}

UNWATCHED static int block_roundup(int size)
{
	return (size + 7) & ~7;
}

UNWATCHED static void *block_realloc(void *bytes, int size)
{
	void *moved = block_alloc(size);
	int old = block_size(bytes);

	memcpy(moved, bytes, (size_t)(old < size ? old : size));
	block_free(bytes);
	return moved;
}

static int block_init(void *unused)
{
	(void)unused;
	return SQLITE_OK;
}

static void block_shutdown(void *unused)
{
	(void)unused;
}

/* Give SQLite this memory, before any other call of it. Further calls do nothing. */
static inline void take_over_memory(void)
{
	static const sqlite3_mem_methods methods = {
	    block_alloc, block_free, block_realloc, block_size, block_roundup, block_init, block_shutdown, NULL};
	static bool done;

	if (done)
		return;
	CHECK(sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) == SQLITE_OK);
	done = true;
}

#endif

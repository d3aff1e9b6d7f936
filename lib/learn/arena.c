/* arena.c: texts that are freed as a whole, in blocks. */
#include <stdlib.h>
#include <string.h>

#include "learn/arena.h"
#include "learn/memory.h"

enum { BLOCK_SIZE = 1 << 16 };

struct mp_arena_block {
	struct mp_arena_block *earlier;
	size_t size, used;
	char bytes[];
};

char *mp_arena_add(struct mp_arena *arena, const char *text, size_t len)
{
	struct mp_arena_block *b = arena->last;
	char *at;

	if (!b || b->size - b->used <= len) {
		size_t size = len < BLOCK_SIZE ? BLOCK_SIZE : len + 1;

		b = mp_learn_malloc(sizeof(*b) + size);
		if (!b)
			return NULL;
		*b = (struct mp_arena_block){.earlier = arena->last, .size = size};
		arena->last = b;
	}
	at = b->bytes + b->used;
	if (text)
		memcpy(at, text, len);
	at[len] = '\0';
	b->used += len + 1;
	return at;
}

struct mp_arena_mark mp_arena_mark(const struct mp_arena *arena)
{
	return (struct mp_arena_mark){arena->last, arena->last ? arena->last->used : 0};
}

void mp_arena_return(struct mp_arena *arena, struct mp_arena_mark mark)
{
	while (arena->last && arena->last != mark.block) {
		struct mp_arena_block *earlier = arena->last->earlier;

		free(arena->last);
		arena->last = earlier;
	}
	if (arena->last)
		arena->last->used = mark.used;
}

void mp_arena_free(struct mp_arena *arena)
{
	mp_arena_return(arena, (struct mp_arena_mark){NULL, 0});
}

/*
 * arena.h: texts that are freed as a whole. Zeroed memory is an empty arena.
 *
 * An arena belongs to one thread. Its texts stay where they are until they are freed.
 */
#ifndef MP_LEARN_ARENA_H
#define MP_LEARN_ARENA_H

#include <stddef.h>

struct mp_arena_block;

struct mp_arena {
	struct mp_arena_block *last;
};

/* What is stored now. */
struct mp_arena_mark {
	const struct mp_arena_block *block;
	size_t used;
};

/* Store len bytes and a NUL. The bytes are unset when the text is NULL. Returns NULL when there is no memory. */
char *mp_arena_add(struct mp_arena *arena, const char *text, size_t len);
struct mp_arena_mark mp_arena_mark(const struct mp_arena *arena);
/* Free what was stored after the mark. */
void mp_arena_return(struct mp_arena *arena, struct mp_arena_mark mark);
void mp_arena_free(struct mp_arena *arena);

#endif

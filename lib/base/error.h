/*
 * error.h: how every fallible function of the library reports errors.
 *
 * A function that can fail returns 0, or -1 with one sentence in the caller's struct mp_error. The sentence is lower
 * case, names first what failed, has the object in single quotes, and no full stop. The caller owns the struct; nothing
 * is allocated or freed. Each thread uses a struct of its own. The text may contain bytes of a file: sanitise the text
 * before a terminal shows it (text.h).
 */
#ifndef MP_BASE_ERROR_H
#define MP_BASE_ERROR_H

#include <stddef.h>

/* What failed, for callers that act on it. The text is for people: no code reads it. */
enum mp_error_kind {
	MP_ERROR_OTHER,
	MP_ERROR_MEMORY, /* an allocation */
	MP_ERROR_LIMIT,  /* an output that would pass its limit */
	MP_ERROR_DISK,   /* a write: the disk is full or broken, or a file would be too large */
	MP_ERROR_BOARD,  /* a board, which the sentence names */
	MP_ERROR_INTERRUPTED
};

struct mp_error {
	enum mp_error_kind kind;
	char text[768];
};

#define MP_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/* Format the sentence about a failure of a kind; text that does not fit is cut. */
void mp_error_set_kind(struct mp_error *err, enum mp_error_kind kind, const char *fmt, ...) MP_PRINTF(3, 4);
#define mp_error_set(err, ...) mp_error_set_kind(err, MP_ERROR_OTHER, __VA_ARGS__)
/* Format the sentence and append ": " and the text of errno, which decides the kind. */
void mp_error_set_errno(struct mp_error *err, const char *fmt, ...) MP_PRINTF(2, 3);

/* An allocation of `what` failed. */
#define mp_error_set_memory(err, what) mp_error_set_kind(err, MP_ERROR_MEMORY, "out of memory for %s", what)

/* Returns -1. The result of a function, unlike a constant, may be ignored without a warning. */
static inline int mp_failed(void)
{
	return -1;
}

/*
 * Store a sentence and give -1, for `return mp_fail(...)`. These are macros so that analysers of a single file see the
 * -1.
 */
#define mp_fail(...) (mp_error_set(__VA_ARGS__), mp_failed())

/* Like mp_fail, followed by ": " and the text of errno. */
#define mp_fail_errno(...) (mp_error_set_errno(__VA_ARGS__), mp_failed())

/* Like mp_fail, with a kind. */
#define mp_fail_kind(err, kind, ...) (mp_error_set_kind(err, kind, __VA_ARGS__), mp_failed())

/* Like mp_fail, of the kind of another error, which the sentence quotes. */
#define mp_fail_because(err, why, ...) mp_fail_kind(err, (why)->kind, __VA_ARGS__)

/* Like mp_fail, for an allocation of `what`. */
#define mp_fail_memory(err, what) mp_fail_kind(err, MP_ERROR_MEMORY, "out of memory for %s", what)

#endif

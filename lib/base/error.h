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

struct mp_error {
	char text[768];
};

#define MP_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/* Format the sentence; text that does not fit is cut. */
void mp_error_set(struct mp_error *err, const char *fmt, ...) MP_PRINTF(2, 3);
/* Format the sentence and append ": " and the text of errno. */
void mp_error_set_errno(struct mp_error *err, const char *fmt, ...) MP_PRINTF(2, 3);

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

/* Like mp_fail, for an allocation of `what`. */
#define mp_fail_memory(err, what) mp_fail(err, "out of memory for %s", what)

#endif

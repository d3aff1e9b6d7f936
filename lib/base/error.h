/*
 * error.h: how every fallible function of the library reports.
 *
 * A function that can fail returns 0 or -1 and, when it returns -1, leaves
 * one sentence in the caller's struct mp_error: lower case, what failed first,
 * the object in single quotes, no full stop. The caller owns the struct; there
 * is no allocation and nothing to free. Any thread may use its own struct.
 * The text may hold bytes that came from a file: sanitise it before a terminal
 * sees it (text.h).
 */
#ifndef MP_BASE_ERROR_H
#define MP_BASE_ERROR_H

#include <stddef.h>

struct mp_error {
	char text[768];
};

#define MP_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

void mp_error_set(struct mp_error *err, const char *fmt, ...) MP_PRINTF(2, 3);
void mp_error_set_errno(struct mp_error *err, const char *fmt, ...) MP_PRINTF(2, 3);

static inline int mp_failed(void)
{
	return -1;
}

/*
 * Store a sentence and give -1, so that callers can `return mp_fail(...)`. Macros, so that analysers, which
 * look into one file at a time, see the -1.
 */
#define mp_fail(...) (mp_error_set(__VA_ARGS__), mp_failed())

/* As mp_fail, followed by ": " and the text of errno. */
#define mp_fail_errno(...) (mp_error_set_errno(__VA_ARGS__), mp_failed())

/* As mp_fail for an allocation of `what`. */
#define mp_fail_memory(err, what) mp_fail(err, "out of memory for %s", what)

#endif

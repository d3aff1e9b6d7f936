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

/* Store a sentence; returns -1 so that callers can `return mp_fail(...)`. */
int mp_fail(struct mp_error *err, const char *fmt, ...) MP_PRINTF(2, 3);

/* As mp_fail, followed by ": " and the text of errno. */
int mp_fail_errno(struct mp_error *err, const char *fmt, ...) MP_PRINTF(2, 3);

/* As mp_fail for an allocation of `what`. */
int mp_fail_memory(struct mp_error *err, const char *what);

#endif

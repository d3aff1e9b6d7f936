/*
 * text.h: UTF-8 and the places where a string may do harm.
 * No allocation, no state, no locale; safe in any thread.
 */
#ifndef MP_BASE_TEXT_H
#define MP_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decode one code point at s (len > 0). Returns its length, 1..4; an invalid byte gives length 1 and *cp = -1. */
size_t mp_utf8_next(const char *s, size_t len, int32_t *cp);

/* Whether all of s is well-formed UTF-8. */
bool mp_utf8_valid(const char *s, size_t len);

/* Whether a code point must not reach a terminal: C0, DEL, C1, bidirectional overrides. */
bool mp_is_control(int32_t cp);

/* Whether any code point of s is a control character or not UTF-8. */
bool mp_has_control(const char *s, size_t len);

/* What is known of s: MP_MARK_JSON and MP_MARK_CSV of value.h. */
unsigned mp_text_marks(const char *s, size_t len);

/* The length of s, at most `most`, cut at a code point. */
size_t mp_cut(const char *s, size_t most);

/*
 * Copy s into dst (size > 0, always terminated) with control characters and
 * invalid bytes as \xNN. Cut at a code point where dst is too small.
 * Returns the length of the result.
 */
size_t mp_sanitise(char *dst, size_t size, const char *s, size_t len);

#endif

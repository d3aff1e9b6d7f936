/* text.h: decodes UTF-8 and finds characters that may do harm. No allocation, no state, no locale; any thread. */
#ifndef MP_BASE_TEXT_H
#define MP_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decode one code point at s (len > 0). Returns its length, 1 to 4. An invalid byte has length 1 and *cp = -1. */
size_t mp_utf8_next(const char *s, size_t len, int32_t *cp);

/* Returns whether all of s is well-formed UTF-8. */
bool mp_utf8_valid(const char *s, size_t len);

/* Returns whether a code point must not reach a terminal: C0, DEL, C1, bidirectional overrides. */
bool mp_is_control(int32_t cp);

/* Returns whether s contains a control character or invalid UTF-8. */
bool mp_has_control(const char *s, size_t len);

/* Returns which of MP_MARK_JSON and MP_MARK_CSV (value.h) hold for s. */
unsigned mp_text_marks(const char *s, size_t len);

/* Returns the length of s, at most `most`, cut at a code point. */
size_t mp_cut(const char *s, size_t most);

/*
 * Copy s into dst with control characters and invalid bytes as \xNN. The copy is always terminated (size > 0), and cut
 * at a code point when dst is too small. Returns the length of the copy.
 */
size_t mp_sanitise(char *dst, size_t size, const char *s, size_t len);

#endif

/*
 * text.h: decodes UTF-8, finds characters that may do harm or must be escaped, and splits lines of ini files.
 *
 * No allocation, no state, no locale; any thread.
 */
#ifndef MP_BASE_TEXT_H
#define MP_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

/*
 * ---- copies that check, eight bytes at a time, that no output format must escape a text ----
 *
 * A plain text is printable ASCII without '"' and without one further character that the format escapes.
 */

#define MP_EACH_BYTE(b) (UINT64_C(0x0101010101010101) * (b))

/* Returns not 0 when a byte of w is 0. */
static inline uint64_t mp_has_zero(uint64_t w)
{
	return (w - MP_EACH_BYTE(1)) & ~w & MP_EACH_BYTE(0x80);
}

/* Returns not 0 when a byte of w is outside 0x20..0x7e, is '"', or is `other`. */
static inline uint64_t mp_not_plain(uint64_t w, char other)
{
	return ((w - MP_EACH_BYTE(0x20)) & ~w & MP_EACH_BYTE(0x80)) | (w & MP_EACH_BYTE(0x80)) |
	       mp_has_zero(w ^ MP_EACH_BYTE(0x7f)) | mp_has_zero(w ^ MP_EACH_BYTE('"')) |
	       mp_has_zero(w ^ MP_EACH_BYTE((uint64_t)other));
}

/* Returns w with a letter in place of each tab. */
static inline uint64_t mp_without_tabs(uint64_t w)
{
	uint64_t low = MP_EACH_BYTE(0x7f), off = w ^ MP_EACH_BYTE('\t');

	return w | (~(((off & low) + low) | off | low) >> 1);
}

/*
 * Copy less than eight bytes and return them as a word, some bytes twice. The bytes stay in registers, because bytes
 * that were just stored are slow to load.
 */
static inline uint64_t mp_copy_few(char *dst, const char *s, size_t len)
{
	uint32_t first, last;
	uint64_t w = 0;

	if (len >= 4) {
		memcpy(&first, s, 4);
		memcpy(&last, s + len - 4, 4);
		memcpy(dst, &first, 4);
		memcpy(dst + len - 4, &last, 4);
		return (uint64_t)last << 32 | first;
	}
	for (size_t i = 0; i < len; i++) {
		dst[i] = s[i];
		w = w << 8 | (unsigned char)s[i];
	}
	return w | (MP_EACH_BYTE('a') << 8 * len);
}

/* Copy a text without checking; a short text is copied without a call. Returns the end. */
static inline char *mp_copy_text(char *dst, const char *s, size_t len)
{
	uint64_t first[2], last[2];

	if (len > 32) {
		memcpy(dst, s, len);
	} else if (len >= 16) {
		memcpy(first, s, 16);
		memcpy(last, s + len - 16, 16);
		memcpy(dst, first, 16);
		memcpy(dst + len - 16, last, 16);
	} else if (len >= 8) {
		memcpy(first, s, 8);
		memcpy(last, s + len - 8, 8);
		memcpy(dst, first, 8);
		memcpy(dst + len - 8, last, 8);
	} else {
		mp_copy_few(dst, s, len);
	}
	return dst + len;
}

/*
 * Copy a text and return whether the text is plain; with `tabs` a tab is plain. Discard the copy when the result is
 * false.
 */
static inline bool mp_plain_copy(char *dst, const char *s, size_t len, char other, bool tabs)
{
	uint64_t w, odd = 0;
	size_t left = len;

	for (; left >= 8; left -= 8, s += 8, dst += 8) {
		memcpy(&w, s, 8);
		memcpy(dst, &w, 8);
		odd |= mp_not_plain(tabs ? mp_without_tabs(w) : w, other);
	}
	if (left) {
		if (len > 8) { /* the last eight bytes, which overlap */
			memcpy(&w, s + left - 8, 8);
			memcpy(dst + left - 8, &w, 8);
		} else {
			w = mp_copy_few(dst, s, left);
		}
		odd |= mp_not_plain(tabs ? mp_without_tabs(w) : w, other);
	}
	return !odd;
}

/*
 * ---- the lines of an ini file: "[section]" and "key = value" ----
 *
 *	struct mp_ini ini = mp_ini_begin(text, len);
 *	while ((kind = mp_ini_next(&ini)) != MP_INI_END)
 *		... ini.line, ini.name, ini.value
 *
 * A value is the rest of its line without blanks around it, because a password may contain any character. Lines that
 * are empty or begin with '#' or ';' are skipped, and so is a byte order mark. Nothing is copied: name and value lie in
 * the text, which the caller owns, and do not end with a NUL.
 */

enum mp_ini_kind {
	MP_INI_END,
	MP_INI_SECTION, /* name: what is between the brackets; value: empty */
	MP_INI_PAIR,    /* name, value */
	MP_INI_OTHER,   /* a line of another form; name: the line */
	MP_INI_NUL      /* a line with a NUL byte */
};

struct mp_ini {
	int line; /* from 1 */
	const char *name, *value;
	size_t name_len, value_len;
	const char *at, *end;
};

struct mp_ini mp_ini_begin(const char *text, size_t len);

enum mp_ini_kind mp_ini_next(struct mp_ini *ini);

#endif

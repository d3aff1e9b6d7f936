/*
 * plain.h: copies texts and checks, eight bytes at a time, that no output format must escape them.
 *
 * A plain text is printable ASCII without '"' and without one further character that the format escapes. No state, no
 * allocation; any thread.
 */
#ifndef MP_BASE_PLAIN_H
#define MP_BASE_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

#endif

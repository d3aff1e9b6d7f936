/* recode.c: the text of a reference as UTF-8: spreadsheets save UTF-16 with a mark, and tools in China GBK. */
#include <iconv.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "learn/reference_internal.h"

enum { UTF8_OF_UNIT = 3 }; /* the most bytes that two bytes of either encoding become */

static size_t put_utf8(char *out, uint32_t c)
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 63));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xe0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 63));
		out[2] = (char)(0x80 | (c & 63));
		return 3;
	}
	out[0] = (char)(0xf0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 63));
	out[2] = (char)(0x80 | (c >> 6 & 63));
	out[3] = (char)(0x80 | (c & 63));
	return 4;
}

/* Write UTF-16 behind its mark as UTF-8; `low` is the place of the low byte. Returns the bytes, or 0 where it is
 * damaged. */
static size_t from_utf16(char *out, const unsigned char *text, size_t size, size_t low)
{
	size_t used = 0;

	for (size_t i = 2; i + 1 < size; i += 2) {
		uint32_t c = text[i + low] | (uint32_t)text[i + 1 - low] << 8, second = 0;

		if (c >= 0xd800 && c < 0xdc00 && i + 3 < size)
			second = text[i + 2 + low] | (uint32_t)text[i + 3 - low] << 8;
		if (c >= 0xd800 && c < 0xe000) {
			if (second < 0xdc00 || second > 0xdfff)
				return 0;
			c = 0x10000 + ((c - 0xd800) << 10) + (second - 0xdc00);
			i += 2;
		}
		used += put_utf8(out + used, c);
	}
	return size % 2 ? 0 : used;
}

static size_t from_gbk(char *out, size_t room, char *text, size_t size, iconv_t gbk)
{
	char *to = out;

	iconv(gbk, NULL, NULL, NULL, NULL);
	return iconv(gbk, &text, &size, &to, &room) == (size_t)-1 || size ? 0 : (size_t)(to - out);
}

int mp_recode(struct mp_reading *r, size_t *size, struct mp_error *err)
{
	char *text = r->table.text, *out;
	const unsigned char *bytes = (const unsigned char *)text;
	const bool is_utf16 =
	    *size >= 2 && ((bytes[0] == 0xff && bytes[1] == 0xfe) || (bytes[0] == 0xfe && bytes[1] == 0xff));
	const size_t room = (*size / 2 + 1) * UTF8_OF_UNIT;
	size_t used;

	if (!is_utf16 && (r->gbk == (iconv_t)-1 || mp_utf8_valid(text, *size)))
		return 0;
	out = malloc(room + 1);
	if (!out)
		return mp_fail_memory(err, "references");
	used = is_utf16 ? from_utf16(out, bytes, *size, bytes[0] == 0xfe) : from_gbk(out, room, text, *size, r->gbk);
	if (!used) { /* bytes that are neither stay as they are: numbers need no encoding */
		free(out);
		return is_utf16 ? mp_fail(err, "it is cut or damaged UTF-16") : 0;
	}
	out[used] = '\0';
	free(text);
	r->table.text = out;
	*size = used;
	return 0;
}

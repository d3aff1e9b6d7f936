/* charset.c: converts UTF-8 to the characters of a terminal whose locale names others, such as zh_CN.GBK. */
#include <iconv.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "table.h"
#include "terminal.h"

#ifdef MSPROF_WITHOUT_SSH /* a program for boards has no tables of character sets beside it */
void charset_begin(const char *locale)
{
	(void)locale;
}

bool charset_is_open(void)
{
	return false;
}

void charset_out(struct mp_out *out)
{
	(void)out;
}

void charset_text(char *dst, size_t size, const char *text)
{
	snprintf(dst, size, "%s", text);
}
#else

enum { CHARACTER_MAX = 4, CONVERTED_MAX = 16 };

#define NONE ((iconv_t)-1)

static iconv_t converter = NONE;

/* The beginning of a character that the last piece of the converted output cut. */
static struct {
	char bytes[CHARACTER_MAX];
	size_t count;
} cut;

void charset_begin(const char *locale)
{
	const char *dot = strchr(locale, '.');
	char name[64];

	if (!dot)
		return;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(dot + 1, "@"), dot + 1);
	converter = iconv_open(name, "UTF-8");
}

void charset_end(void)
{
	if (charset_is_open())
		iconv_close(converter);
	converter = NONE;
}

bool charset_is_open(void)
{
	return converter != NONE;
}

/* Convert one character. One that the terminal lacks becomes as many '?' as it has columns. Returns the bytes. */
static size_t convert(const char *character, size_t len, char to[CONVERTED_MAX])
{
	char one[CHARACTER_MAX + 1] = "", *in = one, *out = to;
	size_t left = len, room = CONVERTED_MAX;

	memcpy(one, character, len);
	if (iconv(converter, &in, &left, &out, &room) == 0)
		return CONVERTED_MAX - room;
	iconv(converter, NULL, NULL, NULL, NULL); /* begin anew */
	room = (size_t)table_extent_of(one, "").line;
	memset(to, '?', room);
	return room;
}

/* The length of the UTF-8 character that begins with this byte. */
static size_t length_of(unsigned char first)
{
	return first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

static int pass(struct mp_out_filter *f, const char *bytes, size_t size, bool last, mp_out_put *put, struct mp_out *out)
{
	char to[CONVERTED_MAX];
	size_t plain;

	(void)f;
	for (size_t i = 0; i < size; i += plain) {
		for (plain = 0; !cut.count && i + plain < size && (unsigned char)bytes[i + plain] < 0x80; plain++)
			;
		if (plain) {
			put(out, bytes + i, plain);
			continue;
		}
		plain = 1;
		cut.bytes[cut.count++] = bytes[i];
		if (cut.count < length_of((unsigned char)cut.bytes[0]))
			continue;
		put(out, to, convert(cut.bytes, cut.count, to));
		cut.count = 0;
	}
	if (last)
		cut.count = 0;
	return 0;
}

static void forget(struct mp_out_filter *f)
{
	(void)f;
	cut.count = 0;
}

void charset_out(struct mp_out *out)
{
	static struct mp_out_filter filter = {pass, forget, forget};

	if (charset_is_open())
		mp_out_through(out, &filter);
}

void charset_text(char *dst, size_t size, const char *text)
{
	const size_t len = strlen(text);
	size_t used = 0;

	for (size_t i = 0, step; i < len; i += step) {
		char to[CONVERTED_MAX] = {text[i]};
		size_t bytes = 1;
		int32_t cp;

		step = mp_utf8_next(text + i, len - i, &cp);
		if (charset_is_open() && step > 1)
			bytes = convert(text + i, step, to);
		else
			memcpy(to, text + i, bytes = step);
		if (used + bytes >= size)
			break;
		memcpy(dst + used, to, bytes);
		used += bytes;
	}
	dst[used] = '\0';
}
#endif

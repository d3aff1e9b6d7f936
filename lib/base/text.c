/*
 * text.c: decodes UTF-8 strictly, makes foreign strings safe to show, and splits ini files. Knows no terminal, no
 * locale, no meaning of a string and no key.
 */
#include "base/text.h"

#include <stdbool.h>
#include <string.h>

#include "base/value.h"

/* Decode a first byte: the length, its payload bits, and the least code point that needs this length. */
static size_t utf8_lead(unsigned char byte, int32_t *bits, int32_t *least)
{
	if (byte >= 0xc2 && byte <= 0xdf) {
		*bits = byte & 0x1f;
		*least = 0x80;
		return 2;
	}
	if (byte >= 0xe0 && byte <= 0xef) {
		*bits = byte & 0x0f;
		*least = 0x800;
		return 3;
	}
	if (byte >= 0xf0 && byte <= 0xf4) {
		*bits = byte & 0x07;
		*least = 0x10000;
		return 4;
	}
	return 0;
}

size_t mp_utf8_next(const char *s, size_t len, int32_t *cp)
{
	int32_t value = (unsigned char)s[0];
	int32_t least;
	size_t size;

	*cp = value;
	if (value < 0x80)
		return 1;
	*cp = -1;
	size = utf8_lead((unsigned char)s[0], &value, &least);
	if (size == 0 || size > len)
		return 1;
	for (size_t i = 1; i < size; i++) {
		unsigned char byte = (unsigned char)s[i];

		if ((byte & 0xc0) != 0x80)
			return 1;
		value = value << 6 | (byte & 0x3f);
	}
	/* Overlong forms and surrogates would let one character pass for another. */
	if (value < least || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
		return 1;
	*cp = value;
	return size;
}

bool mp_utf8_valid(const char *s, size_t len)
{
	size_t i = 0;

	while (i < len) {
		uint64_t word;
		int32_t cp;

		if (len - i >= sizeof(word)) { /* nearly all names are ASCII */
			memcpy(&word, s + i, sizeof(word));
			if (!(word & UINT64_C(0x8080808080808080))) {
				i += sizeof(word);
				continue;
			}
		}
		i += mp_utf8_next(s + i, len - i, &cp);
		if (cp < 0)
			return false;
	}
	return true;
}

bool mp_is_control(int32_t cp)
{
	if (cp < 0x20 || (cp >= 0x7f && cp <= 0x9f))
		return true;
	/* These characters make a terminal show text in another order than it is stored. */
	return (cp >= 0x202a && cp <= 0x202e) || (cp >= 0x2066 && cp <= 0x2069);
}

bool mp_has_control(const char *s, size_t len)
{
	size_t i = 0;

	while (i < len) {
		int32_t cp;

		i += mp_utf8_next(s + i, len - i, &cp);
		if (mp_is_control(cp))
			return true;
	}
	return false;
}

unsigned mp_text_marks(const char *s, size_t len)
{
	unsigned marks = MP_MARK_PLAIN;

	for (size_t i = 0; i < len && marks; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c == '\t' || c == '\\')
			marks &= ~(unsigned)MP_MARK_JSON;
		else if (c == ',')
			marks &= ~(unsigned)MP_MARK_CSV;
		else if (c < 0x20 || c >= 0x7f || c == '"')
			marks = 0;
	}
	return marks;
}

/* Write every byte of s as \xNN, without loss: 4 * len characters. */
static void escape_bytes(char *dst, const char *s, size_t len)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < len; i++) {
		unsigned char byte = (unsigned char)s[i];

		*dst++ = '\\';
		*dst++ = 'x';
		*dst++ = digits[byte >> 4];
		*dst++ = digits[byte & 15];
	}
}

size_t mp_sanitise(char *dst, size_t size, const char *s, size_t len)
{
	size_t used = 0;
	size_t i = 0;

	while (i < len) {
		int32_t cp;
		size_t step = mp_utf8_next(s + i, len - i, &cp);
		/* An invalid byte decodes to -1, which counts as a control character. */
		bool escaped = mp_is_control(cp);
		size_t need = escaped ? 4 * step : step;

		if (need >= size - used)
			break;
		if (escaped)
			escape_bytes(dst + used, s + i, step);
		else
			memcpy(dst + used, s + i, step);
		used += need;
		i += step;
	}
	dst[used] = '\0';
	return used;
}

size_t mp_cut(const char *s, size_t most)
{
	size_t len = strnlen(s, most + 1);

	if (len <= most)
		return len;
	len = most;
	while (len && ((unsigned char)s[len] & 0xc0) == 0x80) /* s[len] continues a code point that began before */
		len--;
	return len;
}

/* ---- ini files ---- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void trim(const char **text, size_t *len)
{
	while (*len && is_blank((*text)[*len - 1]))
		--*len;
	while (*len && is_blank(**text)) {
		++*text;
		--*len;
	}
}

struct mp_ini mp_ini_begin(const char *text, size_t len)
{
	struct mp_ini ini = {.at = text, .end = text + len};

	if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) /* a byte order mark of Windows */
		ini.at += 3;
	return ini;
}

/* Sort out one trimmed line, which is not empty. */
static enum mp_ini_kind split(struct mp_ini *ini, const char *line, size_t len)
{
	const char *equals = memchr(line, '=', len);

	ini->name = line;
	ini->name_len = len;
	ini->value = line + len;
	ini->value_len = 0;
	if (len >= 2 && line[0] == '[' && line[len - 1] == ']') {
		ini->name++;
		ini->name_len -= 2;
		return MP_INI_SECTION;
	}
	if (!equals || line[0] == '[')
		return MP_INI_OTHER;
	ini->name_len = (size_t)(equals - line);
	ini->value = equals + 1;
	ini->value_len = len - ini->name_len - 1;
	trim(&ini->name, &ini->name_len);
	trim(&ini->value, &ini->value_len);
	return MP_INI_PAIR;
}

enum mp_ini_kind mp_ini_next(struct mp_ini *ini)
{
	while (ini->at < ini->end) {
		const char *stop = memchr(ini->at, '\n', (size_t)(ini->end - ini->at));
		const char *line = ini->at;
		size_t len = (size_t)((stop ? stop : ini->end) - line);

		ini->at = stop ? stop + 1 : ini->end;
		ini->line++;
		if (memchr(line, '\0', len))
			return MP_INI_NUL;
		trim(&line, &len);
		if (len && *line != '#' && *line != ';')
			return split(ini, line, len);
	}
	return MP_INI_END;
}

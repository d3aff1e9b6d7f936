/* layout_words.c: splits a layout line into words. Knows no keyword. */
#include "raw/layout_words.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

void mp_layout_words_error(struct mp_layout_words *p, const char *reason, int index)
{
	if (index < 0)
		mp_error_set(p->err, "%s:%d: %s", p->origin, p->line, reason);
	else
		mp_error_set(p->err, "%s:%d: %s '%.*s'", p->origin, p->line, reason,
		    (int)(p->words[index].len < 60 ? p->words[index].len : 60), p->words[index].text);
}

bool mp_layout_words_is(const struct mp_layout_words *p, int index, const char *text)
{
	return index < p->count && p->words[index].len == strlen(text) &&
	       memcmp(p->words[index].text, text, p->words[index].len) == 0;
}

int mp_layout_words_choose(const struct mp_layout_words *p, int index, const char *const *words)
{
	for (int i = 0; words[i]; i++)
		if (mp_layout_words_is(p, index, words[i]))
			return i;
	return -1;
}

bool mp_layout_words_strip(struct mp_layout_words *p, int index, const char *prefix)
{
	struct mp_word *w = &p->words[index];
	size_t len = strlen(prefix);

	if (index >= p->count || w->len <= len || memcmp(w->text, prefix, len) != 0)
		return false;
	w->text += len;
	w->len -= len;
	return true;
}

bool mp_layout_words_copy(const struct mp_layout_words *p, int index, char text[MP_NAME_SIZE])
{
	const struct mp_word *w = &p->words[index];

	if (index >= p->count || !w->len || w->len >= MP_NAME_SIZE)
		return false;
	memcpy(text, w->text, w->len);
	text[w->len] = '\0';
	return true;
}

int mp_layout_words_number(struct mp_layout_words *p, int index, uint64_t max, uint64_t *value)
{
	char digits[32];
	char *end;
	const struct mp_word *w = &p->words[index];

	if (index >= p->count)
		return mp_layout_words_refuse(p, "number missing");
	if (w->len >= sizeof(digits) || !isdigit((unsigned char)w->text[0]))
		return mp_layout_words_refuse_at(p, "not a number:", index);
	memcpy(digits, w->text, w->len);
	digits[w->len] = '\0';
	errno = 0;
	*value = strtoull(digits, &end, strncmp(digits, "0x", 2) == 0 ? 16 : 10);
	if (*end)
		return mp_layout_words_refuse_at(p, "not a number:", index);
	if (errno || *value > max)
		return mp_layout_words_refuse_at(p, "number too large:", index);
	return 0;
}

int mp_layout_words_offset(struct mp_layout_words *p, int index, size_t *offset)
{
	uint64_t v;

	if (!mp_layout_words_strip(p, index, "@"))
		return mp_layout_words_refuse(p, "an offset such as @16 is missing");
	if (mp_layout_words_number(p, index, MP_RECORD_SIZE_MAX, &v))
		return -1;
	*offset = (size_t)v;
	return 0;
}

int mp_layout_words_name(struct mp_layout_words *p, int index, char name[MP_NAME_SIZE])
{
	const struct mp_word *w = &p->words[index];

	if (index >= p->count)
		return mp_layout_words_refuse(p, "name missing");
	if (!mp_layout_words_copy(p, index, name))
		return mp_layout_words_refuse_at(p, "name empty or longer than 31 characters:", index);
	for (size_t i = 0; i < w->len; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789_.", w->text[i]))
			return mp_layout_words_refuse_at(
			    p, "a name may only have lower-case letters, digits, '_' and '.':", index);
	return 0;
}

int mp_layout_words_type(struct mp_layout_words *p, int index, struct mp_field *f)
{
	static const struct {
		const char *name;
		size_t width;
		unsigned char kind;
	} types[] = {{"u8", 1, MP_FIELD_UINT}, {"u16", 2, MP_FIELD_UINT}, {"u32", 4, MP_FIELD_UINT},
	    {"u64", 8, MP_FIELD_UINT}, {"i8", 1, MP_FIELD_SINT}, {"i16", 2, MP_FIELD_SINT}, {"i32", 4, MP_FIELD_SINT},
	    {"i64", 8, MP_FIELD_SINT}, {"hash", 8, MP_FIELD_HASH}};
	const char *text;
	unsigned length;
	int end = 0;

	if (index >= p->count)
		return mp_layout_words_refuse(p, "type missing");
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (!mp_layout_words_is(p, index, types[i].name))
			continue;
		f->kind = types[i].kind;
		f->width = types[i].width;
		f->mask = f->width == 8 ? UINT64_MAX : (UINT64_C(1) << (f->width * 8)) - 1;
		return 0;
	}
	text = p->words[index].text;
	f->kind = text[0] == 'b' ? MP_FIELD_BYTES : text[0] == 'm' ? MP_FIELD_MIXED : MP_FIELD_CHARS;
	if ((sscanf(text, "char[%4u]%n", &length, &end) == 1 || sscanf(text, "bytes[%4u]%n", &length, &end) == 1 ||
		sscanf(text, "mixed[%4u]%n", &length, &end) == 1) &&
	    (size_t)end == p->words[index].len && length >= (f->kind == MP_FIELD_MIXED ? 16 : 1) &&
	    length <= MP_RECORD_SIZE_MAX) {
		f->width = length;
		return 0;
	}
	return mp_layout_words_refuse_at(
	    p, "not a type (u8 u16 u32 u64 i8 i16 i32 i64 hash char[N] bytes[N] mixed[N]):", index);
}

int mp_layout_words_unsigned(struct mp_layout_words *p, int index, int *field)
{
	char name[MP_NAME_SIZE];

	if (mp_layout_words_name(p, index, name))
		return -1;
	*field = mp_layout_field(p->layout, name);
	if (*field < 0 || p->layout->fields[*field].kind != MP_FIELD_UINT)
		return mp_layout_words_refuse_at(p, "unknown unsigned field:", index);
	return 0;
}

int mp_layout_words_after(struct mp_layout_words *p, int index, const char *prefix, uint64_t max, uint64_t *value)
{
	if (!mp_layout_words_strip(p, index, prefix))
		return mp_fail(p->err, "%s:%d: expected %sN", p->origin, p->line, prefix);
	if (mp_layout_words_number(p, index, max, value))
		return -1;
	return *value ? 0 : mp_layout_words_refuse(p, "a number is 0");
}

int mp_layout_words_unit(struct mp_layout_words *p, int index, enum mp_unit *unit)
{
	static const char *const names[] = {"unit=ns", "unit=us", "unit=tick100", "unit=counter", "unit=host", NULL};
	const int chosen = mp_layout_words_choose(p, index, names);

	if (chosen < 0)
		return mp_layout_words_refuse(p, "expected unit=ns, unit=us, unit=tick100, unit=counter or unit=host");
	*unit = (enum mp_unit)chosen;
	return 0;
}

/* Move to the end of a word; quotes within it hold blanks. Returns -1 when such a quote is not closed. */
static int word_end(const char *s, size_t len, size_t *at, bool quoted)
{
	for (bool within = quoted; *at < len && (within || !strchr(" \t\r#", s[*at])); ++*at) {
		if (s[*at] == '"' && quoted)
			break;
		within = within != (s[*at] == '"');
		if (within && *at + 1 == len)
			return -1;
	}
	return 0;
}

int mp_layout_words_split(struct mp_layout_words *p, const char *s, size_t len)
{
	size_t at = 0;

	p->count = 0;
	while (at < len) {
		struct mp_word *w = &p->words[p->count];
		size_t start;

		while (at < len && (s[at] == ' ' || s[at] == '\t' || s[at] == '\r'))
			at++;
		if (at == len || s[at] == '#')
			break;
		if (p->count == MP_WORD_MAX)
			return mp_layout_words_refuse(p, "too many words");
		w->quoted = s[at] == '"';
		start = w->quoted ? ++at : at;
		if (word_end(s, len, &at, w->quoted))
			return mp_layout_words_refuse(p, "quote is not closed");
		if (w->quoted && at == len)
			return mp_layout_words_refuse(p, "quote is not closed");
		w->text = s + start;
		w->len = at - start;
		if (!mp_utf8_valid(w->text, w->len)) /* words become texts of the database */
			return mp_layout_words_refuse(p, "not UTF-8");
		at += w->quoted;
		p->count++;
	}
	return 0;
}

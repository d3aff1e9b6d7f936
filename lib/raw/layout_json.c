/* layout_json.c: parses the statements that say which values of a JSON object are columns. */
#include "raw/layout_words.h"

#include <stdio.h>
#include <string.h>

/* Add a key to a path of SQLite. */
static bool add_key(char path[MP_PATH_SIZE], const char *key, size_t len)
{
	size_t used = strlen(path);

	if (!len || used + len + 4 > MP_PATH_SIZE || memchr(key, '"', len))
		return false;
	snprintf(path + used, MP_PATH_SIZE - used, ".\"%.*s\"", (int)len, key);
	return true;
}

/* "[N]" at s: returns its length, or 0. */
static size_t add_index(char path[MP_PATH_SIZE], const char *s, size_t len)
{
	size_t used = strlen(path), digits = 0;

	while (1 + digits < len && s[1 + digits] >= '0' && s[1 + digits] <= '9')
		digits++;
	if (!digits || digits > 6 || 1 + digits >= len || s[1 + digits] != ']' || used + digits + 3 > MP_PATH_SIZE)
		return 0;
	snprintf(path + used, MP_PATH_SIZE - used, "[%.*s]", (int)digits, s + 1);
	return digits + 2;
}

/* Keys separated by '.', "[N]" for an index; a key with other characters is in quotes. */
static bool parse_path(const char *s, size_t len, char path[MP_PATH_SIZE])
{
	size_t at = 0;

	snprintf(path, MP_PATH_SIZE, "$");
	while (at < len) {
		const char *end;
		size_t n;

		if (s[at] == '[') {
			n = add_index(path, s + at, len - at);
			at += n;
			if (!n)
				return false;
			continue;
		}
		at += at && s[at] == '.';
		end = at < len && s[at] == '"' ? memchr(s + at + 1, '"', len - at - 1) : NULL;
		if (end) {
			if (!add_key(path, s + at + 1, (size_t)(end - s) - at - 1))
				return false;
			at = (size_t)(end - s) + 1;
			if (at < len && s[at] != '.' && s[at] != '[')
				return false;
			continue;
		}
		for (n = 0; at + n < len && s[at + n] != '.' && s[at + n] != '['; n++)
			;
		if (!add_key(path, s + at, n))
			return false;
		at += n;
	}
	return true;
}

/* The path at a word; a word in quotes is one key. */
static int word_path(struct mp_layout_words *p, int index, size_t skip, char path[MP_PATH_SIZE])
{
	const struct mp_word *w = &p->words[index];
	bool good;

	snprintf(path, MP_PATH_SIZE, "$");
	good = index < p->count &&
	       (w->quoted ? add_key(path, w->text, w->len) : parse_path(w->text + skip, w->len - skip, path));
	return good ? 0 : mp_layout_words_refuse(p, "expected a path: keys separated by '.', [N] for an index");
}

/* "value COLUMN PATH" */
int mp_layout_key_json_value(struct mp_layout_words *p)
{
	struct mp_layout *l = p->layout;
	struct mp_json_value v = {.kind = MP_JSON_ROOT};
	const struct mp_word *w = &p->words[2];

	if (l->value_count == MP_JSON_VALUE_MAX)
		return mp_layout_words_refuse(p, "too many values");
	if (mp_layout_words_name(p, 1, v.name))
		return -1;
	for (int i = 0; i < l->value_count; i++)
		if (strcmp(l->values[i].name, v.name) == 0)
			return mp_layout_words_refuse(p, "column defined twice");
	if (mp_layout_words_is(p, 2, "#"))
		v.kind = MP_JSON_KEY;
	else if (p->count > 2 && !w->quoted && w->text[0] == '.')
		v.kind = MP_JSON_ELEMENT;
	if (v.kind != MP_JSON_KEY && word_path(p, 2, v.kind == MP_JSON_ELEMENT, v.path))
		return -1;
	if (p->count > 3)
		return mp_layout_words_refuse_at(p, "unexpected", 3);
	if (v.kind == MP_JSON_ELEMENT && !l->has_each)
		return mp_layout_words_refuse(p, "a path that begins with '.' needs 'each' before it");
	l->values[l->value_count++] = v;
	return 0;
}

/* "each PATH", or "each ." for the object itself */
int mp_layout_key_each(struct mp_layout_words *p)
{
	if (p->layout->has_each || p->layout->is_zip)
		return mp_layout_words_refuse(p, "each or zip is given twice");
	p->layout->has_each = true;
	if (mp_layout_words_is(p, 1, ".") && !p->words[1].quoted) {
		snprintf(p->layout->each, MP_PATH_SIZE, "$");
		return 0;
	}
	return word_path(p, 1, 0, p->layout->each);
}

int mp_layout_key_zip(struct mp_layout_words *p)
{
	if (p->layout->has_each || p->layout->is_zip)
		return mp_layout_words_refuse(p, "each or zip is given twice");
	p->layout->is_zip = true;
	return 0;
}

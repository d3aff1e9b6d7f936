/* json_tree.c: builds a tree from a text that json_check.c has checked, so that nothing is checked twice. */
#include "base/json_tree.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_check.h"

struct build {
	const char *at, *end;
	struct mp_json_node *node; /* the next free node */
	char *text;                /* room for the next text; no text is longer than its JSON */
};

static void skip_blanks(struct build *b)
{
	while (b->at < b->end && (*b->at == ' ' || *b->at == '\t' || *b->at == '\n' || *b->at == '\r'))
		b->at++;
}

/* Take the digits of "\uXXXX". */
static uint32_t take_hex(struct build *b)
{
	char digits[5] = {0};

	memcpy(digits, b->at + 2, 4);
	b->at += 6;
	return (uint32_t)strtoul(digits, NULL, 16);
}

/* Take one or two escapes of UTF-16 as UTF-8. Returns whether surrogates are pairs. */
static bool take_unicode(struct build *b)
{
	uint32_t c = take_hex(b), low = 0;

	if (c >= 0xd800 && c < 0xe000) {
		if (c < 0xdc00 && b->at[0] == '\\' && b->at[1] == 'u')
			low = take_hex(b);
		if (low < 0xdc00 || low >= 0xe000)
			return false;
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
	}
	if (c < 0x80) {
		*b->text++ = (char)c;
		return true;
	}
	if (c >= 0x10000)
		*b->text++ = (char)(0xf0 | c >> 18);
	if (c >= 0x800)
		*b->text++ = (char)(c >= 0x10000 ? 0x80 | (c >> 12 & 0x3f) : 0xe0 | c >> 12);
	*b->text++ = (char)(c >= 0x800 ? 0x80 | (c >> 6 & 0x3f) : 0xc0 | c >> 6);
	*b->text++ = (char)(0x80 | (c & 0x3f));
	return true;
}

/* Take a string. NULL when it has half a surrogate pair, with b->at behind it. */
static const char *take_string(struct build *b)
{
	static const char escapes[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
	const char *text = b->text;

	for (b->at++; *b->at != '"';) {
		if (*b->at != '\\') {
			*b->text++ = *b->at++;
		} else if (b->at[1] == 'u') {
			if (!take_unicode(b))
				return NULL;
		} else {
			*b->text++ = meanings[strchr(escapes, b->at[1]) - escapes];
			b->at += 2;
		}
	}
	b->at++;
	*b->text++ = '\0';
	return text;
}

/* A separator, or the end of the text, follows a number: there is room for the NUL. */
static const char *take_number(struct build *b)
{
	const char *text = b->text;

	while (b->at < b->end && *b->at && strchr("+-.0123456789Ee", *b->at))
		*b->text++ = *b->at++;
	*b->text++ = '\0';
	return text;
}

static bool take_value(struct build *b, struct mp_json_node *node);

static bool take_items(struct build *b, struct mp_json_node *parent)
{
	const struct mp_json_node **link = &parent->child;
	char close = parent->type == MP_JSON_OBJECT ? '}' : ']';

	b->at++;
	skip_blanks(b);
	while (*b->at != close) {
		struct mp_json_node *item = b->node++;

		if (close == '}') {
			item->key = take_string(b);
			if (!item->key)
				return false;
			skip_blanks(b);
			b->at++; /* the colon */
			skip_blanks(b);
		}
		if (!take_value(b, item))
			return false;
		*link = item;
		link = &item->next;
		parent->count++;
		skip_blanks(b);
		b->at += *b->at == ',';
		skip_blanks(b);
	}
	b->at++;
	return true;
}

static bool take_value(struct build *b, struct mp_json_node *node)
{
	switch (*b->at) {
	case '{':
	case '[':
		node->type = *b->at == '{' ? MP_JSON_OBJECT : MP_JSON_ARRAY;
		return take_items(b, node);
	case '"':
		node->type = MP_JSON_TEXT;
		node->text = take_string(b);
		return node->text != NULL;
	case 't':
	case 'f':
		node->type = MP_JSON_BOOL;
		node->is_true = *b->at == 't';
		b->at += node->is_true ? 4 : 5;
		return true;
	case 'n':
		b->at += 4;
		return true;
	default:
		node->type = MP_JSON_NUMBER;
		node->text = take_number(b);
		return true;
	}
}

struct mp_json_node *mp_json_tree(const char *s, size_t len, const char **fault)
{
	size_t count = mp_json_count(s, len, fault);
	struct mp_json_node *root;
	struct build b;

	if (!count)
		return NULL;
	*fault = NULL;
	if (count > (SIZE_MAX - len - 1) / sizeof(*root))
		return NULL;
	root = calloc(1, count * sizeof(*root) + len + 1);
	if (!root)
		return NULL;
	b = (struct build){s, s + len, root + 1, (char *)(root + count)};
	skip_blanks(&b);
	if (take_value(&b, root))
		return root;
	*fault = b.at;
	free(root);
	return NULL;
}

void mp_json_tree_free(struct mp_json_node *root)
{
	free(root);
}

bool mp_json_is(const struct mp_json_node *node, enum mp_json_type type)
{
	return node && node->type == type;
}

const struct mp_json_node *mp_json_first(const struct mp_json_node *node)
{
	return node ? node->child : NULL;
}

size_t mp_json_size(const struct mp_json_node *node)
{
	return node ? node->count : 0;
}

const struct mp_json_node *mp_json_member(const struct mp_json_node *object, const char *key)
{
	const struct mp_json_node *node = mp_json_is(object, MP_JSON_OBJECT) ? object->child : NULL;

	while (node && strcmp(node->key, key) != 0)
		node = node->next;
	return node;
}

const struct mp_json_node *mp_json_item(const struct mp_json_node *array, size_t at)
{
	const struct mp_json_node *node = mp_json_is(array, MP_JSON_ARRAY) ? array->child : NULL;

	for (; node && at; at--)
		node = node->next;
	return node;
}

const char *mp_json_text(const struct mp_json_node *node)
{
	return mp_json_is(node, MP_JSON_TEXT) ? node->text : NULL;
}

/* Applications may have a locale with another decimal point; that of C is constant, and costs nothing. */
double mp_json_number(const struct mp_json_node *node)
{
	locale_t plain, before;
	double value;

	if (!mp_json_is(node, MP_JSON_NUMBER))
		return NAN;
	plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	before = uselocale(plain);
	value = strtod(node->text, NULL);
	uselocale(before);
	if (plain)
		freelocale(plain);
	return value;
}

/* json_items.c: finds where items begin and end, byte by byte; cJSON parses each. */
#include "base/json.h"

#include <stdlib.h>
#include <string.h>

#include "base/door.h"

/* A member before the array may be longer than an item, but no file is read to its end for one value. */
enum { WINDOW = 1 << 16, LEVELS_MAX = 100, VALUE_MAX = 1 << 20 };

enum state { BEFORE, WITHIN, WHOLE, BROKEN };

struct mp_json_items {
	int fd;
	enum state state;
	off_t at;         /* of the file, behind the window */
	size_t pos, size; /* in the window */
	size_t len;       /* of the value that was taken last; one more than fits: it is longer */
	size_t seen;      /* all bytes of it */
	int last;         /* its last byte */
	char window[WINDOW], value[MP_JSON_ITEM_MAX + 1];
};

int mp_json_items_begin(struct mp_json_items **items, int fd, struct mp_error *err)
{
	struct mp_json_items *r = *items = malloc(sizeof(*r));

	if (!r)
		return mp_fail_memory(err, "JSON");
	r->fd = fd;
	r->state = BEFORE;
	r->at = 0;
	r->pos = r->size = r->len = r->seen = 0;
	r->last = 0;
	return 0;
}

void mp_json_items_free(struct mp_json_items *items)
{
	free(items);
}

bool mp_json_items_whole(const struct mp_json_items *items)
{
	return items->state == WHOLE;
}

/* The next byte, which is not taken; -1 at the end. */
static int peek(struct mp_json_items *r)
{
	if (r->pos == r->size) {
		const ssize_t n = mp_file_read(r->fd, r->window, WINDOW, r->at);

		if (n <= 0)
			return -1;
		r->at += n;
		r->size = (size_t)n;
		r->pos = 0;
	}
	return (unsigned char)r->window[r->pos];
}

/* The next byte that is no blank, which is not taken; -1 at the end. */
static int peek_word(struct mp_json_items *r)
{
	int c;

	while ((c = peek(r)) == ' ' || c == '\t' || c == '\n' || c == '\r')
		r->pos++;
	return c;
}

/* Take a byte into the value. */
static void take(struct mp_json_items *r, int c)
{
	if (r->len <= MP_JSON_ITEM_MAX)
		r->value[r->len++] = (char)c;
	r->last = c;
	r->seen++;
	r->pos++;
}

/* Take a string. Returns false where the file ends within it, or where it is too long. */
static bool take_string(struct mp_json_items *r)
{
	int c;

	take(r, '"');
	while (r->seen <= VALUE_MAX && (c = peek(r)) >= 0) {
		take(r, c);
		if (c == '"')
			return true;
		if (c == '\\' && (c = peek(r)) >= 0)
			take(r, c);
	}
	return false;
}

/* Take a value of any kind, by its quotes and brackets alone. Returns false where the file ends within it, or where it
 * is too long. */
static bool take_value(struct mp_json_items *r)
{
	int c = peek_word(r), depth = 0;

	for (r->len = r->seen = 0; c >= 0 && depth <= LEVELS_MAX && r->seen <= VALUE_MAX; c = peek(r)) {
		if (depth == 0 && r->len && strchr(",:]} \t\r\n", c))
			return true;
		if (c == '"') {
			if (!take_string(r))
				return false;
		} else {
			depth += (c == '{' || c == '[') - (c == '}' || c == ']');
			take(r, c);
		}
		if (depth == 0 && r->len && strchr("\"}]", r->last))
			return true;
	}
	return false;
}

static bool skip(struct mp_json_items *r, int wanted)
{
	const bool is = peek_word(r) == wanted;

	r->pos += is;
	return is;
}

/* Find the array. Returns whether there is one. */
static bool find_array(struct mp_json_items *r)
{
	static const char mark[] = "\xef\xbb\xbf", key[] = "\"traceEvents\"";

	for (int i = 0; i < 3 && (i || peek(r) == (unsigned char)mark[0]); i++)
		if (!skip(r, (unsigned char)mark[i]))
			return false;
	if (skip(r, '['))
		return true;
	if (!skip(r, '{'))
		return false;
	while (peek_word(r) == '"') {
		r->len = r->seen = 0;
		if (!take_string(r))
			return false;
		if (r->len == strlen(key) && memcmp(r->value, key, r->len) == 0)
			return skip(r, ':') && skip(r, '[');
		if (!skip(r, ':') || !take_value(r) || !skip(r, ','))
			return false;
	}
	return false;
}

int mp_json_items_next(struct mp_json_items *r, cJSON **item, struct mp_error *err)
{
	const bool first = r->state == BEFORE;
	const char *fault = NULL;

	*item = NULL;
	if (first)
		r->state = find_array(r) ? WITHIN : BROKEN;
	if (r->state != WITHIN)
		return 0;
	if (skip(r, ']')) {
		r->state = WHOLE;
		return 0;
	}
	r->state = BROKEN;
	if ((!first && !skip(r, ',')) || !take_value(r) || r->len > MP_JSON_ITEM_MAX)
		return 0;
	*item = mp_json_parse(r->value, r->len, &fault);
	if (!*item)
		return fault ? 0 : mp_fail_memory(err, "JSON");
	r->state = WITHIN;
	return 1;
}

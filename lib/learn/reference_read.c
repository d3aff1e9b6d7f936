/*
 * reference_read.c: the text of a reference as UTF-8, and the tables in it, in place. Knows no title.
 *
 * Spreadsheets save UTF-16 with a mark, and tools in China GBK. A table is comma- or tab-separated text by RFC 4180, or
 * an array of JSON objects. One object at a time is parsed.
 */
#include "learn/learn_internal.h"

#include <iconv.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"

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

struct csv {
	char *at, *end;
	char separator;
	size_t line; /* of the text, from 1 on */
};

/* Read a quoted text, and write it without its quotes over them. Returns the end, or NULL. */
static char *take_quoted(struct csv *c, char *out)
{
	for (c->at++; c->at < c->end; c->at++) {
		if (*c->at == '"' && (++c->at == c->end || *c->at != '"'))
			return out;
		c->line += *c->at == '\n';
		*out++ = *c->at;
	}
	return NULL;
}

/* Read a cell, and its separator, in whose place its NUL may be. *last: the row ends with it. NULL with err. */
static char *take_cell(struct csv *c, bool *last, struct mp_error *err)
{
	size_t line = c->line;
	char *begin = c->at, *out = begin;

	if (c->at < c->end && *c->at == '"' && !(out = take_quoted(c, begin))) {
		mp_error_set(err, "line %zu has a quote that is not closed", line);
		return NULL;
	}
	for (; c->at < c->end && *c->at != c->separator && *c->at != '\n'; c->at++)
		*out++ = *c->at;
	*last = c->at == c->end || *c->at == '\n';
	c->line += *last;
	if (*last && out > begin && out[-1] == '\r' && c->at[-1] == '\r')
		out--;
	c->at += c->at < c->end;
	*out = '\0';
	return begin;
}

/* Read a row. Cells that it lacks are empty; those that no title is for do not count. */
static int take_row(struct mp_reading *r, struct csv *c, size_t columns, struct mp_error *err)
{
	bool last = false;
	size_t count = 0;

	for (; !last; count++) {
		const char *cell = take_cell(c, &last, err);

		if (!cell || ((!columns || count < columns) && mp_table_add(r, cell, err)))
			return -1;
	}
	for (; count < columns; count++)
		if (mp_table_add(r, c->end, err))
			return -1;
	return columns ? 0 : mp_table_titles(r, err);
}

int mp_csv_read(struct mp_reading *r, size_t size, bool is_tsv, struct mp_error *err)
{
	char *text = r->table.text;
	struct csv c = {.at = text, .end = text + size, .line = 1};
	size_t first;

	if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		c.at += 3;
	first = strcspn(c.at, "\n");
	c.separator = is_tsv || (!memchr(c.at, ',', first) && memchr(c.at, '\t', first)) ? '\t' : ',';
	for (;;) {
		for (; *c.at == '\n' || (*c.at == '\r' && c.at[1] == '\n'); c.at++)
			c.line += *c.at == '\n';
		if (c.at == c.end)
			return r->table.columns ? 0 : mp_fail(err, "it is empty");
		if (take_row(r, &c, (size_t)r->table.column_count, err))
			return -1;
	}
}

enum { OBJECT_MAX = 1 << 20, MEMBERS_MAX = 1024 };

struct json {
	struct mp_reading *r;
	const char *at, *end;
	char *out; /* behind the texts of cells, which are shorter than the objects that they came from */
	size_t objects;
};

static void skip_blanks(struct json *j)
{
	j->at += strspn(j->at, " \t\r\n");
}

/* Pass over the object at j->at. Returns false when the text ends within it. */
static bool skip_object(struct json *j)
{
	size_t depth = 0;
	bool quoted = false;

	for (; j->at < j->end; j->at++) {
		char c = *j->at;

		if (quoted) {
			j->at += c == '\\';
			quoted = c != '"';
			continue;
		}
		quoted = c == '"';
		depth += c == '{' || c == '[';
		depth -= c == '}' || c == ']';
		if (!depth) {
			j->at++;
			return true;
		}
	}
	j->at = j->end;
	return false;
}

static int next_object(struct json *j, cJSON **object, struct mp_error *err)
{
	const char *begin, *fault = NULL;

	skip_blanks(j);
	begin = j->at;
	j->objects++;
	if (*begin != '{')
		return mp_fail(err, "its item %zu is not an object", j->objects);
	if (!skip_object(j) || j->at - begin > OBJECT_MAX)
		return mp_fail(err, "its item %zu does not end, or has more than %d bytes", j->objects, OBJECT_MAX);
	*object = mp_json_parse(begin, (size_t)(j->at - begin), &fault);
	if (*object)
		return 0;
	return fault ? mp_fail(err, "its item %zu is not correct JSON", j->objects) : mp_fail_memory(err, "references");
}

/* Write a text where the file was read. Returns false when there is no room: an object has many more texts than bytes.
 */
static bool put(struct json *j, const char *text, char end)
{
	size_t len = text ? strlen(text) : 0;

	if (len >= (size_t)(j->at - j->out))
		return false;
	memcpy(j->out, text ? text : "", len);
	j->out[len] = end;
	j->out += len + 1;
	return true;
}

/* Add a scalar, or a list with commas between its items; NULL is an empty text. */
static int add_cell(struct json *j, const cJSON *node, const char *text, struct mp_error *err)
{
	const cJSON *item = node && cJSON_IsArray(node) ? node->child : NULL;
	char *begin = j->out;
	bool has_room = item || put(j, text, '\0');

	for (; has_room && item; item = item->next)
		has_room = put(j, item->valuestring, item->next ? ',' : '\0');
	if (!has_room)
		return mp_fail(err, "its item %zu has other members than the first", j->objects);
	return mp_table_add(j->r, begin, err);
}

/* Add a row. The titles are the keys of the first object; other objects have mostly the same, in the same order. */
static int add_object(struct json *j, const cJSON *object, struct mp_error *err)
{
	const struct mp_table *t = &j->r->table;
	const cJSON *item = object->child;

	if (cJSON_GetArraySize(object) > MEMBERS_MAX)
		return mp_fail(err, "its item %zu has more than %d members", j->objects, MEMBERS_MAX);
	if (!t->columns) {
		if (mp_json_member(object, "ph"))
			return mp_fail(err, "it is a trace, which has no counters");
		for (; item; item = item->next)
			if (add_cell(j, NULL, item->string, err))
				return -1;
		if (mp_table_titles(j->r, err))
			return -1;
		item = object->child;
	}
	for (int i = 0; i < t->column_count; i++) {
		const char *title = t->columns[i].title;
		const cJSON *node = item && strcmp(item->string, title) == 0 ? item : mp_json_member(object, title);

		if (add_cell(j, node, node ? node->valuestring : NULL, err))
			return -1;
		item = item ? item->next : NULL;
	}
	return 0;
}

int mp_json_read(struct mp_reading *r, size_t size, struct mp_error *err)
{
	struct json j = {.r = r, .at = r->table.text, .out = r->table.text, .end = r->table.text + size};

	if (size >= 3 && memcmp(j.at, "\xef\xbb\xbf", 3) == 0)
		j.at += 3;
	skip_blanks(&j);
	if (*j.at != '[')
		return mp_fail(
		    err, strstr(j.at, "\"msprof.") ? "it is an export of msprof" : "it is not an array of rows");
	do {
		cJSON *object = NULL;
		int status;

		j.at++;
		status = next_object(&j, &object, err) || add_object(&j, object, err);
		cJSON_Delete(object);
		if (status)
			return -1;
		skip_blanks(&j);
	} while (*j.at == ',');
	if (*j.at != ']' || j.at[1 + strspn(j.at + 1, " \t\r\n")])
		return mp_fail(err, "it does not end behind its item %zu", j.objects);
	return 0;
}

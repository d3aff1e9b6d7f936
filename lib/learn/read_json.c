/* read_json.c: reads an array of objects as a table, in place. One object at a time is parsed. Knows no title. */
#include <string.h>

#include "base/json_parse.h"
#include "learn/reference_internal.h"

enum { OBJECT_MAX = 1 << 20 };

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

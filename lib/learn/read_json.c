/*
 * read_json.c: reads an array of objects as a table, and a chrome trace as a table for each set of arguments. One
 * object at a time is parsed. Knows no title.
 */
#include <stdlib.h>
#include <string.h>

#include "base/json_tree.h"
#include "learn/memory.h"
#include "learn/reference_internal.h"

enum { OBJECT_MAX = 1 << 20, SETS_MAX = 32, FIXED = 5 };

/* What each event has, besides its arguments. */
static const char *const fixed[FIXED] = {"name", "ts", "dur", "pid", "tid"};

struct json {
	struct mp_reading *r;
	const char *at, *end;
	char *list; /* the text of a list */
	size_t room;
	size_t objects;
	bool is_trace;
};

static void skip_blanks(struct json *j)
{
	while (j->at < j->end && strchr(" \t\r\n", *j->at))
		j->at++;
}

/* The end of the string that begins at `at`, behind its quote; NULL when it is not closed. */
static const char *end_of_string(const char *at, const char *end)
{
	for (at++; at < end && *at != '"'; at++)
		if (*at == '\\' && at + 1 < end)
			at++;
	return at < end ? at + 1 : NULL;
}

/* Pass over one value. Returns false when the text ends within. */
static bool skip_value(struct json *j)
{
	size_t depth = 0;

	while (j->at < j->end) {
		char c = *j->at;

		if (c == '"') {
			const char *close = end_of_string(j->at, j->end);

			if (!close)
				return false;
			j->at = close;
			if (!depth)
				return true;
			continue;
		}
		if (!depth && strchr(",]} \t\r\n", c))
			return true;
		depth += c == '{' || c == '[';
		depth -= c == '}' || c == ']';
		j->at++;
		if (!depth && (c == '}' || c == ']'))
			return true;
	}
	return false;
}

static bool take(struct json *j, char c)
{
	skip_blanks(j);
	if (j->at == j->end || *j->at != c)
		return false;
	j->at++;
	return true;
}

/* Room for the text of a list; NULL with err. */
static char *list_room(struct json *j, size_t size, struct mp_error *err)
{
	char *more = j->list && size <= j->room ? j->list : mp_learn_realloc(j->list, size);

	if (!more) {
		mp_reading_no_memory(j->r, err);
		return NULL;
	}
	j->list = more;
	j->room = size > j->room ? size : j->room;
	return more;
}

/* Parse the object at j->at, and pass over it. */
static int next_object(struct json *j, struct mp_json_node **object, struct mp_error *err)
{
	const char *begin = j->at, *fault;
	size_t len;

	*object = NULL;
	j->objects++;
	if (*begin != '{')
		return mp_fail(err, "its item %zu is not an object", j->objects);
	if (!skip_value(j))
		return mp_fail(err, "it ends within its item %zu", j->objects);
	len = (size_t)(j->at - begin);
	if (len > OBJECT_MAX)
		return mp_fail(err, "its item %zu has more than %d bytes", j->objects, OBJECT_MAX);
	*object = mp_json_tree(begin, len, &fault);
	if (*object)
		return 0;
	return fault ? mp_fail(err, "its item %zu is not correct JSON", j->objects) : mp_reading_no_memory(j->r, err);
}

/* The text of a scalar, of a number with the digits of the file; "" of anything else. */
static const char *scalar_text(const struct mp_json_node *item)
{
	if (item && item->type == MP_JSON_BOOL)
		return item->is_true ? "true" : "false";
	return item && item->text ? item->text : "";
}

/* Store a scalar, or the items of a list with commas between. */
static int set_cell(struct json *j, struct mp_cell *cell, const struct mp_json_node *item, struct mp_error *err)
{
	const struct mp_json_node *part;
	size_t size = 1;
	char *out;

	if (!mp_json_is(item, MP_JSON_ARRAY))
		return mp_table_set(j->r, cell, scalar_text(item), strlen(scalar_text(item)), err);
	for (part = mp_json_first(item); part; part = part->next)
		size += strlen(scalar_text(part)) + 1;
	out = list_room(j, size, err);
	if (!out)
		return -1;
	for (part = mp_json_first(item); part; part = part->next) {
		size_t len = strlen(scalar_text(part));

		if (part != item->child)
			*out++ = ',';
		memcpy(out, scalar_text(part), len);
		out += len;
	}
	return mp_table_set(j->r, cell, j->list, (size_t)(out - j->list), err);
}

/* The column with this title, `guess` if it is that one; or -1. */
static int column_of(const struct mp_reference *ref, int first, const char *title, int guess)
{
	if (guess < ref->column_count && strcmp(ref->columns[guess].title, title) == 0)
		return guess;
	for (int i = first; i < ref->column_count; i++)
		if (strcmp(ref->columns[i].title, title) == 0)
			return i;
	return -1;
}

/* Whether the members are columns of the table from `first` on; of a trace: all of these columns. */
static bool fits(const struct json *j, const struct mp_reference *ref, int first, const struct mp_json_node *members)
{
	const struct mp_json_node *item;
	int guess = first;

	for (item = mp_json_first(members); item; item = item->next) {
		if (column_of(ref, first, item->key, guess) < 0)
			return false;
		guess++;
	}
	return !j->is_trace || guess == ref->column_count;
}

/* Find the table for an object with these members, or begin one. */
static int find_table(struct json *j, const struct mp_json_node *members, size_t *index, struct mp_error *err)
{
	int first = j->is_trace ? FIXED : 0;
	const struct mp_json_node *item;

	for (*index = 0; *index < j->r->table_count; ++*index)
		if (fits(j, &j->r->tables[*index].ref, first, members))
			return 0;
	if (*index == SETS_MAX)
		return mp_fail(err, "its objects have more than %d sets of members", SETS_MAX);
	if (mp_table_begin(j->r, NULL, 0, j->is_trace, index, err))
		return -1;
	for (int i = 0; i < first; i++)
		if (mp_table_column(j->r, *index, fixed[i], strlen(fixed[i]), err))
			return -1;
	for (item = mp_json_first(members); item; item = item->next)
		if (mp_table_column(j->r, *index, item->key, strlen(item->key), err))
			return -1;
	return 0;
}

/* Add a row of the fixed members of an event, if it is one, and of `members`. */
static int add_row(
    struct json *j, const struct mp_json_node *event, const struct mp_json_node *members, struct mp_error *err)
{
	int first = event ? FIXED : 0, guess = first;
	struct mp_cell *row;
	const struct mp_json_node *item;
	size_t index;

	if (find_table(j, members, &index, err) || mp_table_row(j->r, index, &row, err))
		return -1;
	for (int i = 0; i < first; i++) {
		item = mp_json_member(event, fixed[i]);
		if (item && set_cell(j, &row[i], item, err))
			return -1;
	}
	for (item = mp_json_first(members); item; item = item->next) {
		int column = column_of(&j->r->tables[index].ref, first, item->key, guess++);

		if (column >= 0 && set_cell(j, &row[column], item, err))
			return -1;
	}
	return 0;
}

static int add_object(struct json *j, const struct mp_json_node *object, struct mp_error *err)
{
	const struct mp_json_node *ph = mp_json_member(object, "ph"), *args = mp_json_member(object, "args");

	if (j->objects == 1 && ph)
		j->is_trace = true;
	if (!j->is_trace && !object->child)
		return mp_fail(err, "its item %zu has no members", j->objects);
	if (!j->is_trace)
		return add_row(j, NULL, object, err);
	if (strcmp(scalar_text(ph), "X") != 0)
		return 0;
	return add_row(j, object, mp_json_is(args, MP_JSON_OBJECT) ? args : NULL, err);
}

/* Read the objects of an array, behind its bracket. */
static int take_array(struct json *j, struct mp_error *err)
{
	if (take(j, ']'))
		return 0;
	do {
		struct mp_json_node *object;
		int status;

		skip_blanks(j);
		if (j->at == j->end)
			return mp_fail(err, "it ends behind its item %zu", j->objects);
		status = next_object(j, &object, err) || add_object(j, object, err) ? -1 : 0;
		mp_json_tree_free(object);
		if (status)
			return -1;
	} while (take(j, ','));
	return take(j, ']') ? 0 : mp_fail(err, "a comma or a bracket is missing behind its item %zu", j->objects);
}

/* Whether a member of a trace is what our own traces have. */
static bool is_ours(const char *key, const char *value, const char *end)
{
	static const char mark[] = "\"events on overlap lanes\":";
	const char *found = strncmp(key, "\"otherData\"", 11) == 0 ? strstr(value, mark) : NULL;

	return found && found < end;
}

/* Read a trace that is an object, behind its brace. */
static int take_trace(struct json *j, struct mp_error *err)
{
	do {
		const char *key, *value;

		skip_blanks(j);
		key = j->at;
		if (j->at == j->end || *j->at != '"' || !skip_value(j) || !take(j, ':'))
			return mp_fail(err, "it is neither a table nor a trace");
		skip_blanks(j);
		value = j->at;
		if (strncmp(key, "\"traceEvents\"", 13) == 0 && take(j, '[')) {
			j->is_trace = true;
			if (take_array(j, err))
				return -1;
		} else if (!skip_value(j)) {
			return mp_fail(err, "it ends within a member");
		} else if (is_ours(key, value, j->at)) {
			return mp_fail(err, "it is an export of msprof");
		}
	} while (take(j, ','));
	if (!j->is_trace)
		return mp_fail(err, "it is neither a table nor a trace");
	return take(j, '}') ? 0 : mp_fail(err, "a brace is missing at its end");
}

static int take_file(struct json *j, struct mp_error *err)
{
	if (take(j, '[')) {
		if (take_array(j, err))
			return -1;
	} else if (take(j, '{')) {
		if (take_trace(j, err))
			return -1;
	} else {
		return mp_fail(err, "it is neither a table nor a trace");
	}
	skip_blanks(j);
	if (j->at < j->end)
		return mp_fail(err, "text follows its end");
	if (j->r->table_count)
		return 0;
	return j->is_trace ? mp_fail(err, "it has no event with a duration") : mp_fail(err, "it is empty");
}

int mp_json_read(struct mp_reading *r, char *text, size_t size, struct mp_error *err)
{
	struct json j = {.r = r, .at = text, .end = text + size};
	int status;

	if (memchr(text, '\0', size))
		return mp_fail(err, "it has NUL bytes: it is not a text");
	if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		j.at += 3;
	status = take_file(&j, err);
	free(j.list);
	return status;
}

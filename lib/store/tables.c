/*
 * tables.c: read-only virtual tables for joins and functions of several rows. Maps (map.h):
 *   CREATE VIRTUAL TABLE temp.T USING intervals(SELECT key, from, to, value ... ORDER BY from)
 *     has the columns key, at and value: the value of the last interval of the key that contains `at`, both ends
 *     included. Without a query the table reads the intervals that C code added to the map T.
 *   CREATE VIRTUAL TABLE temp.T USING firsts(SELECT key..., value ... ORDER BY ...)
 *     has the columns of the query: the value of the first row with these keys.
 * A query must give all keys of such a table by "=". Table and map have the same name.
 *   peek(table, key...)  the value from a table of firsts, or NULL; faster for many rows, see docs/SCHEMA.md
 * Table-valued functions:
 *   numbers(count)  the column `value` counts from 0 to count - 1
 *   words(text)     the words of a line, and the numbers in them
 *
 * Blanks and the characters ,;|()[] are between words. A word may be NAME=REST or NAME:REST; a NAME that ends its word
 * names the number of the next one. A number has digits, perhaps a point, and perhaps a unit of letters or %.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "row/vtab.h"
#include "store/connection.h"

enum { KEY_MAX = 8 };

struct map_table {
	struct mp_vtab base;
	struct mp_map *map;
	bool intervals;
};

static int fill_intervals(struct mp_map *map, struct mp_vtab_content *d, struct mp_error *err)
{
	sqlite3_stmt *q = d->queries[0];
	int status;

	if (sqlite3_column_count(q) != 4)
		return mp_fail(err, "intervals: the query must have the columns key, from, to, value");
	mp_map_clear(map);
	while ((status = mp_vtab_next(d, 0, err)) == 1)
		if (!mp_map_span(map, sqlite3_column_int64(q, 0), sqlite3_column_int64(q, 1),
			sqlite3_column_int64(q, 2), sqlite3_column_int64(q, 3)))
			return mp_fail_memory(err, "intervals");
	return status;
}

static int fill_firsts(struct mp_map *map, struct mp_vtab_content *d, struct mp_error *err)
{
	int status, keys = d->count ? sqlite3_column_count(d->queries[0]) - 1 : 0;
	int64_t parts[KEY_MAX], there;
	const struct mp_key key = {parts, keys};

	if (keys < 1 || keys > KEY_MAX)
		return mp_fail(err, "firsts: the query must have 1 to %d keys and a value", KEY_MAX);
	mp_map_clear(map);
	while ((status = mp_vtab_next(d, 0, err)) == 1) {
		for (int i = 0; i < keys; i++)
			parts[i] = sqlite3_column_int64(d->queries[0], i);
		if (!mp_map_peek(map, &key, &there) &&
		    !mp_map_put(map, &key, sqlite3_column_int64(d->queries[0], keys)))
			return mp_fail_memory(err, "the first of each key");
	}
	return status;
}

/* Returns the columns of the table of a query, or NULL when memory is short. */
static char *columns_of(sqlite3_stmt *query)
{
	sqlite3_str *text = sqlite3_str_new(NULL);

	for (int i = 0; i < sqlite3_column_count(query); i++)
		sqlite3_str_appendf(text, "%s\"%w\" INTEGER", i ? ", " : "", sqlite3_column_name(query, i));
	return sqlite3_str_finish(text);
}

/* Make a table over the map of the same name. When SQLite read its schema again, the map is unchanged. */
static int make_map(struct mp_vtab *table, struct mp_vtab_content *d, struct mp_error *err)
{
	struct map_table *t = (struct map_table *)table;
	int status = 0;

	t->intervals = strcmp(d->module, "intervals") == 0;
	t->map = mp_maps_find(table->maps, d->name);
	if (!t->map)
		return mp_fail(err, "'%s': too many maps, or the name is too long", d->name);
	if (d->is_new && (d->count || !t->intervals))
		status = t->intervals ? fill_intervals(t->map, d, err) : fill_firsts(t->map, d, err);
	if (status)
		return -1;
	table->rows_to_come = 1;
	table->columns =
	    t->intervals ? sqlite3_mprintf("key INTEGER, at INTEGER, value INTEGER") : columns_of(d->queries[0]);
	table->key_count = t->intervals ? 2 : sqlite3_column_count(d->queries[0]) - 1;
	return table->columns ? 0 : mp_fail_memory(err, "a table");
}

static void drop_map(struct mp_vtab *table, bool gone)
{
	if (gone)
		mp_map_clear(((struct map_table *)table)->map);
}

/* There is one row, or none. */
static int begin_map(struct mp_vtab_rows *rows, sqlite3_value **keys, struct mp_error *err)
{
	const struct map_table *t = (struct map_table *)mp_vtab_of(rows);
	int64_t parts[KEY_MAX] = {0}, value;
	int count = t->base.key_count;
	bool is_there = true;

	(void)err;
	for (int i = 0; i < count; i++) {
		is_there = is_there && sqlite3_value_type(keys[i]) != SQLITE_NULL;
		parts[i] = sqlite3_value_int64(keys[i]);
		rows->values[i] = mp_int(parts[i]);
	}
	is_there = is_there && (t->intervals ? mp_map_within(t->map, parts[0], parts[1], &value, NULL)
					     : mp_map_peek(t->map, &(struct mp_key){parts, count}, &value));
	rows->values[count] = is_there ? mp_int(value) : mp_null();
	return 0;
}

static int next_of_map(struct mp_vtab_rows *rows, struct mp_error *err)
{
	(void)err;
	return rows->number == 0 && rows->values[mp_vtab_of(rows)->key_count].type != MP_NULL;
}

static void peek(sqlite3_context *context, int count, sqlite3_value **args)
{
	const char *name = count ? (const char *)sqlite3_value_text(args[0]) : NULL;
	struct mp_map *map = name ? mp_maps_find(sqlite3_user_data(context), name) : NULL;
	int64_t parts[KEY_MAX], value;

	if (!map || count < 2 || count > KEY_MAX + 1) {
		sqlite3_result_error(context, "peek() takes the name of a table and its keys", -1);
		return;
	}
	for (int i = 1; i < count; i++)
		parts[i - 1] = sqlite3_value_int64(args[i]);
	if (mp_map_peek(map, &(struct mp_key){parts, count - 1}, &value))
		sqlite3_result_int64(context, value);
}

enum { VALUE, COUNT };

static int begin_numbers(struct mp_vtab_rows *rows, sqlite3_value **keys, struct mp_error *err)
{
	(void)err;
	rows->values[COUNT] = mp_int(sqlite3_value_int64(keys[0]));
	return 0;
}

static int next_number(struct mp_vtab_rows *rows, struct mp_error *err)
{
	(void)err;
	rows->values[VALUE] = mp_int(rows->number);
	return rows->number < rows->values[COUNT].i;
}

enum { WORD, PLACE, NAME, NUMBER, UNIT, TEXT };

struct span {
	const char *text;
	size_t len;
};

struct word_rows {
	struct mp_vtab_rows base;
	char *text; /* owned */
	const char *rest;
	struct span name;
	struct span pending; /* the name of the next number */
	struct span before;  /* the last word, or of NAME= the name */
};

static struct span span_of(const char *from, const char *to)
{
	return (struct span){from, (size_t)(to - from)};
}

static bool is_between(char c)
{
	return strchr(" \t\r\n\v\f,;|()[]", c) != NULL; /* the end of the text, too */
}

/* Read a number with its unit: all of the word from `s` on. */
static void take_number(struct word_rows *w, const char *s, const char *end)
{
	const char *digits = s + (s < end && (*s == '-' || *s == '+')), *at = digits, *unit;
	struct mp_value *values = w->base.values;
	bool is_whole;

	while (at < end && isdigit((unsigned char)*at))
		at++;
	is_whole = at == end || *at != '.';
	if (!is_whole)
		for (at++; at < end && isdigit((unsigned char)*at);)
			at++;
	if (digits == end || !isdigit((unsigned char)*digits) || at - digits > 18)
		return;
	unit = at;
	for (; at < end; at++)
		if (!isalpha((unsigned char)*at) && *at != '%')
			return;
	values[NAME] = mp_text(w->name.text, w->name.len);
	values[NUMBER] = is_whole ? mp_int(strtoll(s, NULL, 10)) : mp_real(strtod(s, NULL));
	values[UNIT] = mp_text(unit, (size_t)(end - unit));
}

static int next_word(struct mp_vtab_rows *rows, struct mp_error *err)
{
	struct word_rows *w = (struct word_rows *)rows;
	const char *s = w->rest, *end, *sign;

	(void)err;
	while (*s && is_between(*s))
		s++;
	if (!*s)
		return 0;
	for (end = s; !is_between(*end);)
		end++;
	for (sign = s; sign < end && *sign != '=' && *sign != ':';)
		sign++;
	w->rest = end;
	w->name = w->pending;
	w->pending = (struct span){NULL, 0};
	rows->values[WORD] = mp_text(s, (size_t)(end - s));
	rows->values[PLACE] = mp_int(rows->number);
	rows->values[NAME] = rows->values[NUMBER] = rows->values[UNIT] = mp_null();
	if (sign == end) {
		take_number(w, s, end);
	} else if (sign + 1 < end) {
		w->name = sign > s ? span_of(s, sign) : w->name;
		take_number(w, sign + 1, end);
	} else {
		w->pending = sign > s ? span_of(s, sign) : w->before;
	}
	w->before = sign > s ? span_of(s, sign) : (struct span){NULL, 0};
	return 1;
}

static int begin_words(struct mp_vtab_rows *rows, sqlite3_value **keys, struct mp_error *err)
{
	struct word_rows *w = (struct word_rows *)rows;
	const char *text = (const char *)sqlite3_value_text(keys[0]);

	free(w->text);
	w->text = strdup(text ? text : "");
	w->rest = w->text;
	w->pending = w->before = (struct span){NULL, 0};
	return w->text ? 0 : mp_fail_memory(err, "words");
}

static void end_words(struct mp_vtab_rows *rows)
{
	free(((struct word_rows *)rows)->text);
}

int mp_tables_register(struct mp_db *db)
{
	static const struct mp_vtab_module maps = {.table_size = sizeof(struct map_table),
	    .rows_size = sizeof(struct mp_vtab_rows),
	    .make = make_map,
	    .drop = drop_map,
	    .begin = begin_map,
	    .next = next_of_map};
	static const struct mp_vtab_module numbers = {.table_size = sizeof(struct mp_vtab),
	    .rows_size = sizeof(struct mp_vtab_rows),
	    .columns = "value INTEGER, count INTEGER HIDDEN",
	    .first_key = COUNT,
	    .key_count = 1,
	    .begin = begin_numbers,
	    .next = next_number};
	static const struct mp_vtab_module words = {.table_size = sizeof(struct mp_vtab),
	    .rows_size = sizeof(struct word_rows),
	    .columns = "word TEXT, place INTEGER, name TEXT, number, unit TEXT, text TEXT HIDDEN",
	    .first_key = TEXT,
	    .key_count = 1,
	    .begin = begin_words,
	    .next = next_word,
	    .end = end_words};

	db->maps = mp_maps_create();
	return db->maps && !mp_vtab_register(db->handle, "intervals", &maps, NULL, db->maps) &&
		       !mp_vtab_register(db->handle, "firsts", &maps, NULL, db->maps) &&
		       !mp_vtab_register(db->handle, "numbers", &numbers, NULL, NULL) &&
		       !mp_vtab_register(db->handle, "words", &words, NULL, NULL) &&
		       !sqlite3_create_function(
			   db->handle, "peek", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, db->maps, peek, NULL, NULL)
		   ? SQLITE_OK
		   : SQLITE_NOMEM;
}

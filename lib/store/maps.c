/*
 * maps.c: maps (map.h) as read-only virtual tables for joins:
 *   CREATE VIRTUAL TABLE temp.T USING intervals(SELECT key, from, to, value ... ORDER BY from)
 *     has the columns key, at and value: the value of the last interval of the key that contains `at`, both ends
 *     included. Without a query the table reads the intervals that C code added to the map T.
 *   CREATE VIRTUAL TABLE temp.T USING firsts(SELECT key..., value ... ORDER BY ...)
 *     has the columns of the query: the value of the first row with these keys.
 * A query must give all keys of such a table by "=". Table and map have the same name.
 *   peek(table, key...)  the value from a table of firsts, or NULL; faster for many rows, see docs/SCHEMA.md
 */
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
		    !mp_map_put(map, &key, sqlite3_column_int64(d->queries[0], keys), false))
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
static int make(struct mp_vtab *table, struct mp_vtab_content *d, struct mp_error *err)
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

static void drop(struct mp_vtab *table, bool gone)
{
	if (gone)
		mp_map_clear(((struct map_table *)table)->map);
}

/* There is one row, or none. */
static int begin(struct mp_vtab_rows *rows, sqlite3_value **keys, struct mp_error *err)
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

static int next(struct mp_vtab_rows *rows, struct mp_error *err)
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

int mp_maps_register(struct mp_db *db)
{
	static const struct mp_vtab_module module = {.table_size = sizeof(struct map_table),
	    .rows_size = sizeof(struct mp_vtab_rows),
	    .make = make,
	    .drop = drop,
	    .begin = begin,
	    .next = next};
	int status;

	db->maps = mp_maps_create();
	if (!db->maps)
		return SQLITE_NOMEM;
	status = mp_vtab_register(db->handle, "intervals", &module, NULL, db->maps);
	if (!status)
		status = mp_vtab_register(db->handle, "firsts", &module, NULL, db->maps);
	return status ? status
		      : sqlite3_create_function_v2(
			    db->handle, "peek", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, db->maps, peek, NULL, NULL, NULL);
}

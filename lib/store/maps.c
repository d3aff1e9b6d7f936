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
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "store/connection.h"
#include "store/declared.h"

enum { KEY_MAX = 8 };
enum { INTERVAL_KEYS = 2 /* key, at */ };

struct map_vtab {
	sqlite3_vtab base;
	struct mp_map *map;
	bool intervals;
	int keys; /* columns before `value` */
};

struct map_cursor {
	sqlite3_vtab_cursor base;
	int64_t key[KEY_MAX], value;
	bool is_there;
};

static int fill_intervals(struct mp_map *map, struct mp_declared *d, struct mp_error *err)
{
	sqlite3_stmt *q = d->queries[0];
	int status;

	if (sqlite3_column_count(q) != 4)
		return mp_fail(err, "intervals: the query must have the columns key, from, to, value");
	mp_map_clear(map);
	while ((status = mp_declared_next(d, 0, err)) == 1)
		if (!mp_map_span(map, sqlite3_column_int64(q, 0), sqlite3_column_int64(q, 1),
			sqlite3_column_int64(q, 2), sqlite3_column_int64(q, 3)))
			return mp_fail_memory(err, "intervals");
	return status;
}

static int fill_firsts(struct mp_map *map, struct mp_declared *d, struct mp_error *err)
{
	int status, keys = d->count ? sqlite3_column_count(d->queries[0]) - 1 : 0;
	int64_t parts[KEY_MAX], there;
	const struct mp_key key = {parts, keys};

	if (keys < 1 || keys > KEY_MAX)
		return mp_fail(err, "firsts: the query must have 1 to %d keys and a value", KEY_MAX);
	mp_map_clear(map);
	while ((status = mp_declared_next(d, 0, err)) == 1) {
		for (int i = 0; i < keys; i++)
			parts[i] = sqlite3_column_int64(d->queries[0], i);
		if (!mp_map_peek(map, &key, &there) &&
		    !mp_map_put(map, &key, sqlite3_column_int64(d->queries[0], keys), false))
			return mp_fail_memory(err, "the first of each key");
	}
	return status;
}

/* Returns "CREATE TABLE x(...)" with the columns of the table, or NULL when memory is short. */
static char *declaration(const struct map_vtab *t, const struct mp_declared *d)
{
	sqlite3_str *text;

	if (t->intervals)
		return sqlite3_mprintf("CREATE TABLE x(key INTEGER, at INTEGER, value INTEGER)");
	text = sqlite3_str_new(NULL);
	for (int i = 0; i <= t->keys; i++)
		sqlite3_str_appendf(
		    text, "%s\"%w\" INTEGER", i ? ", " : "CREATE TABLE x(", sqlite3_column_name(d->queries[0], i));
	sqlite3_str_appendall(text, ")");
	return sqlite3_str_finish(text);
}

static int declare(sqlite3 *handle, const struct map_vtab *t, const struct mp_declared *d, struct mp_error *err)
{
	char *sql = declaration(t, d);
	int status = sql ? sqlite3_declare_vtab(handle, sql) : SQLITE_NOMEM;

	sqlite3_free(sql);
	return status ? mp_fail(err, "%s", sqlite3_errstr(status)) : 0;
}

/* Make a table over the map of the same name. `fill` adds the rows of the declared query to the map. */
static int make(struct mp_maps *maps, sqlite3 *handle, int argc, const char *const *argv, bool fill, struct map_vtab *t,
    struct mp_error *err)
{
	struct mp_declared d;
	int status = mp_declared_open(&d, handle, argc, argv, err);

	t->intervals = strcmp(argv[0], "intervals") == 0;
	t->map = mp_maps_find(maps, argv[2]);
	if (!status && !t->map)
		status = mp_fail(err, "'%s': too many maps, or the name is too long", argv[2]);
	if (!status && fill && (d.count || !t->intervals))
		status = t->intervals ? fill_intervals(t->map, &d, err) : fill_firsts(t->map, &d, err);
	t->keys = t->intervals || !d.count ? INTERVAL_KEYS : sqlite3_column_count(d.queries[0]) - 1;
	if (!status)
		status = declare(handle, t, &d, err);
	mp_declared_close(&d);
	return status;
}

static int begin(sqlite3 *handle, struct mp_maps *maps, int argc, const char *const *argv, bool fill,
    sqlite3_vtab **table, char **message)
{
	struct map_vtab *t = calloc(1, sizeof(*t));
	struct mp_error err;

	if (!t)
		return SQLITE_NOMEM;
	if (make(maps, handle, argc, argv, fill, t, &err)) {
		*message = sqlite3_mprintf("%s", err.text);
		free(t);
		return mp_db_code(&err);
	}
	*table = &t->base;
	return SQLITE_OK;
}

static int create(sqlite3 *handle, void *maps, int argc, const char *const *argv, sqlite3_vtab **table, char **message)
{
	return begin(handle, maps, argc, argv, true, table, message);
}

/* SQLite read its schema again: the map is unchanged. */
static int connect(sqlite3 *handle, void *maps, int argc, const char *const *argv, sqlite3_vtab **table, char **message)
{
	return begin(handle, maps, argc, argv, false, table, message);
}

static int disconnect(sqlite3_vtab *table)
{
	free(table);
	return SQLITE_OK;
}

static int destroy(sqlite3_vtab *table)
{
	mp_map_clear(((struct map_vtab *)table)->map);
	return disconnect(table);
}

/* Refuse a plan that does not give all keys. */
static int best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	int keys = ((struct map_vtab *)table)->keys;
	uint64_t found = 0;

	for (int i = 0; i < info->nConstraint; i++) {
		const struct sqlite3_index_constraint *c = &info->aConstraint[i];

		if (!c->usable || c->op != SQLITE_INDEX_CONSTRAINT_EQ || c->iColumn < 0 || c->iColumn >= keys ||
		    found & UINT64_C(1) << c->iColumn)
			continue;
		info->aConstraintUsage[i].argvIndex = c->iColumn + 1;
		info->aConstraintUsage[i].omit = 1;
		found |= UINT64_C(1) << c->iColumn;
	}
	info->estimatedCost = 2;
	info->estimatedRows = 1;
	info->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
	return found == (UINT64_C(1) << keys) - 1 ? SQLITE_OK : SQLITE_CONSTRAINT;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
	struct map_cursor *c = calloc(1, sizeof(*c));

	(void)table;
	if (!c)
		return SQLITE_NOMEM;
	*cursor = &c->base;
	return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
	free(cursor);
	return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *cursor, int plan, const char *plan_text, int argc, sqlite3_value **args)
{
	struct map_cursor *c = (struct map_cursor *)cursor;
	const struct map_vtab *t = (struct map_vtab *)cursor->pVtab;

	(void)plan, (void)plan_text;
	c->is_there = false;
	for (int i = 0; i < argc && i < KEY_MAX; i++) {
		if (sqlite3_value_type(args[i]) == SQLITE_NULL)
			return SQLITE_OK;
		c->key[i] = sqlite3_value_int64(args[i]);
	}
	c->is_there = t->intervals ? mp_map_within(t->map, c->key[0], c->key[1], &c->value, NULL)
				   : mp_map_peek(t->map, &(struct mp_key){c->key, t->keys}, &c->value);
	return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *cursor)
{
	((struct map_cursor *)cursor)->is_there = false;
	return SQLITE_OK;
}

static int is_over(sqlite3_vtab_cursor *cursor)
{
	return !((struct map_cursor *)cursor)->is_there;
}

static int column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int index)
{
	const struct map_cursor *c = (struct map_cursor *)cursor;
	const struct map_vtab *t = (struct map_vtab *)cursor->pVtab;

	sqlite3_result_int64(context, index < t->keys ? c->key[index] : c->value);
	return SQLITE_OK;
}

static int row_id(sqlite3_vtab_cursor *cursor, sqlite3_int64 *id)
{
	(void)cursor;
	*id = 1;
	return SQLITE_OK;
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
	static const sqlite3_module module = {.xCreate = create,
	    .xConnect = connect,
	    .xBestIndex = best_index,
	    .xDisconnect = disconnect,
	    .xDestroy = destroy,
	    .xOpen = open_cursor,
	    .xClose = close_cursor,
	    .xFilter = filter,
	    .xNext = next,
	    .xEof = is_over,
	    .xColumn = column,
	    .xRowid = row_id};
	int status;

	db->maps = mp_maps_create();
	if (!db->maps)
		return SQLITE_NOMEM;
	status = sqlite3_create_module(db->handle, "intervals", &module, db->maps);
	if (!status)
		status = sqlite3_create_module(db->handle, "firsts", &module, db->maps);
	return status ? status
		      : sqlite3_create_function_v2(
			    db->handle, "peek", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, db->maps, peek, NULL, NULL, NULL);
}

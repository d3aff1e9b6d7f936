/*
 * maps.c: the maps of map.h as SQL functions, for joins in finish.sql. A map is named by a text; its functions
 * have effects, so a query may call each once for a row.
 *   put(map, value, key...)       append to the list of the key
 *   pair(map, is_end, value, key...)  a start is kept; an end closes the latest open start of the key: 1, and paired()
 * is its value; else 0 take(map, key...)             the first value of the list, taken off; NULL where it is empty
 *   peek(map, key...)             the same, left there
 *   span(map, value, key, from, to)  an interval; those of a key come in order of from
 *   within(map, key, at)          the value of the last interval of the key that holds at; or NULL
 *   before(map, value, key...)    the value of the call before, of that key; NULL the first time
 *   running(map, add, key...)     the sum of all `add` of the key so far, this one too
 *   first(map, key...)            1 when the key was never asked for, else 0
 *   drop_map(map)                 forget it
 */
#include "store/connection.h"
#include "base/map.h"

enum { KEY_MAX = 64 };

/* A key and where its numbers are. */
struct key {
	struct mp_key key;
	int64_t parts[KEY_MAX];
};

/* The map of the first argument and the key of those from `from` on; NULL with an error of the function. */
static struct mp_map *find(sqlite3_context *context, int count, sqlite3_value **args, int from, struct key *key)
{
	struct mp_maps *maps = sqlite3_user_data(context);
	const char *text = count <= from ? NULL : (const char *)sqlite3_value_text(args[0]);
	struct mp_map *map = text && count - from <= KEY_MAX ? mp_maps_find(maps, text) : NULL;

	if (!map) {
		sqlite3_result_error(context, "no map and key", -1);
		return NULL;
	}
	key->key = (struct mp_key){key->parts, count - from};
	key->parts[0] = key->parts[1] = key->parts[2] = 0;
	for (int i = from; i < count; i++)
		key->parts[i - from] = sqlite3_value_int64(args[i]);
	return map;
}

static void put(sqlite3_context *context, int count, sqlite3_value **args)
{
	struct key key;
	struct mp_map *map = find(context, count, args, 2, &key);

	if (map && !mp_map_put(map, &key.key, sqlite3_value_int64(args[1]), false))
		sqlite3_result_error_nomem(context);
	else if (map)
		sqlite3_result_int(context, 1);
}

static void take(sqlite3_context *context, int count, sqlite3_value **args)
{
	struct key key;
	struct mp_map *map = find(context, count, args, 1, &key);
	int64_t value;

	if (map && mp_map_take(map, &key.key, &value))
		sqlite3_result_int64(context, value);
}

static void peek(sqlite3_context *context, int count, sqlite3_value **args)
{
	struct key key;
	struct mp_map *map = find(context, count, args, 1, &key);
	int64_t value;

	if (map && mp_map_peek(map, &key.key, &value))
		sqlite3_result_int64(context, value);
}

static void pair(sqlite3_context *context, int count, sqlite3_value **args)
{
	struct key key;
	struct mp_map *map = find(context, count, args, 3, &key);
	bool is_end = map && sqlite3_value_int(args[1]), closed;

	if (!map)
		return;
	if (!is_end && !mp_map_put(map, &key.key, sqlite3_value_int64(args[2]), true)) {
		sqlite3_result_error_nomem(context);
		return;
	}
	closed = is_end && mp_map_peek(map, &key.key, mp_maps_paired(sqlite3_user_data(context)));
	if (closed) /* earlier ones that are open stay without an end */
		mp_map_empty(map, &key.key);
	sqlite3_result_int(context, closed);
}

static void paired(sqlite3_context *context, int count, sqlite3_value **args)
{
	(void)count, (void)args;
	sqlite3_result_int64(context, *mp_maps_paired(sqlite3_user_data(context)));
}

/* The number of the key, which the caller changes; NULL with an error of the function. */
static int64_t *number(sqlite3_context *context, int count, sqlite3_value **args, int from, bool *is_new)
{
	struct key key;
	struct mp_map *map = find(context, count, args, from, &key);
	int64_t *n = map ? mp_map_number(map, &key.key, is_new) : NULL;

	if (map && !n)
		sqlite3_result_error_nomem(context);
	return n;
}

static void before(sqlite3_context *context, int count, sqlite3_value **args)
{
	bool is_new;
	int64_t *n = number(context, count, args, 2, &is_new);

	if (!n)
		return;
	if (!is_new)
		sqlite3_result_int64(context, *n);
	*n = sqlite3_value_int64(args[1]);
}

static void running(sqlite3_context *context, int count, sqlite3_value **args)
{
	bool is_new;
	int64_t *n = number(context, count, args, 2, &is_new);

	if (n && __builtin_add_overflow(*n, sqlite3_value_int64(args[1]), n))
		sqlite3_result_error(context, "integer overflow", -1);
	else if (n)
		sqlite3_result_int64(context, *n);
}

static void first(sqlite3_context *context, int count, sqlite3_value **args)
{
	bool is_new;

	if (number(context, count, args, 1, &is_new))
		sqlite3_result_int(context, is_new);
}

static void span(sqlite3_context *context, int count, sqlite3_value **args)
{
	struct key key;
	struct mp_map *map = find(context, count, args, 2, &key);

	if (map && !mp_map_span(map, key.parts[0], key.parts[1], key.parts[2], sqlite3_value_int64(args[1])))
		sqlite3_result_error_nomem(context);
	else if (map)
		sqlite3_result_int(context, 1);
}

static void within(sqlite3_context *context, int count, sqlite3_value **args)
{
	struct key key;
	struct mp_map *map = find(context, count, args, 1, &key);
	int64_t value;

	if (map && sqlite3_value_type(args[2]) != SQLITE_NULL &&
	    mp_map_within(map, key.parts[0], key.parts[1], &value, NULL))
		sqlite3_result_int64(context, value);
}

static void drop_map(sqlite3_context *context, int count, sqlite3_value **args)
{
	struct mp_maps *maps = sqlite3_user_data(context);
	const char *text = (const char *)sqlite3_value_text(args[0]);
	struct mp_map *map = text ? mp_maps_find(maps, text) : NULL;

	(void)count;
	if (map)
		mp_map_clear(map);
}

int mp_maps_register(struct mp_db *db)
{
	static const struct {
		const char *name;
		int args;
		void (*function)(sqlite3_context *context, int count, sqlite3_value **args);
	} functions[] = {{"put", -1, put}, {"pair", -1, pair}, {"paired", 0, paired}, {"take", -1, take},
	    {"peek", -1, peek}, {"span", 5, span}, {"within", 3, within}, {"before", -1, before},
	    {"running", -1, running}, {"first", -1, first}, {"drop_map", 1, drop_map}};
	int status = SQLITE_OK;

	db->maps = mp_maps_create();
	if (!db->maps)
		return SQLITE_NOMEM;
	for (size_t i = 0; !status && i < sizeof(functions) / sizeof(functions[0]); i++)
		status = sqlite3_create_function_v2(db->handle, functions[i].name, functions[i].args,
		    SQLITE_UTF8 | SQLITE_DIRECTONLY, db->maps, functions[i].function, NULL, NULL, NULL);
	return status;
}

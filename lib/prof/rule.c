/* rule.c: the rows of a rule as a virtual table. Knows no rule. */
#include "prof/rule.h"

#include <stdlib.h>
#include <string.h>

#include "store/connection.h"
#include "store/declared.h"

enum { QUERIES = sizeof(((struct mp_rule *)NULL)->inputs) / sizeof(int), MAP_MAX = 8 };

struct mp_rule_call {
	const struct mp_rule *rule;
	struct mp_declared queries;
	struct mp_maps *maps;
	struct mp_map *used[MAP_MAX];
	int used_count;
	int64_t *values; /* row after row */
	size_t count, room;
};

/* A rule of one connection. */
struct registered {
	const struct mp_rule *rule;
	struct mp_maps *maps;
};

struct rule_vtab {
	sqlite3_vtab base;
	const struct mp_rule *rule;
	int64_t *values;
	size_t rows;
};

struct rule_cursor {
	sqlite3_vtab_cursor base;
	size_t row;
};

int mp_rule_next(struct mp_rule_call *call, int query, int64_t *values, struct mp_error *err)
{
	int status = mp_declared_next(&call->queries, query, err);

	for (int i = 0; status == 1 && i < call->rule->inputs[query]; i++)
		values[i] = sqlite3_column_int64(call->queries.queries[query], i);
	return status;
}

int mp_rule_put(struct mp_rule_call *call, const int64_t *values, struct mp_error *err)
{
	size_t columns = (size_t)call->rule->column_count;

	if (call->count + columns > call->room) {
		size_t room = 2 * call->room + 1024;
		int64_t *more = realloc(call->values, room * sizeof(*more));

		if (!more)
			return mp_fail_memory(err, "the rows of a rule");
		call->values = more;
		call->room = room;
	}
	memcpy(call->values + call->count, values, columns * sizeof(*values));
	call->count += columns;
	return 0;
}

struct mp_map *mp_rule_map(struct mp_rule_call *call, const char *name, struct mp_error *err)
{
	struct mp_map *map = call->used_count < MAP_MAX ? mp_maps_find(call->maps, name) : NULL;

	if (!map) {
		mp_error_set(err, "too many maps");
		return NULL;
	}
	mp_map_clear(map);
	call->used[call->used_count++] = map;
	return map;
}

static int check_queries(const struct mp_rule_call *call, struct mp_error *err)
{
	for (int i = 0; i < QUERIES; i++) {
		int columns = i < call->queries.count ? sqlite3_column_count(call->queries.queries[i]) : 0;

		if (columns != call->rule->inputs[i])
			return mp_fail(err, "%s: query %d has %d columns, not %d", call->rule->name, i + 1, columns,
			    call->rule->inputs[i]);
	}
	return 0;
}

static int apply(struct mp_rule_call *call, struct rule_vtab *t, struct mp_error *err)
{
	int status = check_queries(call, err) || call->rule->apply(call, err) ? -1 : 0;

	for (int i = 0; i < call->used_count; i++)
		mp_map_clear(call->used[i]);
	t->rule = call->rule;
	t->values = call->values;
	t->rows = call->count / (size_t)call->rule->column_count;
	return status;
}

static int declare(sqlite3 *handle, const struct mp_rule *rule)
{
	char *sql = sqlite3_mprintf("CREATE TABLE x(%s)", rule->columns);
	int status = sql ? sqlite3_declare_vtab(handle, sql) : SQLITE_NOMEM;

	sqlite3_free(sql);
	return status;
}

static int disconnect(sqlite3_vtab *table)
{
	free(((struct rule_vtab *)table)->values);
	free(table);
	return SQLITE_OK;
}

static int create(sqlite3 *handle, void *user, int argc, const char *const *argv, sqlite3_vtab **table, char **message)
{
	const struct registered *r = user;
	struct mp_rule_call call = {.rule = r->rule, .maps = r->maps};
	struct rule_vtab *t = calloc(1, sizeof(*t));
	struct mp_error err;
	int status;

	if (!t)
		return SQLITE_NOMEM;
	status = mp_declared_open(&call.queries, handle, argc, argv, &err) || apply(&call, t, &err) ? -1 : 0;
	mp_declared_close(&call.queries);
	if (!status && declare(handle, r->rule) == SQLITE_OK) {
		*table = &t->base;
		return SQLITE_OK;
	}
	*message = sqlite3_mprintf("%s", status ? err.text : sqlite3_errmsg(handle));
	disconnect(&t->base);
	return status ? mp_db_code(&err) : SQLITE_ERROR;
}

/* SQLite read its schema again: the rows are gone. */
static int connect(sqlite3 *handle, void *user, int argc, const char *const *argv, sqlite3_vtab **table, char **message)
{
	(void)handle, (void)user, (void)argc, (void)table;
	*message = sqlite3_mprintf("the rows of '%s' are gone", argv[2]);
	return SQLITE_ERROR;
}

static int best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	info->estimatedRows = (sqlite3_int64)((struct rule_vtab *)table)->rows + 1;
	info->estimatedCost = (double)info->estimatedRows;
	return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
	struct rule_cursor *c = calloc(1, sizeof(*c));

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
	(void)plan, (void)plan_text, (void)argc, (void)args;
	((struct rule_cursor *)cursor)->row = 0;
	return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *cursor)
{
	((struct rule_cursor *)cursor)->row++;
	return SQLITE_OK;
}

static int is_over(sqlite3_vtab_cursor *cursor)
{
	return ((struct rule_cursor *)cursor)->row >= ((struct rule_vtab *)cursor->pVtab)->rows;
}

static int column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int index)
{
	const struct rule_vtab *t = (struct rule_vtab *)cursor->pVtab;
	size_t row = ((struct rule_cursor *)cursor)->row;

	sqlite3_result_int64(context, t->values[row * (size_t)t->rule->column_count + (size_t)index]);
	return SQLITE_OK;
}

static int row_id(sqlite3_vtab_cursor *cursor, sqlite3_int64 *id)
{
	*id = (sqlite3_int64)((struct rule_cursor *)cursor)->row + 1;
	return SQLITE_OK;
}

int mp_rule_register(struct mp_db *db, const struct mp_rule *rule, struct mp_error *err)
{
	static const sqlite3_module module = {.xCreate = create,
	    .xConnect = connect,
	    .xBestIndex = best_index,
	    .xDisconnect = disconnect,
	    .xDestroy = disconnect,
	    .xOpen = open_cursor,
	    .xClose = close_cursor,
	    .xFilter = filter,
	    .xNext = next,
	    .xEof = is_over,
	    .xColumn = column,
	    .xRowid = row_id};
	struct registered *r = malloc(sizeof(*r));

	if (!r)
		return mp_fail_memory(err, "a rule");
	*r = (struct registered){rule, db->maps};
	if (sqlite3_create_module_v2(db->handle, rule->name, &module, r, free)) /* frees r after an error, too */
		return mp_db_fail(db, err, "cannot register a rule");
	return 0;
}

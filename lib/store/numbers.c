/* numbers.c: the table-valued function numbers(count), whose column `value` counts from 0 to count - 1. */
#include <stdlib.h>

#include "store/connection.h"

enum { VALUE, COUNT };

struct number_cursor {
	sqlite3_vtab_cursor base;
	int64_t value, count;
};

static int connect(sqlite3 *handle, void *user, int argc, const char *const *argv, sqlite3_vtab **table, char **message)
{
	int status = sqlite3_declare_vtab(handle, "CREATE TABLE x(value INTEGER, count INTEGER HIDDEN)");

	(void)user, (void)argc, (void)argv, (void)message;
	if (!status)
		status = sqlite3_vtab_config(handle, SQLITE_VTAB_INNOCUOUS);
	if (status)
		return status;
	*table = calloc(1, sizeof(**table));
	return *table ? SQLITE_OK : SQLITE_NOMEM;
}

static int disconnect(sqlite3_vtab *table)
{
	free(table);
	return SQLITE_OK;
}

static int best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	(void)table;
	info->estimatedCost = 25;
	info->estimatedRows = 25;
	for (int i = 0; i < info->nConstraint; i++) {
		const struct sqlite3_index_constraint *c = &info->aConstraint[i];

		if (c->usable && c->iColumn == COUNT && c->op == SQLITE_INDEX_CONSTRAINT_EQ) {
			info->aConstraintUsage[i].argvIndex = 1;
			info->aConstraintUsage[i].omit = 1;
			return SQLITE_OK;
		}
	}
	return SQLITE_CONSTRAINT;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
	struct number_cursor *c = calloc(1, sizeof(*c));

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
	struct number_cursor *c = (struct number_cursor *)cursor;

	(void)plan, (void)plan_text;
	c->value = 0;
	c->count = argc ? sqlite3_value_int64(args[0]) : 0;
	return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *cursor)
{
	((struct number_cursor *)cursor)->value++;
	return SQLITE_OK;
}

static int is_over(sqlite3_vtab_cursor *cursor)
{
	return ((struct number_cursor *)cursor)->value >= ((struct number_cursor *)cursor)->count;
}

static int column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int index)
{
	const struct number_cursor *c = (struct number_cursor *)cursor;

	sqlite3_result_int64(context, index == VALUE ? c->value : c->count);
	return SQLITE_OK;
}

static int row_id(sqlite3_vtab_cursor *cursor, sqlite3_int64 *id)
{
	*id = ((struct number_cursor *)cursor)->value;
	return SQLITE_OK;
}

int mp_numbers_register(sqlite3 *handle)
{
	static const sqlite3_module module = {.xConnect = connect,
	    .xBestIndex = best_index,
	    .xDisconnect = disconnect,
	    .xOpen = open_cursor,
	    .xClose = close_cursor,
	    .xFilter = filter,
	    .xNext = next,
	    .xEof = is_over,
	    .xColumn = column,
	    .xRowid = row_id};

	return sqlite3_create_module(handle, "numbers", &module, NULL);
}

/* columns.c: asks SQLite for the columns of a table. Knows no table. */
#include "row/columns.h"

#include <stdio.h>

static enum mp_declared declared_as(const char *type)
{
	static const char *const types[] = {[MP_DECLARED_NOTHING] = "",
	    [MP_DECLARED_INTEGER] = "INTEGER",
	    [MP_DECLARED_NUMERIC] = "NUMERIC",
	    [MP_DECLARED_REAL] = "REAL",
	    [MP_DECLARED_TEXT] = "TEXT",
	    [MP_DECLARED_BLOB] = "BLOB"};
	enum mp_declared found = MP_DECLARED_BLOB;

	while (found && strcmp(types[found], type) != 0)
		found--;
	return found;
}

/* Add the column of the current row. */
static int add_column(struct mp_row_columns *c, sqlite3_stmt *q)
{
	const char *name = (const char *)sqlite3_column_text(q, 0), *type = (const char *)sqlite3_column_text(q, 1);
	struct mp_row_column *column = &c->items[c->count];

	if (!name || !type)
		return SQLITE_NOMEM;
	if (c->count == MP_ROW_COLUMN_MAX || strlen(name) >= sizeof(column->name))
		return SQLITE_TOOBIG;
	c->count++;
	snprintf(column->name, sizeof(column->name), "%s", name);
	column->declared = declared_as(type);
	column->is_key = sqlite3_column_int(q, 2) != 0;
	column->is_filled = sqlite3_column_int(q, 3) != 0;
	column->not_null = sqlite3_column_int(q, 4) != 0;
	return SQLITE_OK;
}

int mp_row_columns_read(struct mp_row_columns *c, sqlite3 *handle, const char *schema, const char *table)
{
	static const char sql[] =
	    "SELECT name, type, pk, hidden OR dflt_value IS NOT NULL, \"notnull\" FROM pragma_table_xinfo(?, ?) ORDER BY cid";
	sqlite3_stmt *q;
	int status = sqlite3_prepare_v2(handle, sql, -1, &q, NULL);

	c->count = 0;
	if (!status)
		status = mp_bind(q, 1, mp_string(table));
	if (!status)
		status = mp_bind(q, 2, mp_string(schema));
	while (!status && (status = sqlite3_step(q)) == SQLITE_ROW)
		status = add_column(c, q);
	sqlite3_finalize(q); /* repeats the error of the last step */
	return status == SQLITE_DONE ? SQLITE_OK : status;
}

int mp_row_columns_find(const struct mp_row_columns *c, const char *name)
{
	int i = c->count;

	while (i-- && strcmp(c->items[i].name, name) != 0)
		continue;
	return i;
}

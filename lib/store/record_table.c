/* record_table.c: the virtual table over a reader. Decodes a value when SQLite asks for the value, without a copy. */
#include "store/record_table.h"

#include <stdio.h>
#include <string.h>

struct record_vtab {
	sqlite3_vtab base;
	struct mp_record_source *source;
};

struct record_cursor {
	sqlite3_vtab_cursor base;
	struct mp_record_source *source;
	sqlite3_int64 row;
	int more;
};

static const struct mp_layout *layout_named(const struct mp_layouts *layouts, const char *name)
{
	for (size_t i = 0; i < layouts->count; i++)
		if (strcmp(layouts->items[i]->name, name) == 0)
			return layouts->items[i];
	return NULL;
}

static int connect_table(
    sqlite3 *handle, void *aux, int argc, const char *const *argv, sqlite3_vtab **vtab, char **error)
{
	struct mp_record_source *source = aux;
	const struct mp_layout *l = argc == 4 ? layout_named(source->layouts, argv[3]) : NULL;
	sqlite3_str *sql = sqlite3_str_new(handle);
	struct record_vtab *t;
	char *text;
	int status;

	for (int i = 0; l && i < l->column_count; i++)
		sqlite3_str_appendf(sql, "%s\"%w\"", i ? ", " : "CREATE TABLE record(", l->columns[i].name);
	sqlite3_str_appendall(sql, ")");
	text = sqlite3_str_finish(sql);
	if (!l || !text) {
		sqlite3_free(text);
		*error = sqlite3_mprintf("layout not found");
		return l ? SQLITE_NOMEM : SQLITE_ERROR;
	}
	status = sqlite3_declare_vtab(handle, text);
	sqlite3_free(text);
	if (status)
		return status;
	t = sqlite3_malloc(sizeof(*t));
	if (!t)
		return SQLITE_NOMEM;
	memset(t, 0, sizeof(*t));
	t->source = source;
	*vtab = &t->base;
	return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *vtab)
{
	sqlite3_free(vtab);
	return SQLITE_OK;
}

static int best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
	(void)vtab;
	info->estimatedCost = 1e6;
	return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *vtab, sqlite3_vtab_cursor **cursor)
{
	struct record_cursor *c = sqlite3_malloc(sizeof(*c));

	if (!c)
		return SQLITE_NOMEM;
	memset(c, 0, sizeof(*c));
	c->source = ((struct record_vtab *)vtab)->source;
	*cursor = &c->base;
	return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
	sqlite3_free(cursor);
	return SQLITE_OK;
}

static int next_row(sqlite3_vtab_cursor *cursor)
{
	struct record_cursor *c = (struct record_cursor *)cursor;

	c->row++;
	c->more = mp_reader_next(c->source->reader);
	if (c->more && c->source->see && !c->source->see(c->source->see_user, c->source->reader, NULL))
		return SQLITE_ABORT;
	if (c->source->progress && c->row % MP_RECORD_PROGRESS == 0)
		c->source->progress(c->source->progress_user, c->row);
	return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *cursor, int index, const char *text, int argc, sqlite3_value **argv)
{
	(void)index, (void)text, (void)argc, (void)argv;
	if (!((struct record_cursor *)cursor)->source->reader)
		return SQLITE_MISUSE;
	((struct record_cursor *)cursor)->row = 0;
	return next_row(cursor);
}

static int at_end(sqlite3_vtab_cursor *cursor)
{
	return !((struct record_cursor *)cursor)->more;
}

static int column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int index)
{
	struct mp_value v = mp_reader_value(((struct record_cursor *)cursor)->source->reader, index);

	if (v.type == MP_INT)
		sqlite3_result_int64(context, v.i);
	else if (v.type == MP_TEXT) /* valid until the next row; the INSERT copies the text before */
		sqlite3_result_text(context, v.text, (int)v.len, SQLITE_STATIC);
	else if (v.type == MP_BLOB)
		sqlite3_result_blob(context, v.text, (int)v.len, SQLITE_STATIC);
	return SQLITE_OK;
}

static int row_number(sqlite3_vtab_cursor *cursor, sqlite3_int64 *row)
{
	*row = ((struct record_cursor *)cursor)->row;
	return SQLITE_OK;
}

static const sqlite3_module module = {
    .xCreate = connect_table,
    .xConnect = connect_table,
    .xBestIndex = best_index,
    .xDisconnect = disconnect_table,
    .xDestroy = disconnect_table,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter,
    .xNext = next_row,
    .xEof = at_end,
    .xColumn = column,
    .xRowid = row_number,
};

int mp_record_table_register(sqlite3 *handle, struct mp_record_source *source)
{
	return sqlite3_create_module(handle, "mp_record", &module, source);
}

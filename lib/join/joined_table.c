/* joined_table.c: the virtual table of joined tasks, and the temporary table behind it. Knows no join. */
#include "join/joined_table.h"

#include <string.h>

#include "store/sink.h"

_Static_assert((int)MP_JOINED_COLUMN_MAX <= (int)MP_BULK_COLUMN_MAX, "a sink takes all columns");

#define STORED "joined_task_row"
#define DROP_STORED "DROP TABLE IF EXISTS temp." STORED

struct joined_vtab {
	sqlite3_vtab base;
	struct mp_joined_table *joined;
};

struct joined_cursor {
	sqlite3_vtab_cursor base;
	struct mp_query *rows;
	sqlite3_int64 row;
	int status; /* of mp_query_next */
};

/* "PREFIX("a" INTEGER, ...)", to be freed with sqlite3_free; NULL without memory. */
static char *declaration(const struct mp_joined_table *t, const char *prefix)
{
	sqlite3_str *sql = sqlite3_str_new(t->db->handle);

	for (int i = 0; i < t->count; i++)
		sqlite3_str_appendf(sql, "%s%s\"%w\" INTEGER", i ? "" : prefix, i ? ", " : "(", t->names[i]);
	sqlite3_str_appendall(sql, ")");
	return sqlite3_str_finish(sql);
}

static int put_rows(struct mp_joined_table *t, struct mp_sink *sink, struct mp_error *err)
{
	struct mp_value values[MP_JOINED_COLUMN_MAX], *wanted[MP_JOINED_COLUMN_MAX];
	const struct mp_value *row[MP_JOINED_COLUMN_MAX];
	int columns[MP_JOINED_COLUMN_MAX], status;

	for (int i = 0; i < t->count; i++) {
		columns[i] = i;
		wanted[i] = &values[i];
		row[i] = &values[i];
	}
	if (t->source->begin(t->source->user, columns, t->count, err))
		return -1;
	while ((status = t->source->next(t->source->user, err)) == 1) {
		t->source->give(t->source->user, wanted);
		if (mp_sink_put(sink, row, err))
			return -1;
	}
	return status;
}

int mp_joined_table_store(struct mp_joined_table *t, struct mp_error *err)
{
	const char *names[MP_JOINED_COLUMN_MAX];
	struct mp_sink sink = {.count = 0};
	char *sql;
	int status;

	if (t->stored)
		return 0;
	sql = declaration(t, "CREATE TEMP TABLE " STORED);
	if (!sql)
		return mp_fail_memory(err, "a statement");
	status = mp_db_run(t->db, sql, err);
	sqlite3_free(sql);
	for (int i = 0; i < t->count; i++)
		names[i] = t->names[i];
	if (!status)
		status =
		    mp_sink_open(&sink, t->db, NULL, STORED, names, t->count, err) || put_rows(t, &sink, err) ? -1 : 0;
	mp_sink_close(&sink);
	t->stored = !status;
	if (status) {
		struct mp_error unused;

		mp_db_run(t->db, DROP_STORED, &unused); /* the first error counts */
	}
	return status;
}

static int fail(sqlite3_vtab *vtab, const struct mp_error *err)
{
	sqlite3_free(vtab->zErrMsg);
	vtab->zErrMsg = sqlite3_mprintf("%s", err->text);
	return SQLITE_ERROR;
}

static int connect_table(
    sqlite3 *handle, void *aux, int argc, const char *const *argv, sqlite3_vtab **vtab, char **error)
{
	struct mp_joined_table *joined = aux;
	struct joined_vtab *t;
	char *text = declaration(joined, "CREATE TABLE joined");
	int status = text ? sqlite3_declare_vtab(handle, text) : SQLITE_NOMEM;

	(void)argc, (void)argv, (void)error;
	sqlite3_free(text);
	if (status)
		return status;
	t = sqlite3_malloc(sizeof(*t));
	if (!t)
		return SQLITE_NOMEM;
	memset(t, 0, sizeof(*t));
	t->joined = joined;
	*vtab = &t->base;
	return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *vtab)
{
	sqlite3_free(vtab);
	return SQLITE_OK;
}

static int destroy_table(sqlite3_vtab *vtab)
{
	struct mp_joined_table *joined = ((struct joined_vtab *)vtab)->joined;
	struct mp_error err;

	if (mp_db_run(joined->db, DROP_STORED, &err))
		return SQLITE_ERROR;
	joined->stored = false;
	return disconnect_table(vtab);
}

static int best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
	(void)vtab;
	info->estimatedCost = 1e6;
	return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *vtab, sqlite3_vtab_cursor **cursor)
{
	struct joined_cursor *c = sqlite3_malloc(sizeof(*c));

	(void)vtab;
	if (!c)
		return SQLITE_NOMEM;
	memset(c, 0, sizeof(*c));
	*cursor = &c->base;
	return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
	mp_query_close(((struct joined_cursor *)cursor)->rows);
	sqlite3_free(cursor);
	return SQLITE_OK;
}

static int next_row(sqlite3_vtab_cursor *cursor)
{
	struct joined_cursor *c = (struct joined_cursor *)cursor;
	struct mp_error err;

	c->row++;
	c->status = mp_query_next(c->rows, &err);
	return c->status < 0 ? fail(cursor->pVtab, &err) : SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *cursor, int index, const char *text, int argc, sqlite3_value **argv)
{
	static const char sql[] = "SELECT * FROM temp." STORED " ORDER BY rowid";
	struct mp_joined_table *joined = ((struct joined_vtab *)cursor->pVtab)->joined;
	struct joined_cursor *c = (struct joined_cursor *)cursor;
	struct mp_error err;

	(void)index, (void)text, (void)argc, (void)argv;
	if (mp_joined_table_store(joined, &err) ||
	    (!c->rows && mp_query_open(&c->rows, joined->db, sql, sizeof(sql) - 1, &err)))
		return fail(cursor->pVtab, &err);
	mp_query_rewind(c->rows);
	c->row = 0;
	return next_row(cursor);
}

static int at_end(sqlite3_vtab_cursor *cursor)
{
	return ((struct joined_cursor *)cursor)->status != 1;
}

static int column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int index)
{
	struct mp_value v = mp_query_value(((struct joined_cursor *)cursor)->rows, index);

	mp_result(context, v);
	return SQLITE_OK;
}

static int row_number(sqlite3_vtab_cursor *cursor, sqlite3_int64 *row)
{
	*row = ((struct joined_cursor *)cursor)->row;
	return SQLITE_OK;
}

static const sqlite3_module module = {
    .xCreate = connect_table,
    .xConnect = connect_table,
    .xBestIndex = best_index,
    .xDisconnect = disconnect_table,
    .xDestroy = destroy_table,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter,
    .xNext = next_row,
    .xEof = at_end,
    .xColumn = column,
    .xRowid = row_number,
};

int mp_joined_table_make(struct mp_joined_table *t, struct mp_error *err)
{
	if (sqlite3_create_module(t->db->handle, "mp_joined_task", &module, t))
		return mp_db_fail(t->db, err, "cannot prepare");
	return mp_db_run(t->db, "CREATE VIRTUAL TABLE temp.joined_task USING mp_joined_task", err);
}

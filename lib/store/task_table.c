/* task_table.c: temp.joined_task, the virtual table over joined tasks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/tasks_internal.h"

enum column { DEVICE_ID, STREAM_ID, TASK_ID, BATCH_ID, CONTEXT_ID, START_NS, END_NS, WAIT_NS, TASK_TYPE, MHZ, CONNECTION_ID, OWN_COUNT };

static const char *const own[OWN_COUNT] = {
    "device_id", "stream_id", "task_id", "batch_id", "context_id", "start_ns", "end_ns", "wait_ns", "task_type", "mhz", "connection_id"};
static const char *const prefixes[MP_TASK_PART_COUNT] = {"launch", "info", "aic", "aiv"};

/* Where a column's value is. */
struct place_of_column {
	signed char part; /* -1: of the task itself */
	signed char index;
};

struct table {
	sqlite3_vtab base;
	struct mp_tasks *tasks;
	struct place_of_column columns[OWN_COUNT + MP_TASK_PART_COUNT * MP_FEED_COLUMN_MAX];
};

struct cursor {
	sqlite3_vtab_cursor base;
	struct table *table;
	sqlite3_int64 row;
	int more;
};

static void declare(struct table *t, sqlite3_str *sql)
{
	int count = 0;

	for (signed char i = 0; i < OWN_COUNT; i++) {
		sqlite3_str_appendf(sql, "%s%s", i ? ", " : "CREATE TABLE task(", own[i]);
		t->columns[count++] = (struct place_of_column){-1, i};
	}
	for (signed char part = 0; part < MP_TASK_PART_COUNT; part++) {
		const struct mp_feed *feed = mp_tasks_feed(t->tasks, (enum mp_task_part)part);

		for (int i = 0; i < feed->column_count; i++) {
			sqlite3_str_appendf(sql, ", %s_%s", prefixes[part], feed->columns[i]);
			t->columns[count++] = (struct place_of_column){part, (signed char)i};
		}
	}
	sqlite3_str_appendall(sql, ")");
}

static int connect_table(
    sqlite3 *handle, void *aux, int argc, const char *const *argv, sqlite3_vtab **vtab, char **error)
{
	sqlite3_str *sql = sqlite3_str_new(handle);
	struct table *t = sqlite3_malloc(sizeof(*t));
	int status = SQLITE_NOMEM;
	char *text;

	(void)argc, (void)argv, (void)error;
	if (t) {
		memset(t, 0, sizeof(*t));
		t->tasks = aux;
		declare(t, sql);
	}
	text = sqlite3_str_finish(sql);
	if (t && text)
		status = sqlite3_declare_vtab(handle, text);
	sqlite3_free(text);
	if (status)
		sqlite3_free(t);
	else
		*vtab = &t->base;
	return status;
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
	struct cursor *c = sqlite3_malloc(sizeof(*c));

	if (!c)
		return SQLITE_NOMEM;
	memset(c, 0, sizeof(*c));
	c->table = (struct table *)vtab;
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
	struct cursor *c = (struct cursor *)cursor;
	struct mp_error err;

	c->row++;
	c->more = mp_tasks_next(c->table->tasks, &err);
	if (c->more >= 0)
		return SQLITE_OK;
	sqlite3_free(c->table->base.zErrMsg);
	c->table->base.zErrMsg = sqlite3_mprintf("%s", err.text);
	return SQLITE_ERROR;
}

static int filter(sqlite3_vtab_cursor *cursor, int index, const char *text, int argc, sqlite3_value **argv)
{
	(void)index, (void)text, (void)argc, (void)argv;
	if (((struct cursor *)cursor)->table->tasks->device >= 0) /* a second scan */
		return SQLITE_MISUSE;
	return next_row(cursor);
}

static int at_end(sqlite3_vtab_cursor *cursor)
{
	return ((struct cursor *)cursor)->more != 1;
}

static void own_column(const struct mp_tasks *t, sqlite3_context *context, enum column column)
{
	if (!t->run && (column == START_NS || column == END_NS || column == TASK_TYPE))
		return;
	if ((!t->has_call && column == CONNECTION_ID) || (!t->has_wait && column == WAIT_NS) || (!t->has_mhz && column == MHZ))
		return;
	switch (column) {
	case DEVICE_ID: sqlite3_result_int64(context, t->device_id); break;
	case STREAM_ID: sqlite3_result_int64(context, t->stream_id); break;
	case TASK_ID: sqlite3_result_int64(context, t->task_id); break;
	case BATCH_ID: sqlite3_result_int64(context, t->batch_id); break;
	case CONTEXT_ID: sqlite3_result_int64(context, t->run ? t->run->context_id : MP_NO_CONTEXT); break;
	case START_NS: sqlite3_result_int64(context, t->run->start_ns); break;
	case END_NS: sqlite3_result_int64(context, t->run->end_ns); break;
	case WAIT_NS: sqlite3_result_int64(context, t->wait_ns); break;
	case MHZ: sqlite3_result_int64(context, t->mhz); break;
	case TASK_TYPE: sqlite3_result_int64(context, t->run->type); break;
	default: sqlite3_result_int64(context, t->call);
	}
}

static int column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int index)
{
	struct table *table = ((struct cursor *)cursor)->table;
	struct mp_tasks *t = table->tasks;
	struct place_of_column place = table->columns[index];
	struct mp_value v;

	if (place.part < 0) {
		own_column(t, context, (enum column)place.index);
		return SQLITE_OK;
	}
	if (!t->parts[place.part].is_there)
		return SQLITE_OK;
	v = mp_feed_kept(mp_tasks_feed(t, (enum mp_task_part)place.part), &t->parts[place.part].record, place.index);
	if (v.type == MP_INT)
		sqlite3_result_int64(context, v.i);
	else if (v.type == MP_TEXT)
		sqlite3_result_text(context, v.text, (int)v.len, SQLITE_TRANSIENT);
	else if (v.type == MP_BLOB)
		sqlite3_result_blob(context, v.text, (int)v.len, SQLITE_TRANSIENT);
	return SQLITE_OK;
}

static int row_number(sqlite3_vtab_cursor *cursor, sqlite3_int64 *row)
{
	*row = ((struct cursor *)cursor)->row;
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

int mp_task_table_create(struct mp_tasks *tasks, struct mp_error *err)
{
	if (sqlite3_create_module(tasks->load->db->handle, "mp_task", &module, tasks))
		return mp_db_fail(tasks->load->db, err, "cannot prepare");
	return mp_db_run(tasks->load->db, "CREATE VIRTUAL TABLE temp.joined_task USING mp_task", err);
}

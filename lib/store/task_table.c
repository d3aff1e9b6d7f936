/* task_table.c: temp.joined_task, the virtual table over joined tasks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/task_pump.h"

enum { COLUMN_MAX = MP_TASK_OWN_COUNT + MP_TASK_PART_COUNT * MP_FEED_COLUMN_MAX };

static const char *const prefixes[MP_TASK_PART_COUNT] = {"launch", "info", "aic", "aiv"};

struct table {
	sqlite3_vtab base;
	struct mp_tasks *tasks;
	struct mp_task_column columns[COLUMN_MAX];
	int count;
};

struct cursor {
	sqlite3_vtab_cursor base;
	struct table *table;
	sqlite3_int64 row;
	int more;
	short slots[COLUMN_MAX]; /* of a column in the pump, or -1 */
	const int64_t *values;   /* of the row, by slot */
	const bool *nulls;
};

static void declare(struct table *t, sqlite3_str *sql)
{
	for (int i = 0; i < MP_TASK_OWN_COUNT; i++) {
		sqlite3_str_appendf(sql, "%s%s", i ? ", " : "CREATE TABLE task(", mp_task_own_names[i]);
		t->columns[t->count++] = (struct mp_task_column){-1, (signed char)i};
	}
	for (int part = 0; part < MP_TASK_PART_COUNT; part++) {
		const struct mp_feed *feed = mp_tasks_feed(t->tasks, (enum mp_task_part)part);

		for (int i = 0; i < feed->column_count; i++) {
			sqlite3_str_appendf(sql, ", %s_%s", prefixes[part], feed->columns[i]);
			t->columns[t->count++] = (struct mp_task_column){(signed char)part, (signed char)i};
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
	char text[17];

	(void)vtab;
	info->estimatedCost = 1e6;
	snprintf(text, sizeof(text), "%016llx", (unsigned long long)info->colUsed);
	info->idxStr = sqlite3_mprintf("%s", text);
	info->needToFreeIdxStr = 1;
	return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
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
	struct mp_load *load = ((struct cursor *)cursor)->table->tasks->load;

	mp_pump_stop(load->pump);
	load->pump = NULL;
	sqlite3_free(cursor);
	return SQLITE_OK;
}

static int fail(struct cursor *c, const struct mp_error *err)
{
	sqlite3_free(c->table->base.zErrMsg);
	c->table->base.zErrMsg = sqlite3_mprintf("%s", err->text);
	return SQLITE_ERROR;
}

static int next_row(sqlite3_vtab_cursor *cursor)
{
	struct cursor *c = (struct cursor *)cursor;
	struct mp_error err;

	c->row++;
	c->more = mp_pump_next(c->table->tasks->load->pump, &err);
	if (c->more == 1)
		c->values = mp_pump_row(c->table->tasks->load->pump, &c->nulls);
	return c->more < 0 ? fail(c, &err) : SQLITE_OK;
}

/* Start the pump with the columns that SQLite said it will use; the last bit stands for all from there on. */
static int filter(sqlite3_vtab_cursor *cursor, int index, const char *text, int argc, sqlite3_value **argv)
{
	struct cursor *c = (struct cursor *)cursor;
	struct table *t = c->table;
	struct mp_task_column used[COLUMN_MAX];
	uint64_t mask = strtoull(text, NULL, 16);
	struct mp_error err;
	short count = 0;

	(void)index, (void)argc, (void)argv;
	if (t->tasks->device >= 0) /* a second scan */
		return SQLITE_MISUSE;
	for (int i = 0; i < t->count; i++) {
		bool is_used = mask >> (i < 63 ? i : 63) & 1;

		c->slots[i] = is_used ? count : -1;
		if (is_used)
			used[count++] = t->columns[i];
	}
	if (mp_tasks_begin(t->tasks, &err) || mp_pump_start(&t->tasks->load->pump, t->tasks, used, count, &err))
		return fail(c, &err);
	return next_row(cursor);
}

static int at_end(sqlite3_vtab_cursor *cursor)
{
	return ((struct cursor *)cursor)->more != 1;
}

static int column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int index)
{
	const struct cursor *c = (const struct cursor *)cursor;
	int slot = c->slots[index];

	if (slot >= 0 && !c->nulls[slot])
		sqlite3_result_int64(context, c->values[slot]);
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

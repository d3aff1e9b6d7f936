/* task_table.c: joined tasks as the rows of temp.joined_task. The table itself stays empty: it only says which columns
 * there are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/row_source.h"
#include "base/pump.h"
#include "prof/tasks_internal.h"

enum { COLUMN_MAX = MP_TASK_OWN_COUNT + MP_TASK_PART_COUNT * MP_FEED_COLUMN_MAX };

static const char *const prefixes[MP_TASK_PART_COUNT] = {"launch", "info", "aic", "aiv"};

struct mp_task_rows {
	struct mp_row_source source;
	struct mp_tasks *tasks;
	struct mp_task_column columns[COLUMN_MAX];
	char names[COLUMN_MAX][64];
	int count, wanted;
	bool begun;
};

static void name_column(struct mp_task_rows *r, int part, int index, const char *prefix, const char *name)
{
	snprintf(r->names[r->count], sizeof(r->names[0]), "%s%s%s", prefix, *prefix ? "_" : "", name);
	r->columns[r->count++] = (struct mp_task_column){(signed char)part, (signed char)index};
}

static void name_columns(struct mp_task_rows *r)
{
	for (int i = 0; i < MP_TASK_OWN_COUNT; i++)
		name_column(r, -1, i, "", mp_task_own_names[i]);
	for (int part = 0; part < MP_TASK_PART_COUNT; part++) {
		const struct mp_feed *feed = mp_tasks_feed(r->tasks, (enum mp_task_part)part);

		for (int i = 0; i < feed->column_count; i++)
			name_column(r, part, i, prefixes[part], feed->columns[i]);
	}
}

static int find(void *user, const char *column)
{
	const struct mp_task_rows *r = user;

	for (int i = 0; i < r->count; i++)
		if (strcmp(r->names[i], column) == 0)
			return i;
	return -1;
}

static int begin(void *user, const int *columns, int count, struct mp_error *err)
{
	struct mp_task_rows *r = user;
	struct mp_task_column used[COLUMN_MAX];

	if (r->begun || count > COLUMN_MAX)
		return mp_fail(err, "tasks are joined once");
	r->begun = true;
	r->wanted = count;
	for (int i = 0; i < count; i++) {
		used[i] = r->columns[columns[i]];
		if (i && columns[i] == columns[i - 1])
			return mp_fail(err, "joined_task: '%s' is asked for by two names", r->names[columns[i]]);
	}
	return mp_tasks_pump(r->tasks, used, count, err);
}

static int next(void *user, struct mp_error *err)
{
	return mp_pump_next(((struct mp_task_rows *)user)->tasks->load->pump, err);
}

static void give(void *user, struct mp_scalar *const *values)
{
	const struct mp_task_rows *r = user;
	const bool *nulls;
	const int64_t *row = mp_pump_row(r->tasks->load->pump, &nulls);

	for (int i = 0; i < r->wanted; i++)
		*values[i] = nulls[i] ? mp_null() : mp_int(row[i]);
}

int mp_task_table_create(struct mp_tasks *tasks, struct mp_error *err)
{
	struct mp_db *db = tasks->load->db;
	struct mp_task_rows *r = tasks->rows = calloc(1, sizeof(*r));
	sqlite3_str *sql;
	char *text;
	int status;

	if (!r)
		return mp_fail_memory(err, "the tasks of a job");
	r->source = (struct mp_row_source){"joined_task", r, find, begin, next, give};
	r->tasks = tasks;
	name_columns(r);
	sql = sqlite3_str_new(db->handle);
	for (int i = 0; i < r->count; i++)
		sqlite3_str_appendf(sql, "%s\"%w\" INTEGER", i ? ", " : "CREATE TEMP TABLE joined_task(", r->names[i]);
	sqlite3_str_appendall(sql, ")");
	text = sqlite3_str_finish(sql);
	if (!text)
		return mp_fail_memory(err, "a statement");
	status = mp_db_run(db, text, err);
	sqlite3_free(text);
	db->source = &r->source;
	return status;
}

bool mp_task_table_begun(const struct mp_tasks *tasks)
{
	return tasks->rows->begun;
}

void mp_task_table_free(struct mp_tasks *tasks)
{
	mp_pump_stop(tasks->load->pump);
	tasks->load->pump = NULL;
	tasks->load->db->source = NULL;
	free(tasks->rows);
}

/* task_table.c: joined tasks as the rows of temp.joined_task: which columns there are, and the values of each row. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "join/joined_table.h"
#include "join/tasks_internal.h"

static const char *const prefixes[MP_TASK_PART_COUNT] = {"launch", "info", "aic", "aiv"};

struct mp_task_rows {
	struct mp_row_source source;
	struct mp_joined_table table;
	struct mp_tasks *tasks;
	struct mp_task_column columns[MP_JOINED_COLUMN_MAX];
	int wanted[MP_JOINED_COLUMN_MAX], wanted_count; /* places in a row */
	int64_t values[MP_JOINED_COLUMN_MAX];
	bool nulls[MP_JOINED_COLUMN_MAX];
	bool begun;
};

static int name_column(
    struct mp_task_rows *r, int part, int index, const char *prefix, const char *name, struct mp_error *err)
{
	int at = r->table.count;

	if (at == MP_JOINED_COLUMN_MAX)
		return mp_fail(err, "joined_task: too many columns");
	snprintf(r->table.names[at], sizeof(r->table.names[at]), "%s%s%s", prefix, *prefix ? "_" : "", name);
	r->columns[at] = (struct mp_task_column){(signed char)part, (signed char)index};
	r->table.count++;
	return 0;
}

static int name_columns(struct mp_task_rows *r, struct mp_error *err)
{
	for (int i = 0; i < MP_TASK_OWN_COUNT; i++)
		if (name_column(r, -1, i, "", mp_task_own_names[i], err))
			return -1;
	for (int part = 0; part < MP_TASK_PART_COUNT; part++) {
		const struct mp_feed *feed = mp_tasks_feed(r->tasks, (enum mp_task_part)part);

		for (int i = 0; i < feed->column_count; i++)
			if (name_column(r, part, i, prefixes[part], feed->columns[i], err))
				return -1;
	}
	return 0;
}

static int find(void *user, const char *column)
{
	const struct mp_task_rows *r = user;

	for (int i = 0; i < r->table.count; i++)
		if (strcmp(r->table.names[i], column) == 0)
			return i;
	return -1;
}

/* A column may be wanted by two names: it is made once. */
static int begin(void *user, const int *columns, int count, struct mp_error *err)
{
	struct mp_task_rows *r = user;
	struct mp_task_column used[MP_JOINED_COLUMN_MAX];
	int unique = 0;

	if (r->begun)
		return mp_fail(err, "joined_task: the rows were read already");
	if (count > MP_JOINED_COLUMN_MAX)
		return mp_fail(err, "joined_task: too many columns");
	r->begun = true;
	r->wanted_count = count;
	for (int i = 0; i < count; i++) {
		if (!i || columns[i] != columns[i - 1])
			used[unique++] = r->columns[columns[i]];
		r->wanted[i] = unique - 1;
	}
	r->tasks->used = mp_tasks_choose(used, unique);
	return mp_tasks_begin(r->tasks, err);
}

static int next(void *user, struct mp_error *err)
{
	struct mp_task_rows *r = user;
	int status = mp_tasks_next(r->tasks, err);

	if (status == 1)
		mp_tasks_values(r->tasks, &r->tasks->used, r->values, r->nulls);
	return status;
}

static void give(void *user, struct mp_value *const *values)
{
	const struct mp_task_rows *r = user;

	for (int i = 0; i < r->wanted_count; i++)
		*values[i] = r->nulls[r->wanted[i]] ? mp_null() : mp_int(r->values[r->wanted[i]]);
}

int mp_task_table_create(struct mp_tasks *tasks, struct mp_error *err)
{
	struct mp_task_rows *r = tasks->rows = calloc(1, sizeof(*r));

	if (!r)
		return mp_fail_memory(err, "the tasks of a job");
	r->source = (struct mp_row_source){"joined_task", r, find, begin, next, give};
	r->tasks = tasks;
	r->table.db = tasks->load->db;
	r->table.source = &r->source;
	if (name_columns(r, err) || mp_joined_table_make(&r->table, err))
		return -1;
	tasks->load->db->source = &r->source;
	return 0;
}

int mp_task_table_store(struct mp_tasks *tasks, struct mp_error *err)
{
	return mp_joined_table_store(&tasks->rows->table, err);
}

void mp_task_table_free(struct mp_tasks *tasks)
{
	tasks->load->db->source = NULL;
	free(tasks->rows);
}

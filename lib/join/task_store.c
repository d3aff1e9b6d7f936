/* task_store.c: joined tasks as the rows of the table task: by pages where that is possible, else by SQLite. Knows no
 * column. */
#include <stdio.h>
#include <string.h>

#include "base/schema.h"
#include "join/tasks_internal.h"

#define TASK_FILE "sql/prof/task.sql"

/* The row of temp.task_given as parameters of the query. */
static int bind_given(struct mp_query *q, struct mp_db *db, struct mp_error *err)
{
	static const char sql[] = "SELECT * FROM temp.task_given";
	struct mp_query *given;
	int status;

	if (mp_query_open(&given, db, sql, sizeof(sql) - 1, err))
		return -1;
	status = mp_query_next(given, err);
	for (int i = 0; status == 1 && i < mp_query_column_count(given); i++) {
		struct mp_value v = mp_query_value(given, i);

		if (mp_query_bind(q, mp_query_title(given, i), &v, err))
			status = -1;
	}
	mp_query_close(given);
	return status < 0 ? -1 : 0;
}

static int open_sink(
    struct mp_sink *s, struct mp_load *load, struct mp_bulks *bulks, const struct mp_query *rows, struct mp_error *err)
{
	const char *columns[MP_BULK_COLUMN_MAX];
	int count = mp_query_column_count(rows);

	for (int i = 0; i < count && i < MP_BULK_COLUMN_MAX; i++)
		columns[i] = mp_query_title(rows, i);
	return mp_sink_open(s, load->db, bulks, "task", columns, count, err);
}

/* The rows that an engine takes while they are joined. */
static int put_joined(struct mp_load *load, struct mp_query *rows, struct mp_error *err)
{
	struct mp_sink sink = {.count = 0};
	int status = open_sink(&sink, load, load->bulks, rows, err) ? -1 : 1;

	while (status == 1 && (status = mp_query_next(rows, err)) == 1)
		if (mp_sink_put(&sink, mp_query_scalars(rows), err))
			status = -1;
	mp_sink_close(&sink);
	return status;
}

/* The rows as SQLite gives them. Tables that pages were made for are whole before: a statement runs now. */
static int put_stored(struct mp_load *load, struct mp_query *rows, struct mp_error *err)
{
	struct mp_value values[MP_BULK_COLUMN_MAX];
	const struct mp_value *row[MP_BULK_COLUMN_MAX];
	struct mp_sink sink = {.count = 0};
	int status;

	status = open_sink(&sink, load, NULL, rows, err) ? -1 : 1;
	while (status == 1 && (status = mp_query_next(rows, err)) == 1) {
		for (int i = 0; i < sink.count; i++) {
			values[i] = mp_query_value(rows, i);
			row[i] = &values[i];
		}
		if (mp_sink_put(&sink, row, err))
			status = -1;
	}
	mp_sink_close(&sink);
	return status;
}

static int attach(struct mp_load *load, struct mp_error *err)
{
	return load->bulks ? mp_bulks_attach(load->bulks, err) : 0;
}

/* How many runs have counters, and of how many these end before the run begins. */
static int put_counters_seen(const struct mp_tasks *t, struct mp_error *err)
{
	char sql[160];

	snprintf(sql, sizeof(sql), "CREATE TEMP TABLE counters_seen AS SELECT %lld AS found, %lld AS before",
	    (long long)t->counters_found, (long long)t->counters_before);
	return mp_db_run(t->load->db, sql, err);
}

int mp_tasks_store(struct mp_tasks *tasks, struct mp_error *err)
{
	const char *sql = mp_schema_text(TASK_FILE);
	struct mp_load *load = tasks->load;
	struct mp_query *rows;
	int status;

	if (mp_query_open_rows(&rows, load->db, sql, strlen(sql), err))
		return -1;
	status = bind_given(rows, load->db, err);
	if (!status && mp_query_takes(rows, load->db->source))
		status = put_joined(load, rows, err) || attach(load, err) ? -1 : 0;
	else if (!status)
		status = mp_task_table_store(tasks, err) || attach(load, err) || put_stored(load, rows, err) ? -1 : 0;
	mp_query_close(rows);
	return status ? -1 : put_counters_seen(tasks, err);
}

/* task_store.c: joined tasks as the rows of the table task: by pages where that is possible, else by SQLite. Knows no
 * column. */
#include <string.h>

#include "base/schema.h"
#include "prof/tasks_internal.h"

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

static int open_sink(struct mp_sink *s, struct mp_load *load, const struct mp_query *rows, struct mp_error *err)
{
	const char *columns[MP_BULK_COLUMN_MAX];
	int count = mp_query_column_count(rows);

	if (!mp_query_scalars(rows))
		return mp_fail(err, "schema/" TASK_FILE ": more than cells can compute");
	for (int i = 0; i < count && i < MP_BULK_COLUMN_MAX; i++)
		columns[i] = mp_query_title(rows, i);
	return mp_sink_open(s, load->db, load->bulks, "task", columns, count, err);
}

static int put_rows(struct mp_sink *s, const struct mp_tasks *tasks, struct mp_query *rows, struct mp_error *err)
{
	int status;

	while ((status = mp_query_next(rows, err)) == 1)
		if (mp_sink_put(s, mp_query_scalars(rows), err))
			return -1;
	if (!status && !mp_task_table_begun(tasks)) /* SQLite looked at the table that is empty */
		return mp_fail(err, "schema/" TASK_FILE ": more than cells can compute");
	return status;
}

int mp_tasks_store(struct mp_tasks *tasks, struct mp_error *err)
{
	const char *sql = mp_schema_text(TASK_FILE);
	struct mp_load *load = tasks->load;
	struct mp_sink sink = {.count = 0};
	struct mp_query *rows;
	int status;

	if (mp_query_open_rows(&rows, load->db, sql, strlen(sql), err))
		return -1;
	status =
	    bind_given(rows, load->db, err) || open_sink(&sink, load, rows, err) || put_rows(&sink, tasks, rows, err)
		? -1
		: 0;
	mp_sink_close(&sink);
	mp_query_close(rows);
	return status || !load->bulks ? status : mp_bulks_attach(load->bulks, err);
}

/* task_store.c: joined tasks as the rows of the table task: by pages where that is possible, else by SQLite. Knows no column. */
#include <string.h>

#include "base/schema.h"
#include "store/load.h"
#include "store/tasks.h"
#include "store/tasks_internal.h"

#define TASK_FILE "sql/prof/task.sql"

/* Where rows go: one of the two. */
struct sink {
	struct mp_query *rows;
	int columns; /* of the rows */
	struct mp_bulk *bulk;
	int from[MP_BULK_COLUMN_MAX]; /* which column of the rows a column of the table is, or -1 */
	struct mp_query *insert;
};

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

/* INSERT INTO task with the titles of the rows as columns. */
static int open_insert(struct sink *s, struct mp_db *db, struct mp_error *err)
{
	sqlite3_str *sql = sqlite3_str_new(db->handle);
	char *text;
	int status;

	for (int i = 0; i < s->columns; i++)
		sqlite3_str_appendf(sql, "%s\"%w\"", i ? ", " : "INSERT INTO task(", mp_query_title(s->rows, i));
	for (int i = 0; i < s->columns; i++)
		sqlite3_str_appendall(sql, i ? ", ?" : ") VALUES(?");
	sqlite3_str_appendall(sql, ")");
	text = sqlite3_str_finish(sql);
	if (!text)
		return mp_fail_memory(err, "a statement");
	status = mp_query_open(&s->insert, db, text, strlen(text), err);
	sqlite3_free(text);
	return status;
}

static int open_bulk(struct sink *s, struct mp_error *err)
{
	int found = 0;

	for (int i = 0; i < mp_bulk_column_count(s->bulk); i++) {
		s->from[i] = -1;
		for (int k = 0; k < s->columns; k++)
			if (strcmp(mp_bulk_column_name(s->bulk, i), mp_query_title(s->rows, k)) == 0)
				s->from[i] = k;
		found += s->from[i] >= 0;
	}
	return found == s->columns ? 0 : mp_fail(err, "schema/" TASK_FILE ": a column that the table task has not");
}

static int open_sink(struct sink *s, struct mp_load *load, struct mp_error *err)
{
	s->columns = mp_query_column_count(s->rows);
	if (!mp_query_cells(s->rows))
		return mp_fail(err, "schema/" TASK_FILE ": more than cells can compute");
	if (load->bulks && mp_bulk_find(&s->bulk, load->bulks, "task", err))
		return -1;
	return s->bulk ? open_bulk(s, err) : open_insert(s, load->db, err);
}

static int put_row(struct sink *s, struct mp_error *err)
{
	const struct mp_scalar *const *cells = mp_query_cells(s->rows);
	struct mp_scalar values[MP_BULK_COLUMN_MAX];
	int status = 0;

	if (s->bulk) {
		for (int i = 0; i < mp_bulk_column_count(s->bulk); i++)
			values[i] = s->from[i] < 0 ? mp_null() : *cells[s->from[i]];
		return mp_bulk_add(s->bulk, values, err);
	}
	for (int i = 0; !status && i < s->columns; i++)
		status = mp_query_bind_value(s->insert, i + 1, mp_query_value(s->rows, i), err);
	if (!status)
		status = mp_query_next(s->insert, err);
	mp_query_rewind(s->insert);
	return status;
}

int mp_tasks_store(struct mp_tasks *tasks, struct mp_error *err)
{
	const char *sql = mp_schema_text(TASK_FILE);
	struct mp_load *load = tasks->load;
	struct sink s = {.bulk = NULL};
	int status;

	if (mp_query_open_rows(&s.rows, load->db, sql, strlen(sql), err))
		return -1;
	status = bind_given(s.rows, load->db, err) || open_sink(&s, load, err) ? -1 : 1;
	while (status == 1 && (status = mp_query_next(s.rows, err)) == 1)
		status = put_row(&s, err) ? -1 : 1;
	if (!status && !mp_task_table_begun(tasks)) /* SQLite looked at the table that is empty */
		status = mp_fail(err, "schema/" TASK_FILE ": more than cells can compute");
	mp_query_close(s.insert);
	mp_query_close(s.rows);
	return status || !s.bulk ? status : mp_bulks_attach(load->bulks, err);
}

/*
 * task_rows.c: joined tasks as rows: the columns of temp.joined_task, the values of each row, and their way into the
 * table `task`. Knows no column of that table.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/schema.h"
#include "join/tasks_internal.h"

#define TABLE "joined_task"
#define TASK_FILE "sql/prof/task.sql"

enum { COLUMN_MAX = 160 };

/* The columns of a task itself. */
enum column_of_task {
	DEVICE_ID,
	STREAM_ID,
	TASK_ID,
	BATCH_ID,
	CONTEXT_ID,
	START_NS,
	END_NS,
	WAIT_NS,
	TASK_TYPE,
	MHZ,
	CONNECTION_ID,
	NODE_ID,
	BEFORE_NS,
	IS_OP
};

enum { OWN_COUNT = IS_OP + 1 };

static const char *const own_names[OWN_COUNT] = {"device_id", "stream_id", "task_id", "batch_id", "context_id",
    "start_ns", "end_ns", "wait_ns", "task_type", "mhz", "connection_id", "node_id", "before_ns", "is_op"};

static const char *const prefixes[MP_TASK_PART_COUNT] = {"launch_", "info_", "aic_", "aiv_"};

/* A column: of the task itself (part -1), or of a part. */
struct column {
	signed char part, index;
	char name[64];
};

struct mp_task_rows {
	struct mp_source source;
	struct mp_tasks *tasks;
	struct column columns[COLUMN_MAX];
	int count;
	bool begun;
	struct mp_feed_columns parts[MP_TASK_PART_COUNT]; /* chosen, each once */
	const struct mp_wanted *wanted;
	int from[COLUMN_MAX], wanted_count; /* for each wanted one that of its number */
	int64_t numbers[COLUMN_MAX];        /* those of the task, then those of the parts */
	bool nulls[COLUMN_MAX];
};

static struct mp_feed *feed_of(struct mp_tasks *t, int part)
{
	return part == MP_TASK_LAUNCH ? &t->track : part == MP_TASK_INFO ? &t->info : &t->pmu;
}

/* Stores the numbers of the task itself. Those of its identity are never NULL. */
static void read_own(const struct mp_tasks *t, int64_t *numbers, bool *nulls)
{
	const struct mp_run *run = t->now.run;

	numbers[DEVICE_ID] = t->now.device_id;
	numbers[STREAM_ID] = t->now.stream_id;
	numbers[TASK_ID] = t->now.task_id;
	numbers[BATCH_ID] = t->now.batch_id;
	numbers[CONTEXT_ID] = run ? run->context_id : MP_NO_CONTEXT;
	numbers[START_NS] = run ? run->start_ns : 0;
	numbers[END_NS] = run ? run->end_ns : 0;
	numbers[TASK_TYPE] = run ? run->type : 0;
	nulls[START_NS] = nulls[END_NS] = !run;
	nulls[TASK_TYPE] = !run || run->type < 0;
	numbers[WAIT_NS] = t->now.wait_ns;
	numbers[BEFORE_NS] = t->now.before_ns;
	nulls[WAIT_NS] = nulls[BEFORE_NS] = !t->now.has_wait;
	numbers[MHZ] = t->now.mhz;
	nulls[MHZ] = !t->now.has_mhz;
	numbers[CONNECTION_ID] = t->now.call;
	nulls[CONNECTION_ID] = !t->now.has_call;
	numbers[NODE_ID] = t->now.node_id;
	nulls[NODE_ID] = !t->now.has_node;
	numbers[IS_OP] = 1;
	nulls[IS_OP] = !t->now.is_op;
}

/* Store the numbers of the current task: its own, then the chosen columns of each part. */
static void read_numbers(struct mp_task_rows *r)
{
	struct mp_tasks *t = r->tasks;
	int at = OWN_COUNT;

	read_own(t, r->numbers, r->nulls);
	for (int part = 0; part < MP_TASK_PART_COUNT; part++) {
		struct mp_feed_columns *wanted = &r->parts[part];

		if (!wanted->count)
			continue;
		if (t->now.parts[part].is_there)
			mp_feed_kept_numbers(
			    feed_of(t, part), &t->now.parts[part].record, wanted, r->numbers + at, r->nulls + at);
		else
			memset(r->nulls + at, true, (size_t)wanted->count);
		at += wanted->count;
	}
}

static int next(struct mp_rows *rows, struct mp_error *err)
{
	struct mp_task_rows *r = (struct mp_task_rows *)rows;
	int status = mp_tasks_next(r->tasks, err);

	if (status != 1)
		return status;
	read_numbers(r);
	for (int i = 0; i < r->wanted_count; i++)
		*r->wanted[i].value = r->nulls[r->from[i]] ? mp_null() : mp_int(r->numbers[r->from[i]]);
	return 1;
}

static int begin(struct mp_source *source, const struct mp_wanted *wanted, int count, struct mp_error *err)
{
	struct mp_task_rows *r = (struct mp_task_rows *)source;
	int chosen = OWN_COUNT;

	if (r->begun)
		return mp_fail(err, TABLE ": the rows were read already");
	if (count > COLUMN_MAX)
		return mp_fail(err, TABLE ": too many columns");
	r->begun = true;
	r->wanted = wanted;
	r->wanted_count = count;
	for (int i = 0; i < count; i++) {
		const struct column *c = &r->columns[wanted[i].column];

		if (c->part >= 0 &&
		    (!i || wanted[i].column != wanted[i - 1].column)) { /* a column may be wanted by two names */
			struct mp_feed_columns *part = &r->parts[c->part];

			part->of_table[part->count++] = c->index;
			chosen++;
		}
		r->from[i] = c->part < 0 ? c->index : chosen - 1;
	}
	return mp_tasks_begin(r->tasks, err);
}

static int add_column(struct mp_task_rows *r, int part, int index, const char *name, struct mp_error *err)
{
	struct column *c = &r->columns[r->count];

	if (r->count++ == COLUMN_MAX)
		return mp_fail(err, TABLE ": too many columns");
	c->part = (signed char)part;
	c->index = (signed char)index;
	snprintf(c->name, sizeof(c->name), "%s%s", part < 0 ? "" : prefixes[part], name);
	return 0;
}

static int add_columns(struct mp_task_rows *r, struct mp_error *err)
{
	for (int i = 0; i < OWN_COUNT; i++)
		if (add_column(r, -1, i, own_names[i], err))
			return -1;
	for (int part = 0; part < MP_TASK_PART_COUNT; part++) {
		const struct mp_feed *feed = feed_of(r->tasks, part);

		for (int i = 0; i < feed->columns.count; i++)
			if (add_column(r, part, i, feed->columns.items[i].name, err))
				return -1;
	}
	return 0;
}

int mp_task_rows_create(struct mp_tasks *tasks, struct mp_error *err)
{
	struct mp_task_rows *r = tasks->rows = calloc(1, sizeof(*r));
	struct mp_db *db = tasks->load->db;
	sqlite3_str *sql;

	if (!r)
		return mp_fail_memory(err, "the tasks of a job");
	r->source = (struct mp_source){{next, NULL}, TABLE, begin};
	r->tasks = tasks;
	if (add_columns(r, err))
		return -1;
	sql = sqlite3_str_new(db->handle);
	for (int i = 0; i < r->count; i++)
		sqlite3_str_appendf(
		    sql, "%s\"%w\" INTEGER", i ? ", " : "CREATE TEMP TABLE " TABLE "(", r->columns[i].name);
	sqlite3_str_appendall(sql, ")");
	db->source = &r->source;
	return mp_db_run_built(db, sql, err);
}

void mp_task_rows_free(struct mp_tasks *tasks)
{
	tasks->load->db->source = NULL;
	free(tasks->rows);
}

/* Join all tasks now, into temp.joined_task: for SQL that no engine computes. */
static int fill_table(struct mp_task_rows *r, struct mp_error *err)
{
	const struct mp_value *places[COLUMN_MAX];
	struct mp_value values[COLUMN_MAX];
	struct mp_wanted wanted[COLUMN_MAX];
	const char *names[COLUMN_MAX];
	struct mp_sink sink;
	int status;

	for (int i = 0; i < r->count; i++) {
		wanted[i] = (struct mp_wanted){.column = i, .value = &values[i]};
		places[i] = &values[i];
		names[i] = r->columns[i].name;
	}
	if (mp_sink_open(&sink, r->tasks->load->db, NULL, TABLE, names, r->count, err))
		return -1;
	r->source.rows.values = places;
	status = r->source.begin(&r->source, wanted, r->count, err) || mp_sink_take(&sink, &r->source.rows, err);
	mp_sink_close(&sink);
	return status ? -1 : 0;
}

/* The row of temp.task_given as parameters of the query. */
static int bind_given(struct mp_query *q, struct mp_db *db, struct mp_error *err)
{
	struct mp_query *given;
	int status = mp_query_ask(&given, db, "SELECT * FROM temp.task_given", NULL, 0, err);

	for (int i = 0; status == 1 && i < mp_query_column_count(given); i++) {
		struct mp_value v = mp_query_value(given, i);

		if (mp_query_bind(q, mp_query_title(given, i), &v, err))
			status = -1;
	}
	mp_query_close(given);
	return status < 0 ? -1 : 0;
}

static int attach(struct mp_load *load, struct mp_error *err)
{
	return load->bulks ? mp_bulks_attach(load->bulks, err) : 0;
}

/* Where an engine takes the tasks as they are joined, pages are made of all rows. Where SQLite takes them, the tables
 * that pages were made for are whole before: a statement runs then. */
int mp_tasks_store(struct mp_tasks *tasks, struct mp_error *err)
{
	const char *sql = mp_schema_text(TASK_FILE);
	struct mp_load *load = tasks->load;
	const struct mp_engine_rows *made;
	struct mp_query *rows;
	int status;

	if (mp_query_open_rows(&rows, load->db, sql, strlen(sql), err))
		return -1;
	status = bind_given(rows, load->db, err);
	made = mp_query_engine(rows);
	if (!status && made && made->source)
		status = mp_sink_query(load->db, load->bulks, "task", rows, err) || attach(load, err);
	else if (!status)
		status = fill_table(tasks->rows, err) || attach(load, err) ||
			 mp_sink_query(load->db, NULL, "task", rows, err);
	mp_query_close(rows);
	return status ? -1
		      : mp_db_put(load->db, "INSERT INTO temp.counters_seen VALUES(?, ?)",
			    MP_VALUES(mp_int(tasks->counters_found), mp_int(tasks->counters_before)), err);
}

/* sequence_tables.c: reads the tasks among which sequences are sought, and stores those that are found. Knows no
 * family. */
#include <stdlib.h>
#include <string.h>

#include "insight/facts.h"
#include "insight/sequences.h"
#include "insight/sweep.h"

/* The columns of the query. */
enum { ROW, STREAM, KIND, START, END, COLUMNS };

struct read_task {
	int64_t stream;
	bool is_alone; /* in no sequence */
	struct mp_sequence_task task;
};

struct reading {
	struct mp_db *db;
	const struct mp_report *report;
	struct read_task *items;
	size_t count, room;
	struct mp_sequence_task *tasks; /* of the items that are not alone */
	size_t task_count;
	int64_t last_id;
	struct mp_query *put, *put_part, *put_run;
};

static double threshold(const struct mp_report *r, const char *name)
{
	for (int i = 0; i < r->threshold_count; i++)
		if (strcmp(r->thresholds[i].name, name) == 0)
			return r->thresholds[i].value;
	return 0;
}

static bool add(struct reading *r, const struct mp_value *v)
{
	struct read_task *t;

	if (r->count == r->room) {
		size_t room = r->room ? 2 * r->room : 1024;
		struct read_task *more = realloc(r->items, room * sizeof(*more));

		if (!more)
			return false;
		r->items = more;
		r->room = room;
	}
	t = &r->items[r->count++];
	*t = (struct read_task){
	    .stream = v[STREAM].type == MP_INT ? v[STREAM].i : -1, .is_alone = v[KIND].type != MP_INT};
	t->task = (struct mp_sequence_task){.kind = t->is_alone ? 0 : v[KIND].i,
	    .start_ns = v[START].i,
	    .end_ns = v[END].type == MP_INT && v[END].i > v[START].i ? v[END].i : v[START].i,
	    .row = (uint32_t)v[ROW].i};
	return true;
}

static int by_stream(const void *a, const void *b)
{
	const struct read_task *x = a, *y = b;

	if (x->stream != y->stream)
		return x->stream < y->stream ? -1 : 1;
	if (x->task.start_ns != y->task.start_ns)
		return x->task.start_ns < y->task.start_ns ? -1 : 1;
	return x->task.row < y->task.row ? -1 : x->task.row > y->task.row;
}

static int read_items(struct reading *r, const struct mp_report_row *each, struct mp_error *err)
{
	struct mp_value v[COLUMNS];
	struct mp_query *q;
	int status;

	r->count = 0;
	if (mp_report_rows(&q, r->db, &r->report->rows, "", "", MP_STYLE_DEFAULT, err))
		return -1;
	status = mp_report_bind(q, each, err);
	while (!status && (status = mp_query_next(q, err)) == 1) {
		mp_query_row(q, v, COLUMNS);
		status = v[START].type != MP_INT || add(r, v) ? 0 : mp_fail_memory(err, "sequences");
	}
	mp_query_close(q);
	return status;
}

/* Number the runs: of one stream, without a task that is alone and without a long gap. */
static bool make_runs(struct reading *r)
{
	int64_t most_gap_ns = (int64_t)(1000 * threshold(r->report, "most_gap_us")), end_ns = 0;
	uint32_t run = 0;

	if (r->count)
		qsort(r->items, r->count, sizeof(*r->items), by_stream);
	free(r->tasks);
	r->tasks = calloc(r->count + 1, sizeof(*r->tasks));
	r->task_count = 0;
	for (size_t i = 0; i < r->count && r->tasks; i++) {
		const struct read_task *t = &r->items[i];

		if (!i || t->stream != t[-1].stream || t->is_alone ||
		    mp_span_ns(end_ns, t->task.start_ns) > most_gap_ns)
			run++;
		end_ns = t->task.end_ns;
		if (t->is_alone)
			continue;
		r->tasks[r->task_count] = t->task;
		r->tasks[r->task_count++].run = run;
	}
	return r->tasks != NULL;
}

static int put(struct mp_query *q, const int64_t *values, int count, struct mp_error *err)
{
	struct mp_value cells[16];

	for (int i = 0; i < count; i++)
		cells[i] = mp_int(values[i]);
	return mp_query_put(q, cells, count, err);
}

static int put_run(struct reading *r, int64_t id, size_t first, int length, struct mp_error *err)
{
	const struct mp_sequence_task *a = &r->tasks[first], *z = a + length - 1;
	int64_t end_ns = a->end_ns, longest_ns = 0;

	for (const struct mp_sequence_task *t = a; t <= z; t++) {
		int64_t ns = mp_span_ns(t->start_ns, t->end_ns);

		end_ns = t->end_ns > end_ns ? t->end_ns : end_ns;
		longest_ns = ns > longest_ns ? ns : longest_ns;
	}
	return put(r->put_run,
	    (const int64_t[]){id, a->row, z->row, length, a->start_ns, mp_span_ns(a->start_ns, end_ns), longest_ns}, 7,
	    err);
}

static int store(struct reading *r, const struct mp_sequences *s, int64_t group, struct mp_error *err)
{
	int status = 0;

	for (int i = 0; i < s->count && !status; i++) {
		const struct mp_sequence *q = &s->items[i];

		status = put(r->put,
		    (const int64_t[]){r->last_id + i + 1, group, q->length, q->times, q->span_ns, q->saving_ns}, 6,
		    err);
		for (int k = 0; k < q->length && !status; k++)
			status = put(r->put_part,
			    (const int64_t[]){r->last_id + i + 1, k, r->tasks[q->first + (size_t)k].row}, 3, err);
	}
	for (size_t i = 0; i < r->task_count && !status; i++)
		if (s->number[i] < 0)
			status = put_run(r, r->last_id - s->number[i], i, s->items[-s->number[i] - 1].length, err);
	r->last_id += s->count;
	return status;
}

static int read_group(struct reading *r, struct mp_query *each, struct mp_report_row *row, struct mp_error *err)
{
	struct mp_sequences s = {.count = 0};
	int status;

	if (mp_report_row(row, each, err) || read_items(r, row, err))
		return -1;
	if (make_runs(r) &&
	    mp_sequences_find(&s, r->tasks, r->task_count, (int64_t)threshold(r->report, "least_times")))
		status = store(r, &s, mp_int_of(row->values[0]), err);
	else
		status = mp_fail_memory(err, "sequences");
	mp_sequences_free(&s);
	return status;
}

static int open_insert(struct mp_query **q, struct mp_db *db, const char *sql, struct mp_error *err)
{
	return mp_query_open(q, db, sql, strlen(sql), err);
}

static int read_groups(struct reading *r, struct mp_report_row *row, struct mp_error *err)
{
	struct mp_query *each;
	int status = 0;

	if (mp_report_query(&each, r->db, &r->report->each, "", "", MP_STYLE_DEFAULT, err))
		return -1;
	while (!status && (status = mp_query_next(each, err)) == 1)
		status = read_group(r, each, row, err);
	mp_query_close(each);
	return status;
}

int mp_facts_sequences(struct mp_db *db, const struct mp_report *report, struct mp_error *err)
{
	static const char tables[] =
	    "CREATE TEMP TABLE sequence(id INTEGER PRIMARY KEY, grp INTEGER, tasks INTEGER, times INTEGER, span_ns INTEGER, saving_ns INTEGER);"
	    "CREATE TEMP TABLE sequence_part(sequence INTEGER, place INTEGER, row INTEGER, PRIMARY KEY(sequence, place)) WITHOUT ROWID;"
	    "CREATE TEMP TABLE sequence_run(sequence INTEGER, first_row INTEGER, last_row INTEGER, tasks INTEGER, start_ns INTEGER,"
	    " span_ns INTEGER, longest_ns INTEGER)";
	struct reading r = {.db = db, .report = report};
	struct mp_report_row *row = malloc(sizeof(*row));
	int status = row ? 0 : mp_fail_memory(err, "sequences");

	if (!status)
		status =
		    mp_db_run(db, tables, err) ||
			    open_insert(&r.put, db, "INSERT INTO temp.sequence VALUES(?1, ?2, ?3, ?4, ?5, ?6)", err) ||
			    open_insert(&r.put_part, db, "INSERT INTO temp.sequence_part VALUES(?1, ?2, ?3)", err) ||
			    open_insert(&r.put_run, db,
				"INSERT INTO temp.sequence_run VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)", err) ||
			    mp_db_run(db, "BEGIN", err) || read_groups(&r, row, err) || mp_db_run(db, "COMMIT", err)
			? -1
			: 0;
	mp_query_close(r.put);
	mp_query_close(r.put_part);
	mp_query_close(r.put_run);
	free(r.items);
	free(r.tasks);
	free(row);
	return status;
}

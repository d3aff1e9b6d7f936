/*
 * facts.c: reads the tasks of a job track by track, sweeps them, and fills the temporary tables of the facts. Knows no
 * family and no column but its own.
 */
#include "insight/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "insight/ops.h"
#include "insight/sweep.h"

struct facts {
	struct mp_db *db;
	const struct mp_report *tasks, *calls; /* calls: NULL without a report of calls */
	struct mp_ops ops;
	char titles[MP_OP_SUMS][32]; /* of the numbers that are summed up */
	bool has_titles;
	struct mp_intervals intervals; /* of the current track */
	struct mp_windows windows;     /* of the current track */
	bool has_ranges;               /* of the current track: only tasks that start within a window count */
	bool runs_in_step;             /* whether a task of the current track runs in a window */
	struct mp_coverage host;       /* the time that any call ran; of the current track */
	struct mp_gaps gaps;
	struct mp_query *put_window, *put_time;
	int status; /* of a callback: 0, or -1 with err */
	struct mp_error *err;
};

enum { SQL_MAX = 2048, OP_COLUMNS = 13, ROW_MAX = OP_COLUMNS + MP_OP_SUMS };

static int open_insert(struct mp_query **q, struct mp_db *db, const char *table, int columns, struct mp_error *err)
{
	char sql[SQL_MAX];
	int used = snprintf(sql, sizeof(sql), "INSERT INTO temp.%s VALUES(?1", table);

	for (int i = 2; i <= columns; i++)
		used += snprintf(sql + used, sizeof(sql) - (size_t)used, ", ?%d", i);
	used += snprintf(sql + used, sizeof(sql) - (size_t)used, ")");
	return mp_query_open(q, db, sql, (size_t)used, err);
}

/* Store a row of numbers; INT64_MIN becomes NULL. */
static int insert(struct mp_query *q, const int64_t *values, int count, struct mp_error *err)
{
	struct mp_value cells[ROW_MAX];

	for (int i = 0; i < count; i++)
		cells[i] = values[i] == INT64_MIN ? mp_null() : mp_int(values[i]);
	return mp_query_put(q, cells, count, err);
}

static int open_tables(struct facts *f, struct mp_error *err)
{
	static const char tables[] =
	    "CREATE TEMP TABLE window(id INTEGER, track INTEGER, start_ns INTEGER, end_ns INTEGER, idle_ns INTEGER, gaps INTEGER);"
	    "CREATE TEMP TABLE window_time(window INTEGER, class INTEGER, alone_ns INTEGER, own_ns INTEGER);"
	    "CREATE TEMP TABLE gap(window INTEGER, start_ns INTEGER, end_ns INTEGER, reason INTEGER, before_op INTEGER,"
	    " before_row INTEGER, after_op INTEGER, after_row INTEGER, launch_ns INTEGER);"
	    "CREATE TEMP TABLE gap_reason(reason INTEGER, count INTEGER, total_ns INTEGER);";

	return mp_db_run(f->db, tables, err) || open_insert(&f->put_window, f->db, "window", 6, err) ||
		       open_insert(&f->put_time, f->db, "window_time", 4, err)
		   ? -1
		   : 0;
}

static int read_classes(struct facts *f, struct mp_error *err)
{
	static const char sql[] = "SELECT k1, k2, k3, k4, class FROM temp.op_class";
	struct mp_value v[MP_OP_KEYS + 1];
	int64_t keys[MP_OP_KEYS];
	struct mp_query *q;
	uint32_t op;
	int status;

	if (mp_query_open(&q, f->db, sql, sizeof(sql) - 1, err))
		return -1;
	while ((status = mp_query_next(q, err)) == 1) {
		mp_query_row(q, v, MP_OP_KEYS + 1);
		for (int i = 0; i < MP_OP_KEYS; i++)
			keys[i] = v[i].type == MP_INT ? v[i].i : -1;
		if (v[MP_OP_KEYS].i < 0 || v[MP_OP_KEYS].i >= MP_CLASS_MAX)
			status = mp_fail(err, "the class %lld is not known", (long long)v[MP_OP_KEYS].i);
		else if (!mp_ops_find(&f->ops, keys, (int)v[MP_OP_KEYS].i, &op))
			status = mp_fail_memory(err, "operators");
		if (status < 0)
			break;
	}
	mp_query_close(q);
	return status;
}

static int put_window(struct facts *f, int64_t track, const struct mp_sweep_window *w, struct mp_error *err)
{
	if (insert(f->put_window, (const int64_t[]){w->id, track, w->start_ns, w->end_ns, w->idle_ns, w->gaps}, 6, err))
		return -1;
	for (int i = 0; i < MP_CLASS_MAX; i++)
		if (w->own_ns[i] &&
		    insert(f->put_time, (const int64_t[]){w->id, i, w->alone_ns[i], w->own_ns[i]}, 4, err))
			return -1;
	return 0;
}

static int put_ops(struct facts *f, struct mp_error *err)
{
	char sql[SQL_MAX] =
	    "CREATE TEMP TABLE operator(id INTEGER PRIMARY KEY, k1 INTEGER, k2 INTEGER, k3 INTEGER, k4 INTEGER, class INTEGER,"
	    " count INTEGER, total_ns INTEGER, longest_ns INTEGER, shortest_ns INTEGER, alone_ns INTEGER, is_rest INTEGER,"
	    " first_row INTEGER";
	size_t used = strlen(sql);
	struct mp_query *q;
	int status = 0;

	for (int i = 0; i < f->ops.sum_count; i++)
		used += (size_t)snprintf(sql + used, sizeof(sql) - used, ", \"%s\" INTEGER", f->titles[i]);
	snprintf(sql + used, sizeof(sql) - used, ")");
	if (mp_db_run(f->db, sql, err) || open_insert(&q, f->db, "operator", OP_COLUMNS + f->ops.sum_count, err))
		return -1;
	for (size_t i = 0; i < f->ops.count && !status; i++) {
		const struct mp_op *o = &f->ops.items[i];
		int64_t row[ROW_MAX] = {(int64_t)i, o->keys[0], o->keys[1], o->keys[2], o->keys[3], o->class, o->count,
		    o->total_ns, o->longest_ns, o->shortest_ns, o->alone_ns, o->is_rest, o->first_row};

		memcpy(row + OP_COLUMNS, f->ops.sums + i * (size_t)f->ops.sum_count,
		    (size_t)f->ops.sum_count * sizeof(*row));
		if (o->count)
			status = insert(q, row, OP_COLUMNS + f->ops.sum_count, err);
	}
	mp_query_close(q);
	return status;
}

static int put_rest(struct facts *f, struct mp_error *err)
{
	struct mp_query *q;
	int status = put_ops(f, err) || open_insert(&q, f->db, "gap", 9, err) ? -1 : 0;

	if (status)
		return -1;
	mp_gaps_finish(&f->gaps);
	for (int i = 0; i < f->gaps.count && !status; i++) {
		const struct mp_kept_gap *g = &f->gaps.kept[i];

		status = insert(q,
		    (const int64_t[]){g->window, g->start_ns, g->end_ns, g->reason, g->before_op, g->before_row,
			g->after_op, g->after_row, g->launch_ns},
		    9, err);
	}
	mp_query_close(q);
	if (status || open_insert(&q, f->db, "gap_reason", 3, err))
		return -1;
	for (int i = 0; i < MP_GAP_REASONS && !status; i++)
		if (f->gaps.number[i])
			status = insert(q, (const int64_t[]){i, f->gaps.number[i], f->gaps.total_ns[i]}, 3, err);
	mp_query_close(q);
	return status;
}

static void close_tables(struct facts *f)
{
	mp_query_close(f->put_window);
	mp_query_close(f->put_time);
}

/* The first columns of a query of tasks; numbers to sum up follow. */
enum { ROW, KEY, CLASS = KEY + MP_OP_KEYS, START, DURATION, LAUNCH, NUMBERS, COLUMNS = NUMBERS + MP_OP_SUMS };

static int class_of(void *user, uint32_t op)
{
	const struct facts *f = user;

	return f->ops.items[op].class;
}

static void add_alone(void *user, uint32_t op, int64_t ns)
{
	struct facts *f = user;

	f->ops.items[op].alone_ns = mp_add_ns(f->ops.items[op].alone_ns, ns);
}

/* The program itself is late if calls ran in less than a tenth of the time until the next launch. */
static int find_program(struct facts *f, const struct mp_idle_gap *gap, bool *is_idle, struct mp_error *err)
{
	int64_t before_ns, until_ns, wait_ns = mp_span_ns(gap->start_ns, gap->after->launch_ns);

	if (!f->host.query && mp_report_rows(&f->host.query, f->db, &f->calls->rows, "", "", MP_STYLE_DEFAULT, err))
		return -1;
	if (mp_coverage_until(&f->host, gap->start_ns, &before_ns, err) ||
	    mp_coverage_until(&f->host, gap->after->launch_ns, &until_ns, err))
		return -1;
	*is_idle = until_ns - before_ns < wait_ns / 10;
	return 0;
}

static void add_gap(void *user, const struct mp_idle_gap *gap)
{
	struct facts *f = user;
	enum mp_gap_reason reason = mp_gap_reason(gap);

	if (reason == MP_GAP_HOST_LATE && f->calls && !f->status) {
		bool is_idle = false;

		f->status = find_program(f, gap, &is_idle, f->err);
		if (is_idle)
			reason = MP_GAP_PROGRAM;
	}
	mp_gaps_add(&f->gaps, gap, reason);
}

static int end_track(struct facts *f, int64_t track, struct mp_error *err)
{
	struct mp_sweep sweep = {.class_of = class_of, .alone = add_alone, .gap = add_gap, .user = f};
	int status = 0;

	if (!mp_intervals_sort(&f->intervals))
		return mp_fail_memory(err, "tasks");
	if (!f->has_ranges && f->intervals.count && mp_windows_whole(&f->windows, track, &f->intervals, err))
		return -1;
	/* The times of steps in which nothing ran are wrong, or no task of them was recorded: that is not idle. */
	if (f->has_ranges && !f->runs_in_step)
		f->windows.count = 0;
	sweep.intervals = &f->intervals;
	f->err = err;
	mp_sweep(&sweep, &f->windows);
	mp_query_close(f->host.query);
	f->host = (struct mp_coverage){.query = NULL};
	status = f->status;
	for (size_t i = 0; i < f->windows.count && !status; i++)
		status = put_window(f, track, &f->windows.items[i], err);
	f->intervals.count = 0;
	f->runs_in_step = false;
	return status;
}

/* Whether a step has a moment from start to end. */
static bool meets_step(const struct facts *f, int64_t start_ns, int64_t end_ns)
{
	size_t low = 0, high = f->windows.count;

	if (!f->has_ranges)
		return true;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (f->windows.items[middle].end_ns > start_ns)
			high = middle;
		else
			low = middle + 1;
	}
	return low < f->windows.count && f->windows.items[low].start_ns < end_ns;
}

static int add_task(struct facts *f, const struct mp_value *v, struct mp_error *err)
{
	int64_t keys[MP_OP_KEYS], numbers[MP_OP_SUMS];
	int class = v[CLASS].type == MP_INT && v[CLASS].i >= 0 && v[CLASS].i < MP_CLASS_MAX ? (int)v[CLASS].i : -1;
	struct mp_interval t = {.start_ns = v[START].i, .row = (uint32_t)v[ROW].i};
	int64_t dur_ns = v[DURATION].type == MP_INT && v[DURATION].i > 0 ? v[DURATION].i : 0;

	if (v[START].type != MP_INT)
		return 0; /* it never ran, or its time is unknown */
	for (int i = 0; i < MP_OP_KEYS; i++)
		keys[i] = v[KEY + i].type == MP_INT ? v[KEY + i].i : -1;
	for (int i = 0; i < f->ops.sum_count; i++)
		numbers[i] = v[NUMBERS + i].type == MP_INT ? v[NUMBERS + i].i : 0;
	t.end_ns = mp_add_ns(t.start_ns, dur_ns);
	t.launch_ns = v[LAUNCH].type == MP_INT ? v[LAUNCH].i : INT64_MIN;
	if (!mp_ops_find(&f->ops, keys, class, &t.op) || !mp_intervals_add(&f->intervals, &t))
		return mp_fail_memory(err, "tasks");
	f->runs_in_step = f->runs_in_step || meets_step(f, t.start_ns, t.end_ns);
	/* a task belongs to the step in which it starts */
	if (meets_step(f, t.start_ns, mp_add_ns(t.start_ns, 1)))
		mp_ops_add(&f->ops, t.op, t.row, dur_ns, numbers);
	return 0;
}

/* Take the titles of the numbers from the first query that is opened. */
static int read_titles(struct facts *f, const struct mp_query *q, struct mp_error *err)
{
	int count = mp_query_column_count(q);

	if (count < NUMBERS || count > COLUMNS)
		return mp_fail(err, "a query of tasks has %d columns, not %d to %d", count, (int)NUMBERS, (int)COLUMNS);
	if (f->has_titles)
		return count == NUMBERS + f->ops.sum_count ? 0 : mp_fail(err, "queries of tasks differ in columns");
	f->has_titles = true;
	f->ops.sum_count = count - NUMBERS;
	for (int i = 0; i < f->ops.sum_count; i++)
		snprintf(f->titles[i], sizeof(f->titles[i]), "%s", mp_query_title(q, NUMBERS + i));
	return read_classes(f, err);
}

static int read_tasks(struct facts *f, const struct mp_sql *sql, const struct mp_report_row *each, struct mp_error *err)
{
	struct mp_value values[COLUMNS];
	struct mp_query *q;
	int status;

	if (mp_report_rows(&q, f->db, sql, "", "", MP_STYLE_DEFAULT, err))
		return -1;
	status = mp_report_bind(q, each, err) || read_titles(f, q, err) ? -1 : 0;
	while (!status && (status = mp_query_next(q, err)) == 1) {
		mp_query_row(q, values, NUMBERS + f->ops.sum_count);
		status = add_task(f, values, err);
	}
	mp_query_close(q);
	return status;
}

/* Without a track the numbers have their titles, too: rules name them. */
static int read_nothing(struct facts *f, struct mp_error *err)
{
	struct mp_query *q;
	int status;

	if (mp_report_rows(&q, f->db, &f->tasks->rows, "", "", MP_STYLE_DEFAULT, err))
		return -1;
	status = read_titles(f, q, err);
	mp_query_close(q);
	return status;
}

static int read_track(void *user, const struct mp_report_row *row, struct mp_error *err)
{
	struct facts *f = user;
	const struct mp_report *r = f->tasks;
	int64_t track = mp_int_of(row->values[0]);

	if (mp_windows_read(&f->windows, f->db, track, err))
		return -1;
	f->has_ranges = f->windows.count > 0;
	if (read_tasks(f, &r->rows, row, err))
		return -1;
	for (int i = 0; i < r->layer_count; i++)
		if (read_tasks(f, &r->layers[i], row, err))
			return -1;
	return end_track(f, track, err);
}

static int read_tracks(struct facts *f, struct mp_error *err)
{
	if (mp_report_each(f->tasks, f->db, read_track, f, err))
		return -1;
	return f->has_titles ? 0 : read_nothing(f, err);
}

int mp_facts_collect(
    struct mp_db *db, const struct mp_report *tasks, const struct mp_report *calls, struct mp_error *err)
{
	struct facts *f = calloc(1, sizeof(*f));
	int status;

	if (!f)
		return mp_fail_memory(err, "the facts of a job");
	f->db = db;
	f->tasks = tasks;
	f->calls = calls;
	f->ops.class = 1; /* of operators without a class: vector */
	status = mp_db_run(db, "BEGIN", err) || open_tables(f, err) || read_tracks(f, err) || put_rest(f, err) ||
			 mp_db_run(db, "COMMIT", err)
		     ? -1
		     : 0;
	mp_query_close(f->host.query);
	close_tables(f);
	mp_ops_free(&f->ops);
	mp_intervals_free(&f->intervals);
	mp_windows_free(&f->windows);
	free(f);
	return status;
}

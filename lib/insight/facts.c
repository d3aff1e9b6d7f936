/* facts.c: reads the tasks of a job track by track, and sweeps them. Knows no family and no column but its own. */
#include "insight/facts.h"

#include <stdlib.h>
#include <string.h>

#include "insight/facts_internal.h"

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
static int find_program(struct facts *f, const struct mp_gap *gap, bool *is_idle, struct mp_error *err)
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

static void add_gap(void *user, const struct mp_gap *gap)
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

static bool add_window(struct facts *f, struct mp_window w)
{
	if (f->window_count == f->window_room) {
		size_t room = f->window_room ? 2 * f->window_room : 256;
		struct mp_window *more = realloc(f->windows, room * sizeof(*more));

		if (!more)
			return false;
		f->windows = more;
		f->window_room = room;
	}
	f->windows[f->window_count++] = w;
	return true;
}

/* The ranges that the script gave for a track. */
static int read_ranges(struct facts *f, int64_t track, struct mp_error *err)
{
	struct mp_window w = {.id = track};
	int status = mp_query_bind_int(f->ranges, "track", track, err);

	f->window_count = 0;
	while (!status && (status = mp_query_next(f->ranges, err)) == 1) {
		w.id = mp_query_int(f->ranges, 0);
		w.start_ns = mp_query_int(f->ranges, 1);
		w.end_ns = mp_query_int(f->ranges, 2);
		status = add_window(f, w) ? 0 : mp_fail_memory(err, "steps");
	}
	mp_query_rewind(f->ranges);
	f->has_ranges = f->window_count > 0;
	return status;
}

/* A track without ranges is one window. */
static int add_whole_track(struct facts *f, int64_t track, struct mp_error *err)
{
	struct mp_window w = {.id = track};

	if (f->has_ranges || !f->intervals.count)
		return 0;
	w.start_ns = mp_intervals_at(&f->intervals, 0)->start_ns;
	w.end_ns = w.start_ns;
	for (size_t i = 0; i < f->intervals.count; i++) {
		const struct mp_interval *t = mp_intervals_at(&f->intervals, i);

		if (t->end_ns > w.end_ns)
			w.end_ns = t->end_ns;
	}
	return add_window(f, w) ? 0 : mp_fail_memory(err, "steps");
}

static int end_track(struct facts *f, int64_t track, struct mp_error *err)
{
	struct mp_sweep sweep = {.class_of = class_of, .alone = add_alone, .gap = add_gap, .user = f};
	int status = 0;

	if (!mp_intervals_sort(&f->intervals))
		return mp_fail_memory(err, "tasks");
	if (add_whole_track(f, track, err))
		return -1;
	/* The times of steps in which nothing ran are wrong, or no task of them was recorded: that is not idle. */
	if (f->has_ranges && !f->runs_in_step)
		f->window_count = 0;
	sweep.intervals = &f->intervals;
	f->err = err;
	mp_sweep(&sweep, f->windows, f->window_count);
	mp_query_close(f->host.query);
	f->host = (struct mp_coverage){.query = NULL};
	status = f->status;
	for (size_t i = 0; i < f->window_count && !status; i++)
		status = mp_facts_put_window(f, track, &f->windows[i], err);
	f->intervals.count = 0;
	f->runs_in_step = false;
	return status;
}

/* Whether a step has a moment from start to end. */
static bool meets_step(const struct facts *f, int64_t start_ns, int64_t end_ns)
{
	size_t low = 0, high = f->window_count;

	if (!f->has_ranges)
		return true;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (f->windows[middle].end_ns > start_ns)
			high = middle;
		else
			low = middle + 1;
	}
	return low < f->window_count && f->windows[low].start_ns < end_ns;
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
	return mp_facts_read_classes(f, err);
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

static int read_track(struct facts *f, const struct mp_query *each, struct mp_report_row *row, struct mp_error *err)
{
	const struct mp_report *r = f->tasks;

	int64_t track = mp_query_int(each, 0);

	if (mp_report_row(row, each, err) || read_ranges(f, track, err) || read_tasks(f, &r->rows, row, err))
		return -1;
	for (int i = 0; i < r->layer_count; i++)
		if (read_tasks(f, &r->layers[i], row, err))
			return -1;
	return end_track(f, track, err);
}

static int read_tracks(struct facts *f, struct mp_error *err)
{
	static const char ranges[] =
	    "SELECT id, start_ns, end_ns FROM temp.range WHERE track = :track ORDER BY start_ns";
	struct mp_report_row *row = malloc(sizeof(*row));
	struct mp_query *each = NULL;
	bool any = false;
	int status = row ? 0 : mp_fail_memory(err, "tracks");

	if (!status)
		status = mp_query_open(&f->ranges, f->db, ranges, sizeof(ranges) - 1, err) ||
				 mp_report_query(&each, f->db, &f->tasks->each, "", "", MP_STYLE_DEFAULT, err)
			     ? -1
			     : 0;
	while (!status && (status = mp_query_next(each, err)) == 1) {
		any = true;
		status = read_track(f, each, row, err);
	}
	if (!status && !any)
		status = read_nothing(f, err);
	mp_query_close(each);
	free(row);
	return status;
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
	status = mp_db_run(db, "BEGIN", err) || mp_facts_open(f, err) || read_tracks(f, err) ||
			 mp_facts_put_rest(f, err) || mp_db_run(db, "COMMIT", err)
		     ? -1
		     : 0;
	mp_query_close(f->ranges);
	mp_query_close(f->host.query);
	mp_facts_close(f);
	mp_ops_free(&f->ops);
	mp_intervals_free(&f->intervals);
	free(f->windows);
	free(f);
	return status;
}

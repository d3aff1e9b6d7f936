/*
 * trace.c: reads the reports of a trace. Slices need an order within their track: that of a report's @started or
 * @recorded, where rows keep it; else they are sorted.
 */
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/timeline.h"
#include "trace/feed.h"

struct trace {
	const struct mp_reports *reports;
	bool *sorted; /* the reports whose rows did not come in order */
	struct mp_db *db;
	enum mp_style style;
	struct mp_out *out;
	struct mp_trace_feed feed;
	struct mp_trace_backwards backwards;
};

/* Rows that are recorded backwards may be read forwards, in ranges of a key. */
static bool is_split(const struct trace *t)
{
	return t->feed.order == MP_FEED_BY_END && t->feed.report->rows.split[0];
}

static enum mp_feed_order order_of(const struct trace *t)
{
	const struct mp_report *r = t->feed.report;

	if (t->sorted[r - t->reports->items] || (!r->tracks.started[0] && !r->tracks.recorded[0]))
		return MP_FEED_SORTED;
	return r->tracks.started[0] ? MP_FEED_BY_START : MP_FEED_BY_END;
}

static const char *terms_of(const struct trace *t)
{
	const struct mp_report *r = t->feed.report;

	switch (t->feed.order) {
	case MP_FEED_BY_START:
		return r->tracks.started;
	case MP_FEED_BY_END:
		return is_split(t) ? r->rows.split : r->tracks.recorded;
	default:
		return "layer, process, track, start_ns, dur_ns DESC";
	}
}

/* Samples and processes keep the order of their query. */
static int open_rows(struct trace *t, const struct mp_report_row *each, struct mp_error *err)
{
	char order[160] = "";

	t->feed.order = order_of(t);
	if (t->feed.report->tracks.thread[0]) /* of slices */
		snprintf(order, sizeof(order), "ORDER BY %s", terms_of(t));
	return mp_report_rows(&t->feed.rows, t->db, &t->feed.report->rows, "", order, t->style, err) ||
		       mp_report_bind(t->feed.rows, each, err) ||
		       mp_trace_columns_find(&t->feed.columns, t->feed.rows, t->feed.report, err)
		   ? -1
		   : 0;
}

/* Store the next row in the cells. Returns 1, 0 at the end, -1 with err, -2 when the order needs too much memory. */
static int next_row(struct trace *t, struct mp_error *err)
{
	int status;

	if (is_split(t))
		return mp_trace_backwards_next(&t->backwards, t->feed.cells, err);
	status = mp_query_next(t->feed.rows, err);
	if (status == 1)
		mp_query_row(t->feed.rows, t->feed.cells, t->feed.columns.count);
	return status;
}

static enum mp_feed_outcome write_rows(struct trace *t, const struct mp_report_row *each, struct mp_error *err)
{
	enum mp_feed_outcome outcome = MP_FEED_TAKEN;
	int status;

	t->feed.rows = NULL;
	if (open_rows(t, each, err) || t->feed.writer->begin_rows(t->feed.writer, &t->feed.columns.keys, err) ||
	    (is_split(t) && mp_trace_backwards_begin(&t->backwards, t->feed.rows, &t->feed.report->rows, t->db, err)))
		outcome = MP_FEED_FAILED;
	while (outcome == MP_FEED_TAKEN && (status = next_row(t, err)) != 0)
		outcome = status == -2                              ? MP_FEED_OUT_OF_ORDER
			  : status < 0 || mp_out_error(t->out, err) ? MP_FEED_FAILED
								    : mp_feed_row(&t->feed, err);
	if (mp_feed_end_rows(&t->feed, t->out, err) && outcome == MP_FEED_TAKEN)
		outcome = MP_FEED_FAILED;
	mp_query_close(t->feed.rows);
	return outcome;
}

/* Run a function for each row of @each of every report. */
static enum mp_feed_outcome for_each(struct trace *t,
    enum mp_feed_outcome (*run)(struct trace *t, const struct mp_report_row *each, struct mp_error *err),
    struct mp_error *err)
{
	enum mp_feed_outcome outcome = MP_FEED_TAKEN;
	struct mp_report_row *row = malloc(sizeof(*row));

	if (!row)
		return mp_fail_memory(err, "a trace"), MP_FEED_FAILED;
	for (size_t i = 0; outcome == MP_FEED_TAKEN && i < t->reports->count; i++) {
		struct mp_query *each;
		int status;

		t->feed.report = &t->reports->items[i];
		if (mp_report_query(&each, t->db, &t->feed.report->each, "", "", t->style, err)) {
			outcome = MP_FEED_FAILED;
			break;
		}
		while (outcome == MP_FEED_TAKEN && (status = mp_query_next(each, err)) != 0)
			outcome = status < 0 || mp_report_row(row, each, err) ? MP_FEED_FAILED : run(t, row, err);
		mp_query_close(each);
		if (outcome == MP_FEED_OUT_OF_ORDER)
			t->sorted[i] = true;
	}
	free(row);
	return outcome;
}

/* Find the earliest time of the rows. */
static enum mp_feed_outcome see_rows(struct trace *t, const struct mp_report_row *each, struct mp_error *err)
{
	const char *before[] = {"SELECT min(start_ns) FROM (", "SELECT min(time_ns) FROM ("};
	struct mp_trace_feed *f = &t->feed;
	struct mp_query *q = NULL;
	int status;

	f->rows = NULL;
	status = open_rows(t, each, err);
	if (!status && f->columns.kind != MP_TRACE_PROCESSES) {
		status = mp_report_query(&q, t->db, &f->report->rows, before[f->columns.kind], ")", t->style, err) ||
				 mp_report_bind(q, each, err)
			     ? -1
			     : mp_query_next(q, err);
	}
	if (status == 1 && mp_query_value(q, 0).type != MP_NULL) {
		f->cells[0] = mp_query_value(q, 0);
		mp_feed_see_time(f, mp_feed_number(f, 0));
	}
	mp_query_close(q);
	mp_query_close(f->rows);
	return status < 0 ? MP_FEED_FAILED : MP_FEED_TAKEN;
}

/* Write all reports in the orders that are known so far. */
static enum mp_feed_outcome write_trace(
    struct trace *t, enum mp_trace_format format, int64_t base_ns, struct mp_error *err)
{
	enum mp_feed_outcome outcome = MP_FEED_FAILED;
	struct mp_trace_feed *f = &t->feed;

	memset(f->stats, 0, sizeof(*f->stats));
	mp_trace_tracks_init(&f->tracks);
	f->writer = format == MP_TRACE_JSON ? mp_trace_json(t->out) : mp_trace_perfetto(t->out);
	if (!f->writer) {
		mp_fail_memory(err, "a trace");
		return outcome;
	}
	f->writer->base_ns = base_ns;
	outcome = for_each(t, write_rows, err);
	if (outcome == MP_FEED_TAKEN) {
		const struct mp_trace_end end = {f->stats, f->first_ns, f->tracks.next_number};

		if (f->writer->end(f->writer, t->db, &end, err))
			outcome = MP_FEED_FAILED;
	}
	f->writer->free(f->writer);
	mp_trace_backwards_free(&t->backwards);
	mp_feed_free(f);
	return outcome;
}

int mp_trace_write(const struct mp_reports *reports, struct mp_db *db, const struct mp_trace_options *options,
    struct mp_out *out, struct mp_timeline_stats *stats, struct mp_error *err)
{
	struct trace *t = calloc(1, sizeof(*t));
	enum mp_feed_outcome outcome = MP_FEED_FAILED;
	int64_t base_ns;

	memset(stats, 0, sizeof(*stats));
	if (!t || !(t->sorted = calloc(reports->count + 1, sizeof(*t->sorted)))) {
		free(t);
		return mp_fail_memory(err, "a trace");
	}
	t->reports = reports;
	t->db = db;
	t->style = options->style;
	t->out = out;
	t->feed.stats = stats;
	t->feed.dirfd = options->dirfd;
	outcome = options->format == MP_TRACE_JSON ? for_each(t, see_rows, err) : MP_FEED_TAKEN;
	base_ns = options->format == MP_TRACE_JSON ? t->feed.first_ns : options->base_ns;
	t->feed.progress = options->progress;
	if (outcome == MP_FEED_TAKEN)
		outcome = write_trace(t, options->format, base_ns, err);
	while (outcome == MP_FEED_OUT_OF_ORDER) { /* each time one more report is sorted */
		mp_out_restart(out);
		outcome = write_trace(t, options->format, base_ns, err);
	}
	free(t->sorted);
	free(t);
	return outcome == MP_FEED_TAKEN ? 0 : -1;
}

/* Gathers the events of a process from its results. */

enum { KIND, THREAD, START, DUR, NAME, MODE, DOMAIN, COLUMNS };

/* What a result has. */
struct span {
	int64_t first_ns, last_ns, events;
};

static int put_row(struct mp_query *put, const struct mp_query *row, int count, struct mp_error *err)
{
	struct mp_value values[COLUMNS];

	mp_query_row(row, values, count);
	return mp_query_put(put, values, count, err);
}

static void see(struct span *span, const struct mp_query *row)
{
	int64_t start_ns = mp_query_int(row, START), end_ns;

	if (!mp_query_int(row, KIND))
		return;
	if (__builtin_add_overflow(start_ns, mp_query_int(row, DUR), &end_ns))
		end_ns = INT64_MAX;
	if (!span->events || start_ns < span->first_ns)
		span->first_ns = start_ns;
	if (!span->events++ || end_ns > span->last_ns)
		span->last_ns = end_ns;
}

static int add_events(
    struct mp_db *db, struct mp_db *job, const struct mp_report *report, struct span *span, struct mp_error *err)
{
	static const char insert[] = "INSERT OR IGNORE INTO process_event SELECT ?, ?, ?, ?, coalesce(?, 'N/A'), ?, ?";
	struct mp_query *rows, *put;
	int status;

	if (mp_report_rows(&rows, job, &report->rows, "", "", MP_STYLE_DEFAULT, err))
		return -1;
	if (mp_query_open(&put, db, insert, sizeof(insert) - 1, err)) {
		mp_query_close(rows);
		return -1;
	}
	while ((status = mp_query_next(rows, err)) == 1) {
		see(span, rows);
		if (put_row(put, rows, COLUMNS, err)) {
			status = -1;
			break;
		}
	}
	mp_query_close(put);
	mp_query_close(rows);
	return status;
}

static int add_result(struct mp_db *db, const char *result, const struct span *span, struct mp_error *err)
{
	static const char insert[] = "INSERT INTO process_result VALUES(:name, :first, :dur, :events)";

	if (!span->events)
		return 0;
	return mp_db_put(db, insert,
	    MP_VALUES(mp_string(result), mp_int(span->first_ns), mp_int(span->last_ns - span->first_ns),
		mp_int(span->events)),
	    err);
}

static int add_notes(struct mp_db *db, struct mp_db *job, const char *result, struct mp_error *err)
{
	static const char insert[] = "INSERT INTO note(kind, text, file) VALUES(?, ?, :file)";
	struct mp_query *notes, *put;
	int status;

	if (mp_trace_notes_open(&notes, job, err))
		return -1;
	if (mp_query_open(&put, db, insert, sizeof(insert) - 1, err)) {
		mp_query_close(notes);
		return -1;
	}
	status = mp_query_bind_text(put, "file", result, err);
	while (!status && (status = mp_query_next(notes, err)) == 1)
		status = put_row(put, notes, 2, err);
	mp_query_close(put);
	mp_query_close(notes);
	return status;
}

int mp_trace_process_add(
    struct mp_db *db, struct mp_db *job, const char *family, const char *result, struct mp_error *err)
{
	struct mp_reports reports;
	struct span span = {0};
	int status = 0;

	if (mp_reports_load(&reports, "process", family, MP_STYLE_DEFAULT, err))
		return -1;
	for (size_t i = 0; !status && i < reports.count; i++)
		status = add_events(db, job, &reports.items[i], &span, err);
	mp_reports_free(&reports);
	return status || add_result(db, result, &span, err) || add_notes(db, job, result, err) ? -1 : 0;
}

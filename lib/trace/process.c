/* process.c: gathers the events of a process from its results. */
#include "trace/process.h"

#include <string.h>

#include "report/trace_notes.h"

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
	struct mp_query *q;
	int status;

	if (!span->events)
		return 0;
	if (mp_query_open(&q, db, insert, sizeof(insert) - 1, err))
		return -1;
	status = mp_query_bind_text(q, "name", result, err) || mp_query_bind_int(q, "first", span->first_ns, err) ||
			 mp_query_bind_int(q, "dur", span->last_ns - span->first_ns, err) ||
			 mp_query_bind_int(q, "events", span->events, err) || mp_query_next(q, err) < 0
		     ? -1
		     : 0;
	mp_query_close(q);
	return status;
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

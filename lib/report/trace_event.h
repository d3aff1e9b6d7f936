/*
 * trace_event.h: a row of a timeline as an event of a Chrome trace, in two pieces, because its number of a thread may
 * be that of a lane, which is known only when all events before it are.
 *
 * One struct for each thread that writes, and for each query.
 */
#ifndef MP_REPORT_TRACE_EVENT_H
#define MP_REPORT_TRACE_EVENT_H

#include "report/members.h"
#include "report/report.h"

/* When and where an event is. */
struct mp_trace_time {
	int64_t pid, tid, start_ns, dur_ns; /* as in the row: dur_ns may be negative */
};

struct mp_trace_event {
	const char *path; /* of the report */
	int arg_count;
	struct mp_members object;
	struct mp_member name, pid, args[MP_REPORT_COLUMN_MAX];
	struct mp_value cells[MP_REPORT_COLUMN_MAX];
};

/* Begin to write the rows of a query; error: it lacks columns. */
int mp_trace_event_begin(struct mp_trace_event *e, const struct mp_report *report, const struct mp_query *rows,
    struct mp_out *out, struct mp_error *err);

/* Read the current row; error: it has no time. */
int mp_trace_event_read(
    struct mp_trace_event *e, const struct mp_query *rows, struct mp_trace_time *time, struct mp_error *err);

/* Write the row up to the number of its thread, and what comes after the number. dur_ns is that of the trace. */
void mp_trace_event_head(struct mp_trace_event *e);
void mp_trace_event_tail(struct mp_trace_event *e, int64_t start_ns, int64_t dur_ns);

#endif

/*
 * timeline.h: writes the rows of a timeline report as a Chrome trace (docs/TRACE.md).
 *
 * The first columns of @rows are pid, tid, name, start_ns and dur_ns. Every further column is an argument with its
 * alias as key; hidden columns ('_') come last. @rows need not sort: @recorded names the columns that give the order of
 * recording backwards. Every row becomes one event, and times are exact to the nanosecond. Nothing is kept between
 * calls.
 */
#ifndef MP_REPORT_TIMELINE_H
#define MP_REPORT_TIMELINE_H

#include "base/out.h"
#include "report/report.h"
#include "store/db.h"

struct mp_timeline_stats {
	int64_t events; /* number of rows written */
	int64_t moved;  /* events that overlapped and were put on a further lane */
};

/* Called from time to time with the number of events written so far. */
struct mp_timeline_progress {
	void (*update)(void *user, int64_t events);
	void *user;
};

/*
 * Write the trace of one file: the current row of `each`. Threads of the team share large @rows that have @split.
 * `progress` may be NULL. Returns 0, or -1 with err.
 */
int mp_timeline_write(const struct mp_report *report, struct mp_team *team, const struct mp_query *each,
    enum mp_style style, struct mp_out *out, const struct mp_timeline_progress *progress,
    struct mp_timeline_stats *stats, struct mp_error *err);

/* What readers of a trace must know about its data, for the writers of timelines. */

/* Prepare the query of the losses and notes of a job: a kind and a text in each row. */
int mp_trace_notes_open(struct mp_query **q, struct mp_db *db, struct mp_error *err);

/*
 * Write a JSON array with one object for each loss and note of the job; the key of the object is the kind. Returns 0,
 * or -1 with err.
 */
int mp_trace_notes(struct mp_out *out, struct mp_db *db, struct mp_error *err);

#endif

/*
 * timeline.h: the rows of a timeline report as a chrome trace (docs/TRACE.md).
 *
 * The first columns of @rows are pid, tid, name, start_ns and dur_ns; every further
 * column is an argument, its alias the key, except hidden ones ('_') at the end. The order is not @rows' business:
 * @recorded names the columns that give the order of recording backwards. One event a row, none dropped; times exact to
 * the nanosecond.
 */
#ifndef MP_REPORT_TIMELINE_H
#define MP_REPORT_TIMELINE_H

#include "base/out.h"
#include "report/report.h"

struct mp_timeline_stats {
	int64_t events; /* rows written */
	int64_t moved;  /* events that overlapped and went to a further lane */
};

/* Called now and then with the number of events written so far. */
struct mp_timeline_progress {
	void (*update)(void *user, int64_t events);
	void *user;
};

/* Write the trace of one file: the current row of `each`. `progress` may be NULL. */
int mp_timeline_write(const struct mp_report *report, struct mp_db *db, const struct mp_query *each,
    enum mp_style style, struct mp_out *out, const struct mp_timeline_progress *progress,
    struct mp_timeline_stats *stats, struct mp_error *err);

#endif

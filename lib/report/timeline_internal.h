/* timeline_internal.h: the state of a trace that is being written, for the files of timeline.h. */
#ifndef MP_REPORT_TIMELINE_INTERNAL_H
#define MP_REPORT_TIMELINE_INTERNAL_H

#include <stdatomic.h>

#include "report/timeline.h"
#include "report/trace_event.h"
#include "report/trace_threads.h"

enum mp_trace_outcome {
	MP_TRACE_WRITTEN,
	MP_TRACE_OUT_OF_ORDER, /* rows are not in the order of recording */
	MP_TRACE_TOO_LONG,     /* ranges of rows need too much memory */
	MP_TRACE_FAILED
};

struct mp_trace {
	const struct mp_report *report;
	struct mp_report_row each; /* the current row of @each */
	enum mp_style style;
	struct mp_team *team;
	struct mp_out *out;
	const struct mp_timeline_progress *progress;
	struct mp_trace_threads threads;
	bool backwards; /* rows come in the order of recording, last row first; else sorted by thread */
	bool has_process;
	int64_t process; /* sorted rows: the process that was named last */
	bool has_event;
	int64_t moved;
	atomic_llong events; /* another thread may tell the progress */
};

/* Begin the file anew. */
void mp_trace_begin(struct mp_trace *t, bool backwards);

/*
 * Find the lane of the next event, and write what names it. *tid receives its number, *dur_ns a duration that is not
 * negative. Afterwards the caller writes the event.
 */
enum mp_trace_outcome mp_trace_place(
    struct mp_trace *t, const struct mp_trace_time *time, int64_t *tid, struct mp_error *err);

/* The duration in the trace. An end before the start: the event stays at its start; `check` reports the record. */
static inline int64_t mp_trace_duration(const struct mp_trace_time *time)
{
	return time->dur_ns < 0 ? 0 : time->dur_ns;
}

/* Write all rows by ranges of the key of @split, from the last to the first. */
enum mp_trace_outcome mp_trace_write_ranges(struct mp_trace *t, struct mp_error *err);

#endif

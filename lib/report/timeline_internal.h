/* timeline_internal.h: the state of a trace that is being written, for the files of timeline.h. */
#ifndef MP_REPORT_TIMELINE_INTERNAL_H
#define MP_REPORT_TIMELINE_INTERNAL_H

#include <stdatomic.h>

#include "base/index.h"
#include "report/lanes.h"
#include "report/members.h"
#include "report/report.h"
#include "report/timeline.h"

/*
 * A row of a timeline as an event of a Chrome trace, in two pieces, because its number of a thread may
 * be that of a lane, which is known only when all events before it are.
 *
 * One struct for each thread that writes, and for each query.
 */

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

/*
 * The threads of a timeline, and the numbers of threads and lanes in the trace.
 *
 * Viewers read a tid as 32 bits. Lanes, and threads with numbers outside 32 bits, get numbers from 2^31 upwards. The
 * struct owns its threads; free them with mp_trace_threads_clear. One thread at a time.
 */

enum { MP_THREADS_MAX = 1024 }; /* threads held at one time */

struct mp_trace_thread {
	int64_t pid, tid;
	int64_t shown_tid;
	struct mp_lanes *lanes;
	int64_t *lane_tids; /* numbers of lanes 1 and up, as far as they were named */
	int64_t lane_count; /* the number of lane_tids */
	char name[256];
};

struct mp_trace_threads {
	struct mp_trace_thread *items[MP_THREADS_MAX];
	int count;
	struct mp_index index; /* of items */
	int64_t next_tid;
	struct mp_trace_thread *last; /* the thread that was found last */
};

/* Prepare an empty set. */
void mp_trace_threads_init(struct mp_trace_threads *t);

/* The thread, or NULL when not yet added. */
struct mp_trace_thread *mp_trace_threads_find(struct mp_trace_threads *t, int64_t pid, int64_t tid);

/*
 * Add a thread. Returns NULL with err when out of memory, and NULL without err when there are MP_THREADS_MAX threads.
 */
struct mp_trace_thread *mp_trace_threads_add(
    struct mp_trace_threads *t, int64_t pid, int64_t tid, struct mp_error *err);

/* Add the next lane to a thread. Returns the tid of the lane, or -1 with err. */
int64_t mp_trace_threads_add_lane(struct mp_trace_threads *t, struct mp_trace_thread *thread, struct mp_error *err);

/* Free all threads; numbering continues. */
void mp_trace_threads_clear(struct mp_trace_threads *t);

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

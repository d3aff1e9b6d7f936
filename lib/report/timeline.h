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

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
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

/*
 * A timeline in the array form of the Trace Event format, like the vendor's tools write.
 *
 * Each row of the report is an event, and its columns are the keys. A column "args.KEY" is a member of "args"; such
 * columns are adjacent; a column "args" is an empty object. NULL values are left out, and so are columns with a name
 * that begins with '_'. The last event, "msprof" of kind M, has the notes of the job. Nothing is kept between calls.
 */

/*
 * Write the trace of one file like mp_timeline_write, without lanes. Threads of the team share large layers that have
 * @split. Returns 0, or -1 with err.
 */
int mp_events_write(const struct mp_report *report, struct mp_team *team, const struct mp_query *each,
    enum mp_style style, struct mp_out *out, const struct mp_timeline_progress *progress,
    struct mp_timeline_stats *stats, struct mp_error *err);

/*
 * Writes the calls of a report as folded stacks, for tools that draw flame graphs (docs/TRACE.md).
 *
 * The first columns of @rows are pid, tid, name, start_ns and dur_ns, as in timeline.h; @process and @thread name the
 * first two parts of each stack. A call is in the innermost call of its thread that contains it. The weight of a stack
 * is the time of its last call without the calls in it, in ns. Nothing is kept between calls.
 */

/* Write the stacks of one file: the current row of `each`. Returns 0, or -1 with err. */
int mp_stacks_write(const struct mp_report *report, struct mp_db *db, const struct mp_query *each, enum mp_style style,
    struct mp_out *out, const struct mp_timeline_progress *progress, struct mp_timeline_stats *stats,
    struct mp_error *err);

/*
 * Adds up times by path, and writes a line for each path: "a;b;c 1234", the folded form of flame graphs.
 *
 * Memory is bounded: when there are too many paths, their lines are written and a path may come again later; readers
 * add up equal paths. Lines are sorted. Free with mp_folds_free. One thread at a time.
 */

enum { MP_FOLD_MAX = 16 * 1024 }; /* bytes of a path */

struct mp_folds;

int mp_folds_create(struct mp_folds **folds, struct mp_out *out, struct mp_error *err);
void mp_folds_free(struct mp_folds *folds); /* NULL is allowed */

/* Add a time to a path of at most MP_FOLD_MAX bytes. Sums do not exceed INT64_MAX. */
void mp_folds_add(struct mp_folds *folds, const char *path, size_t len, uint64_t ns);

/* Write all lines. */
void mp_folds_write(struct mp_folds *folds);

/* Forget all paths. */
void mp_folds_clear(struct mp_folds *folds);

/*
 * Puts the events of one thread on lanes.
 *
 * The events of a lane nest or do not overlap, as trace viewers require. Events arrive in order of start, the longer
 * event first among equals. (Events in descending order of end work too when time is reversed: place(-end, -start).)
 * Lane 0 is the thread itself. Memory grows with the number of events open at one time, not with the number of events.
 * An event costs at most O(log n). Free with mp_lanes_free. One thread at a time.
 */

struct mp_lanes;

/* Make an empty set of lanes. Returns 0, or -1 when out of memory. */
int mp_lanes_create(struct mp_lanes **lanes, struct mp_error *err);

/* Returns whether the event may come next in the order above. */
bool mp_lanes_in_order(const struct mp_lanes *lanes, int64_t start_ns, int64_t end_ns);

/* The lane for [start_ns, end_ns], with end_ns >= start_ns; -1 when out of memory. */
int64_t mp_lanes_place(struct mp_lanes *lanes, int64_t start_ns, int64_t end_ns, struct mp_error *err);

/* Free the lanes. NULL is allowed. */
void mp_lanes_free(struct mp_lanes *lanes);

#endif

/*
 * trace.h: ONE merged trace of a job, from the reports of schema/reports/trace (docs/TRACE.md), in one of two formats.
 *
 * The columns of @rows tell what its rows are. Slices have layer, process, track, name, start_ns and dur_ns, and may
 * have `caller` (a key of this slice) or `launch` (the key of the slice that launched this one; such rows come before
 * those with `caller`). Counters have layer, process, name and time_ns, and a column "value.KEY" for each curve.
 * Processes have layer, process and name. Columns "args.KEY" of slices are arguments; NULL is left out. Hidden columns
 * come last: _process and _thread are names in place of @process and @thread, _rank the place of the track in place of
 * its number. A track belongs to one report. Nothing is kept between calls.
 */
#ifndef MP_TRACE_TRACE_H
#define MP_TRACE_TRACE_H

#include "report/report.h"
#include "report/timeline.h"

enum mp_trace_format { MP_TRACE_PERFETTO, MP_TRACE_JSON };

struct mp_trace_options {
	enum mp_style style;
	enum mp_trace_format format;
	int dirfd;                                   /* a directory for large arrays, or -1 */
	const struct mp_timeline_progress *progress; /* or NULL */
};

/* Write the trace. Returns 0, or -1 with err. Without any event the output is of no use: see stats->events. */
int mp_trace_write(const struct mp_reports *reports, struct mp_db *db, const struct mp_trace_options *options,
    struct mp_out *out, struct mp_timeline_stats *stats, struct mp_error *err);

/* Pack the packets of a Perfetto trace that is not begun in bundles (see packer.h). Returns 0, or -1 with err. */
int mp_trace_pack(struct mp_out *out, int threads, struct mp_error *err);

/*
 * One trace of a process with several results. The events of each result are gathered in a database
 * (import/process_db.h), each once, from which the reports of schema/reports/process_trace make a trace.
 */

/*
 * Add the events and the notes of a result to the database, by the reports of schema/reports/process. Returns 0, or -1
 * with err.
 */
int mp_trace_process_add(
    struct mp_db *db, struct mp_db *job, const char *family, const char *result, struct mp_error *err);

#endif

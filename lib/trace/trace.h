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

#include "base/index.h"
#include "base/value.h"
#include "report/report.h"
#include "report/timeline.h"

enum mp_trace_format { MP_TRACE_PERFETTO, MP_TRACE_JSON };

struct mp_trace_options {
	enum mp_style style;
	enum mp_trace_format format;
	int dirfd;                                   /* a directory for large arrays, or -1 */
	int64_t base_ns;                             /* Perfetto: what all times are less in the trace */
	const struct mp_timeline_progress *progress; /* or NULL */
};

/* Write the trace. Returns 0, or -1 with err. Without any event the output is of no use: see stats->events. */
int mp_trace_write(const struct mp_reports *reports, struct mp_db *db, const struct mp_trace_options *options,
    struct mp_out *out, struct mp_timeline_stats *stats, struct mp_error *err);

/* Pack the packets of a Perfetto trace that is not begun in bundles (see packer.h). Returns 0, or -1 with err. */
int mp_trace_pack(struct mp_out *out, int threads, struct mp_error *err);

/*
 * One trace of a process with several results. The events of each result are gathered in a database
 * (import/job_db.h), each once, from which the reports of schema/reports/process_trace make a trace.
 */

/*
 * Add the events and the notes of a result to the database, by the reports of schema/reports/process. Returns 0, or -1
 * with err.
 */
int mp_trace_process_add(
    struct mp_db *db, struct mp_db *job, const char *family, const char *result, struct mp_error *err);

/*
 * Numbers for texts, from 1 on in the order in which they come first.
 *
 * The texts are kept up to a limit in all, so that memory stays bounded whatever the data: a text beyond it has no
 * number. A struct of zeros is empty; free with mp_trace_texts_free. One thread at a time.
 */

enum { MP_TRACE_TEXTS_CACHE = 1024 };

struct mp_trace_texts {
	char *bytes;
	size_t used;
	size_t *ends; /* of each text */
	struct mp_index index;
	uint32_t count, last; /* the number that was given last */
	struct {
		const char *text; /* where a text was last */
		uint32_t number;
		bool stays; /* the text is still there */
	} cache[MP_TRACE_TEXTS_CACHE];
};

/* The number of a text; 0 when it is not kept. *is_new tells whether the text has its number since this call. */
uint32_t mp_trace_texts_number(struct mp_trace_texts *t, const struct mp_value *v, bool *is_new);

/* Forget the addresses of texts: they belong to a query that ends. */
void mp_trace_texts_move_on(struct mp_trace_texts *t);

void mp_trace_texts_free(struct mp_trace_texts *t);

/*
 * The curves of a trace, by process, name and column. A struct of zeros is empty; free with
 * mp_trace_curves_free. One thread at a time.
 */

struct mp_trace_curves {
	struct mp_trace_texts keys;
	uint32_t *tracks; /* the track of each curve */
	uint32_t count;
};

/* The track of a curve; 0: it is new, and the caller sets it. Returns NULL out of memory, or of room for curves. */
uint32_t *mp_trace_curves_find(struct mp_trace_curves *c, uint32_t process, int column, const struct mp_value *name);

void mp_trace_curves_free(struct mp_trace_curves *c);

#endif

/*
 * stacks.h: writes the calls of a report as folded stacks, for tools that draw flame graphs (docs/TRACE.md).
 *
 * The first columns of @rows are pid, tid, name, start_ns and dur_ns, as in timeline.h; @process and @thread name the
 * first two parts of each stack. A call is in the innermost call of its thread that contains it. The weight of a stack
 * is the time of its last call without the calls in it, in ns. Nothing is kept between calls.
 */
#ifndef MP_REPORT_STACKS_H
#define MP_REPORT_STACKS_H

#include "report/timeline.h"

/* Write the stacks of one file: the current row of `each`. Returns 0, or -1 with err. */
int mp_stacks_write(const struct mp_report *report, struct mp_db *db, const struct mp_query *each, enum mp_style style,
    struct mp_out *out, const struct mp_timeline_progress *progress, struct mp_timeline_stats *stats,
    struct mp_error *err);

#endif

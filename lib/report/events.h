/*
 * events.h: a timeline in the array form of the Trace Event format, like the vendor's tools write.
 *
 * Each row of the report is an event, and its columns are the keys. A column "args.KEY" is a member of "args"; such
 * columns are adjacent; a column "args" is an empty object. NULL values are left out, and so are columns with a name
 * that begins with '_'. The last event, "msprof" of kind M, has the notes of the job. Nothing is kept between calls.
 */
#ifndef MP_REPORT_EVENTS_H
#define MP_REPORT_EVENTS_H

#include "report/timeline.h"

/*
 * Write the trace of one file like mp_timeline_write, without lanes. Threads of the team share large layers that have
 * @split. Returns 0, or -1 with err.
 */
int mp_events_write(const struct mp_report *report, struct mp_team *team, const struct mp_query *each,
    enum mp_style style, struct mp_out *out, const struct mp_timeline_progress *progress,
    struct mp_timeline_stats *stats, struct mp_error *err);

#endif

/*
 * events.h: a timeline in the array form of the Trace Event format, as the vendor's tools write it.
 *
 * Each row of the report is an event, its columns are the keys. A column "args.KEY" is a member of "args";
 * these follow each other; "args" itself is an empty object. What is NULL is left out, and so are columns whose name
 * begins with '_'. The last event, "msprof" of kind M, has the notes of the job.
 */
#ifndef MP_REPORT_EVENTS_H
#define MP_REPORT_EVENTS_H

#include "report/timeline.h"
#include "store/team.h"

/* As mp_timeline_write; nothing is moved. Threads of the team share large layers that have @split. */
int mp_events_write(const struct mp_report *report, struct mp_team *team, const struct mp_query *each,
    enum mp_style style, struct mp_out *out, const struct mp_timeline_progress *progress,
    struct mp_timeline_stats *stats, struct mp_error *err);

#endif

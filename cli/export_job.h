/* export_job.h: the exports of one job. */
#ifndef MSPROF_EXPORT_JOB_H
#define MSPROF_EXPORT_JOB_H

#include "job_run.h"

/* Write the reports of `kind`, "timeline", "summary", "stacks" or "analyze"; prints errors; the exit status. */
int export_job(struct job_run *s, const struct mp_job *job, const char *kind);

/* Export the timeline and the summary, job by job; the exit status. */
int export_timeline_and_summary(const struct options *options);

#endif

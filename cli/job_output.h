/* job_output.h: where the files of exports and the database of a job go: into the job, or with --output elsewhere. */
#ifndef MSPROF_JOB_OUTPUT_H
#define MSPROF_JOB_OUTPUT_H

#include "job_run.h"

/* With --output of an export: nothing is written into the job from now on. 0, or -1 with the error printed. */
int job_output_begin(struct job_run *s, struct mp_job *job);

/* Whether exports can be written. */
bool job_output_is_writable(const struct mp_job *job);

/* -1 where exports cannot be written, with the error and a remedy printed. */
int job_output_refuse_readonly(const struct mp_job *job);

/*
 * With --clear and a status that is no failure: remove the database, unless it is that of a job that stays as it is.
 * Returns the status.
 */
int job_output_clear(struct job_run *s, const struct mp_job *job, int status);

#endif

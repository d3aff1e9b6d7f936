/* export_process.h: one trace of each process that left several results below -dir. */
#ifndef EXPORT_PROCESS_H
#define EXPORT_PROCESS_H

#include "job_run.h"

/*
 * Run `work` on each job below -dir like job_run_each, then write a trace for each process of our recorder with several
 * of these jobs, beside them or into --output: not where the user chose a part of the timeline. Returns the exit
 * status.
 */
int export_processes(const struct options *options, int (*work)(struct job_run *s, const struct mp_job *job));

#endif

/* job_aggregates.h: the aggregates of a job (insight/advise.h), from the file that keeps them where it is valid.
 */
#ifndef MSPROF_JOB_AGGREGATES_H
#define MSPROF_JOB_AGGREGATES_H

#include "job_run.h"

/* Make the tables of the aggregates in the job's open database, and keep them where the job may be written. 0, or -1
 * with err. */
int job_aggregates(struct mp_db *db, const struct mp_job *job, const char *family, struct mp_error *err);

#endif

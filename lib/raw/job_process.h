/* job_process.h: which process recorded a job. No state; any thread. */
#ifndef MP_RAW_JOB_PROCESS_H
#define MP_RAW_JOB_PROCESS_H

#include "raw/job.h"

/* All results of a process of our recorder have the same identity. */
struct mp_job_process {
	char identity[17];
	int64_t pid;
};

/* Returns 1; 0 when the job does not tell, or was recorded by others; -1 when out of memory. */
int mp_job_process(const struct mp_job *job, struct mp_job_process *process, struct mp_error *err);

#endif

/* job_info.h: the small files beside data/; used by job.c only. */
#ifndef MP_RAW_JOB_INFO_H
#define MP_RAW_JOB_INFO_H

#include "raw/job.h"

/* Add the device of each info.json.N and host_start.log.N to the job; *ascend when one has DeviceInfo. */
int mp_job_read_info(struct mp_job *job, bool *ascend, struct mp_error *err);

/* The device of that id, added when it is new; NULL with err when there are too many. */
struct mp_device *mp_job_add_device(struct mp_job *job, int64_t device_id, struct mp_error *err);

#endif

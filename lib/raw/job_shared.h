/*
 * job_shared.h: the files of a job that several inferences share, found by what a marker says of its inference. For
 * job_markers.c only. The list borrows the files of the job; mp_shared_free frees the list alone.
 */
#ifndef MP_RAW_JOB_SHARED_H
#define MP_RAW_JOB_SHARED_H

#include "raw/job.h"

struct mp_shared_files {
	struct mp_job_file **files; /* sorted by what their names say */
	size_t count;
};

/* List the shared files of a job, whose files stay where they are. Returns 0, or -1 with err. */
int mp_shared_list(struct mp_shared_files *shared, struct mp_job *job, struct mp_error *err);
void mp_shared_free(struct mp_shared_files *shared);

/* The first file in the order of the job that a marker of an inference describes, or NULL. */
struct mp_job_file *mp_shared_find(
    const struct mp_shared_files *shared, int part, const struct mp_layout *l, const struct mp_identity *id);

#endif

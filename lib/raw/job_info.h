/* job_info.h: the steps of opening a job; used by job*.c only. */
#ifndef MP_RAW_JOB_INFO_H
#define MP_RAW_JOB_INFO_H

#include "raw/job.h"

#define MP_NO_IDENTITY ((struct mp_identity){-1, -1, -1, -1, -1, -1, ""})

/* Add the device of each info.json.N and host_start.log.N to the job; *ascend when one has DeviceInfo. */
int mp_job_read_info(struct mp_job *job, bool *ascend, struct mp_error *err);

/* The device of that id, added when it is new; NULL with err when there are too many. */
struct mp_device *mp_job_add_device(struct mp_job *job, int64_t device_id, struct mp_error *err);

/* Open the parts of a job; more than one, or one called host or device_N beside another, makes it a PROF directory. */
int mp_job_open_parts(struct mp_job *job, const struct mp_layouts *layouts, struct mp_error *err);

/* Whether the directory has host or device_N, with files that 2022 wrote and none of today's: each of them is a job
 * then. */
bool mp_job_is_legacy(const char *path, const struct mp_layouts *layouts);

/* Read the job's label, if it has a useful one. */
int mp_job_read_label(struct mp_job *job, struct mp_error *err);

/* Read the control files of a PROF directory. */
int mp_job_read_controls(struct mp_job *job, struct mp_error *err);

/* The clocks that the control files of a PROF directory tell; what is missing is left 0. */
void mp_job_set_clocks(struct mp_job *job);

/* The text of a small file, described in *f; NULL with f->damage, or without it when this machine failed (err). */
char *mp_job_read_small(int dirfd, const char *name, struct mp_info_file *f, struct mp_error *err);

/* List the data/ of each part into job->files, in order of part and name. */
int mp_job_list_files(struct mp_job *job, struct mp_error *err);

/* The family whose files these are. */
enum mp_family mp_job_find_family(const struct mp_job *job, const struct mp_layouts *layouts, bool ascend);

/*
 * The layout that covers a name (len bytes), and what the name says; or NULL. Of a family, whatever the
 * control files would say; or of a part of a job, whose control files choose among several.
 */
const struct mp_layout *mp_job_name_layout(
    const struct mp_layouts *layouts, enum mp_family family, const char *name, size_t len, struct mp_identity *id);
const struct mp_layout *mp_job_find_layout(const struct mp_layouts *layouts, struct mp_job *job, int part,
    const char *name, size_t len, struct mp_identity *id);

/* The chip that the info file of a part names, or MP_CHIP_UNKNOWN. */
unsigned mp_job_chip(const struct mp_job *job, int part);

/* Whether the control file of a device, or that of all, says so. */
bool mp_job_meets(struct mp_job *job, int64_t device_id, const struct mp_when *when);

/* Give each file its state, layout and identity. */
void mp_job_classify(struct mp_job *job, const struct mp_layouts *layouts);

/* Pair files, in order of name, with their markers: what is whole, what is in doubt, what is missing. */
void mp_job_settle_markers(struct mp_job *job, const struct mp_layouts *layouts);

/* Whether a file is a marker, and of what kind. */
bool mp_job_is_marker(const char *name);
bool mp_job_is_done(const char *name);

#endif

/*
 * job_info.h: the steps of opening a job, for job*.c only. Every step adds to the job, which owns the results.
 * Functions that return int give 0, or -1 with err.
 */
#ifndef MP_RAW_JOB_INFO_H
#define MP_RAW_JOB_INFO_H

#include "raw/job.h"

/* What the info files tell of the family. */
struct mp_told {
	bool ascend;   /* DeviceInfo describes devices */
	bool version1; /* the form of recorders before msprof 0.9 */
};

/* Add the device of each info.json.N and host_start.log.N to the job. */
int mp_job_read_info(struct mp_job *job, struct mp_told *told, struct mp_error *err);

/* Find the soc of a job of the SS928 family: by its info files, or, without a usable one, by its names. */
void mp_job_find_soc(struct mp_job *job, const struct mp_layouts *layouts);

/* Add the model file that a user named. */
int mp_job_add_model(struct mp_job *job, const struct mp_layouts *layouts, const char *path, struct mp_error *err);

/* Returns the device with this id, added when new; NULL with err when there are too many devices. */
struct mp_device *mp_job_add_device(struct mp_job *job, int64_t device_id, struct mp_error *err);

/* Open the parts of a job. Several parts make a PROF directory, and so does a part named host or device_N. */
int mp_job_open_parts(struct mp_job *job, const struct mp_layouts *layouts, struct mp_error *err);

/*
 * Returns whether the directory has host or device_N with files of 2022 and no file of today. Each part is a job of its
 * own then.
 */
bool mp_job_is_legacy(int dirfd, const struct mp_layouts *layouts);

/* Read the label of the job, if there is a usable one. */
int mp_job_read_label(struct mp_job *job, struct mp_error *err);

/* Read the control files of a PROF directory. */
int mp_job_read_controls(struct mp_job *job, struct mp_error *err);

/* Set the clocks that the control files of a PROF directory define; unknown frequencies stay 0. */
void mp_job_set_clocks(struct mp_job *job);

/*
 * Read a small file, described in *f. Returns NULL with f->damage for an unusable file, and NULL with err after an
 * error of the machine.
 */
char *mp_job_read_small(int dirfd, const char *name, struct mp_info_file *f, struct mp_error *err);

/* List the files in data/ of each part into job->files, in order of part and name. */
int mp_job_list_files(struct mp_job *job, const struct mp_layouts *layouts, struct mp_error *err);

/* Add the raw files beside a data/, by the layouts of the job's family. They are not read. */
int mp_job_list_beside(struct mp_job *job, const struct mp_layouts *layouts, struct mp_error *err);

/* The number of listed files whose names layouts of the family know. */
size_t mp_job_known_files(const struct mp_job *job, const struct mp_layouts *layouts, enum mp_family family);

/* The family to which the listed files belong. */
enum mp_family mp_job_find_family(const struct mp_job *job, const struct mp_layouts *layouts, bool ascend);

/*
 * The layout for a file name of `len` bytes, and the facts in the name; NULL when no layout knows the name. The first
 * function searches the layouts of a family, regardless of control files. The second searches for a part of a job;
 * control files choose among several layouts.
 */
const struct mp_layout *mp_job_name_layout(
    const struct mp_layouts *layouts, enum mp_family family, const char *name, size_t len, struct mp_identity *id);
const struct mp_layout *mp_job_find_layout(const struct mp_layouts *layouts, struct mp_job *job, int part,
    const char *name, size_t len, struct mp_identity *id);

/* The chip in the info file of a part, or MP_CHIP_UNKNOWN. */
unsigned mp_job_chip(const struct mp_job *job, int part);

/* The control file of a device, or of the host and all devices (-1); NULL without it. */
const struct mp_job_control *mp_job_control(const struct mp_job *job, int64_t device_id, const char *name);

/* Returns whether the control file of a device, or that of all devices, fulfils `when`. */
bool mp_job_meets(const struct mp_job *job, int64_t device_id, const struct mp_when *when);

/* Set state, layout and identity of each file. */
void mp_job_classify(struct mp_job *job, const struct mp_layouts *layouts);

/* Pair the files, which are in order of name, with their markers, and record doubtful and missing files. */
int mp_job_settle_markers(struct mp_job *job, const struct mp_layouts *layouts, struct mp_error *err);

/* Match a file name of `len` bytes with the patterns of a layout. */
bool mp_layout_names(const struct mp_layout *l, const char *name, size_t len, struct mp_identity *id);

/* Returns whether a file name is a marker, or belongs to the recorder; and whether a marker is .done. */
bool mp_job_is_marker(const char *name);
bool mp_job_is_done(const char *name);

#endif

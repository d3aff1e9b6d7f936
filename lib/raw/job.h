/*
 * job.h: a JOB or PROF directory: its files, and the facts that their names give.
 *
 * mp_job_open reads names, sizes and the small information files; it decodes no records and writes nothing. Links are
 * not followed. Only regular files are opened; anything else is listed. A job borrows the layouts and owns everything
 * else; free it with mp_job_close. An open job is read-only, so that threads may share it.
 */
#ifndef MP_RAW_JOB_H
#define MP_RAW_JOB_H

#include "raw/clock.h"
#include "raw/layout.h"

enum {
	MP_DEVICE_MAX = 64,
	MP_PART_NAME = 272,
	MP_PART_MAX = MP_DEVICE_MAX + 1,
	MP_CONTROL_MAX = 6 * MP_PART_MAX,
	MP_MARKER_SIZE = 4096
};

enum mp_file_state {
	MP_FILE_RAW,       /* a layout describes the file */
	MP_FILE_MARKER,    /* .done or .complete, or what the recorder of msprof says of its job */
	MP_FILE_UNKNOWN,   /* no layout knows the file */
	MP_FILE_UNREADABLE /* not a regular file, or cannot be opened */
};

/* A .done marker: what it says of a raw file, or of a portion of one. */
struct mp_marker {
	struct mp_identity identity;
	char *text;       /* at most MP_MARKER_SIZE bytes, or NULL */
	int64_t bytes;    /* of the portion; -1: not told */
	int64_t start_ns; /* of the first record; -1: not told */
};

struct mp_job_file {
	char *name;     /* relative to data/; of a model file its path */
	bool is_beside; /* the file lies beside data/, where only files of layouts with `beside` belong */
	bool is_model;  /* a model file that the user named */
	int part;       /* index of the part that contains data/ */
	int64_t size;
	int64_t mtime_ns;
	enum mp_file_state state;
	const struct mp_layout *layout; /* of a raw file */
	struct mp_identity identity;
	bool has_done;             /* a marker NAME.done exists, or markers of all inferences that share the file */
	struct mp_marker *markers; /* in the order of the portions that they describe */
	size_t marker_count;
	const char *remark; /* why the file is unreadable or doubtful; NULL when neither */
	bool doubtful;      /* the data may belong to another file */
};

/* A small file beside data/. */
struct mp_info_file {
	char name[64];      /* "" when missing */
	const char *damage; /* why the file could not be used, or NULL */
	int64_t size;
	int64_t mtime_ns;
};

/* info.json.N and the clock files of one device. */
struct mp_device {
	int64_t device_id;
	struct mp_clock clock;
	int64_t file_mhz;    /* frequency of the core in info.json.N; 0: not given */
	bool clock_assumed;  /* counter_mhz is the default of the chip */
	char *info_text;     /* the JSON object in info.json.N, or NULL */
	char *recorder_text; /* the JSON object in recorder.json.N, which the recorder of msprof writes, or NULL */
	struct cJSON *info_tree, *recorder_tree; /* of these texts */
	struct mp_info_file info;
	struct mp_info_file recorder; /* recorder.json.N in data/, or beside the job */
	struct mp_info_file host_start;
	int64_t realtime_ns; /* from host_start.log.N, or of the recorder of msprof; or -1 */
	int64_t monotonic_ns;
	bool aligned; /* times of the device's counter are the host's monotonic clock */
};

/*
 * Beside a JOB there may be a directory of this name before that of the JOB: what the recorder of msprof recorded and
 * the form of a board has no place for. It is a part of the job. Jobs from before 0.9 have its files in data/.
 */
#define MP_JOB_BESIDE "msprof."

/* A directory with data/: the job itself, the one beside it, or host and device_N of a PROF directory. */
struct mp_part {
	char name[MP_PART_NAME]; /* relative to the job; "" for the job itself */
	int dirfd;
	int datafd;        /* -1: no data/ */
	int64_t device_id; /* -1: the host, or several devices */
};

/* A control file of a part, as text: "info.json", "start_info", "end_info", "sample.json", "host_start.log",
 * "dev_start.log". */
struct mp_job_control {
	char name[32]; /* without the number of a device */
	int part;
	int64_t device_id;        /* -1: the host, or all devices */
	struct mp_info_file file; /* with its name relative to the job */
	char *text;               /* NULL when the file could not be used */
	struct cJSON *tree;       /* of a text that cJSON reads, else NULL */
};

/* Where the database of a job is, or its exports: the job itself, or a directory elsewhere. */
struct mp_job_home {
	int dirfd;
	const char *path, *real_path; /* for messages; without links */
};

/* A label has 1 to 100 bytes. */
enum { MP_LABEL_SIZE = 101 };

struct mp_job {
	char *path;      /* as given by the caller, for messages */
	char *real_path; /* without links */
	char *name;      /* the last component; points into real_path */
	int dirfd;
	struct mp_job_home exports, database;
	char *elsewhere;                   /* the path of mp_job_write_below, or NULL */
	char *real_elsewhere;              /* without links */
	struct mp_part parts[MP_PART_MAX]; /* a JOB directory has one, or two */
	int part_count;
	struct mp_job_control *controls; /* in PROF directories, and in JOB directories since 2022 */
	int control_count;
	struct mp_clock host_clock; /* for files that belong to no device */
	const char *missing;        /* why a job that was imported before has no raw data any more, or NULL */
	enum mp_family family;
	const struct mp_soc *soc;  /* of the SS928 family, or NULL */
	int64_t earliest_ns;       /* the earliest start that a marker tells, or 0 */
	struct mp_job_file *files; /* in the order of loading: table, identity, name */
	size_t file_count;
	struct mp_device devices[MP_DEVICE_MAX]; /* in order of id */
	int device_count;
	char label[MP_LABEL_SIZE]; /* the name given by a user: the first line of the file "label"; or "" */
	bool has_info;             /* an info.json.N exists, usable or not */
	bool is_flat;              /* raw files lie in the job itself, not in data/ */
};

/* What a user says of a job. All zeros: nothing. */
struct mp_job_options {
	int64_t frequency_mhz;        /* > 0 replaces the frequency of every info file */
	const enum mp_family *family; /* replaces the family that files and names tell, or NULL */
	const char *top;   /* the user's directory where the job was found: below, links are not followed; or NULL */
	const char *model; /* the path of a model file whose layers serve models without layers, or NULL */
};

/*
 * Open a job. Errors: no such directory, no data/, an svp job without info.json.N, more than MP_DEVICE_MAX devices, a
 * model file that cannot be read, out of memory. `options` may be NULL, and is not kept.
 */
int mp_job_open(struct mp_job **job, const char *path, const struct mp_layouts *layouts,
    const struct mp_job_options *options, struct mp_error *err);
/*
 * Exports go to a directory below PATH, which is made: that of the job's name, with PROF_... before the name of a part
 * of 2022. With `database` the database goes there, too. Links on the way are followed. Returns 0, or -1 with err; then
 * nothing changes.
 */
int mp_job_write_below(struct mp_job *job, const char *path, bool database, struct mp_error *err);
/* Close and free a job. NULL is allowed. */
void mp_job_close(struct mp_job *job);

/* Open a file of data/ for reading. Never follows a link, never blocks. Returns a descriptor, or -1 with errno. */
int mp_job_open_file(const struct mp_job *job, const struct mp_job_file *file);

/* Write the path of a file relative to the job, such as "host/data/NAME". */
void mp_job_file_path(const struct mp_job *job, const struct mp_job_file *file, char path[512]);

/* The clock that scales the times of a file. */
const struct mp_clock *mp_job_clock(const struct mp_job *job, const struct mp_job_file *file);

/* The device with this id, or NULL. */
const struct mp_device *mp_job_device(const struct mp_job *job, int64_t device_id);

/* Directories that are jobs, in order of name. */
struct mp_found {
	char **paths;
	size_t count;
	bool nested; /* they lie in directories of the directory */
	bool none;   /* there is no job: the path is that of the directory, and opening it tells what is missing */
};

/*
 * Find the jobs of a directory: `path` itself, or directories one level below; with `deep`, where there are none, those
 * of the directories in it. A PROF directory of 2022 gives its parts instead. Links below `path` are not followed.
 * Returns 0, or -1 with err. Free with mp_found_free in any case.
 */
int mp_job_find(
    struct mp_found *found, const char *path, const struct mp_layouts *layouts, bool deep, struct mp_error *err);
void mp_found_free(struct mp_found *found);

/* Returns whether the directory of a job has a database. */
bool mp_job_was_imported(int dirfd);

/* All results of a process of our recorder have the same identity. */
struct mp_job_process {
	char identity[17];
	int64_t pid;
};

/* Returns false when the job does not tell, or was recorded by others. */
bool mp_job_process(const struct mp_job *job, struct mp_job_process *process);

#endif

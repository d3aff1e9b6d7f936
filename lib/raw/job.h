/*
 * job.h: a JOB directory: which files it holds and what their names say.
 *
 * mp_job_open reads names, sizes and the small information files; it decodes
 * nothing and writes nothing. Links are not followed, and anything but a regular
 * file is listed, never opened. A job borrows the layouts, owns everything else and
 * is freed with mp_job_close. Read-only once open.
 */
#ifndef MP_RAW_JOB_H
#define MP_RAW_JOB_H

#include "raw/clock.h"
#include "raw/layout.h"

enum { MP_MODEL_SIZE = 256, MP_DEVICE_MAX = 64, MP_PART_MAX = MP_DEVICE_MAX + 1, MP_CONTROL_MAX = 6 * MP_PART_MAX };

/* What a file's name says; -1 and "" where it says nothing. */
struct mp_identity {
	int64_t device_id;
	int64_t model_id;
	int64_t batch;
	int64_t input_pic_num;
	int64_t current_pic;
	int64_t slice;
	char model[MP_MODEL_SIZE];
};

enum mp_file_state {
	MP_FILE_RAW,       /* a layout covers it */
	MP_FILE_MARKER,    /* .done or .complete */
	MP_FILE_UNKNOWN,   /* nothing here understands it */
	MP_FILE_UNREADABLE /* not a regular file, or not to be opened */
};

struct mp_job_file {
	char *name; /* below data/ */
	int part;   /* whose data/ that is */
	int64_t size;
	int64_t mtime_ns;
	enum mp_file_state state;
	const struct mp_layout *layout; /* of a raw file */
	struct mp_identity identity;
	bool has_done;       /* a marker NAME.done stands beside it */
	int64_t marker_size; /* what the marker says the size is, or -1 */
	const char *remark;  /* why it is unreadable, or what is in doubt; NULL when nothing is */
	bool doubtful;       /* the remark is about data that may be taken for another's */
};

/* A small file beside data/. */
struct mp_info_file {
	char name[64];      /* "" when it is not there */
	const char *damage; /* why it was of no use, or NULL */
	int64_t size;
	int64_t mtime_ns;
};

/* info.json.N and the clock files of one device. */
struct mp_device {
	int64_t device_id;
	struct mp_clock clock;
	int64_t file_mhz;   /* what info.json.N says of the core; 0: nothing */
	bool clock_assumed; /* counter_mhz is the chip's default */
	char *info_text;    /* of info.json.N, a JSON object, or NULL */
	struct mp_info_file info;
	struct mp_info_file host_start;
	int64_t realtime_ns; /* host_start.log.N, or -1 */
	int64_t monotonic_ns;
	bool aligned; /* times of its counter are those of the host's monotonic clock */
};

/* A directory with data/ and information files of its own: the job itself, or host and device_N of a PROF directory. */
struct mp_part {
	char name[32]; /* relative to the job; "" for itself */
	int dirfd;
	int datafd;        /* -1 without data/ */
	int64_t device_id; /* -1: the host, or several */
};

/* A control file of a part, as text: "info.json", "start_info", "end_info", "sample.json", "host_start.log",
 * "dev_start.log". */
struct mp_job_control {
	char name[32]; /* without the number of the device */
	int part;
	int64_t device_id;        /* -1: of the host, or of all */
	struct mp_info_file file; /* its name is relative to the job */
	char *text;               /* NULL when it was of no use */
	char key[MP_NAME_SIZE];   /* the last one that was asked for, */
	char value[MP_NAME_SIZE]; /* and its text; "" when it has none so short */
};

/* A label has 1 to 100 bytes. */
enum { MP_LABEL_SIZE = 101 };

struct mp_job {
	char *path;      /* as given, for messages */
	char *real_path; /* without links */
	char *name;      /* the last component; points into real_path */
	int dirfd;
	struct mp_part parts[MP_PART_MAX]; /* one for a JOB directory */
	int part_count;
	struct mp_job_control *controls; /* of PROF directories, and of JOB directories since 2022 */
	int control_count;
	struct mp_clock host_clock; /* of files that belong to no device */
	const char *missing;        /* what a JOB directory must have and this one lacks; it was parsed before */
	enum mp_family family;
	struct mp_job_file *files; /* in the order of loading: table, identity, name */
	size_t file_count;
	struct mp_device devices[MP_DEVICE_MAX]; /* in order of id */
	int device_count;
	char label[MP_LABEL_SIZE]; /* what a person calls it: the first line of its file "label"; or "" */
	bool has_info;             /* an info.json.N is there, useful or not */
};

/*
 * Errors: no such directory, no data/, an svp job without info.json.N, more than MP_DEVICE_MAX
 * devices, out of memory. frequency_mhz > 0 overrides every info file.
 */
int mp_job_open(struct mp_job **job, const char *path, const struct mp_layouts *layouts, int64_t frequency_mhz,
    struct mp_error *err);
void mp_job_close(struct mp_job *job);

/* Open a file of data/ for reading; -1 with errno. Never follows a link, never blocks. */
int mp_job_open_file(const struct mp_job *job, const struct mp_job_file *file);

/* Its path within the job, such as "host/data/NAME". */
void mp_job_file_path(const struct mp_job *job, const struct mp_job_file *file, char path[512]);

/* The clocks by which the times of a file are to be read. */
const struct mp_clock *mp_job_clock(const struct mp_job *job, const struct mp_job_file *file);

/* The device of that id, or NULL. */
const struct mp_device *mp_job_device(const struct mp_job *job, int64_t device_id);

/*
 * Directories that hold a job, at `path` itself or one level below, in order
 * of name; of a PROF directory of 2022 each part. Sets *paths to an array of *count
 * strings: free each and the array.
 */
int mp_job_find(const char *path, const struct mp_layouts *layouts, char ***paths, size_t *count, struct mp_error *err);

#endif

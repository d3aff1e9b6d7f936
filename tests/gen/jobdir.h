/*
 * jobdir.h: a JOB directory while it is written: its files, their names and markers.
 *
 * Directories have mode 0750, files 0640. After a failure the files written so far stay, for inspection.
 */
#ifndef GEN_JOBDIR_H
#define GEN_JOBDIR_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "records.h"

/* The longest model name of which every file can be named. */
enum { GEN_NAME_SIZE = 256, GEN_MODEL_MAX = 180 };

enum gen_kind { GEN_AICORE, GEN_AICPU, GEN_API, GEN_HOST_API, GEN_LAYER_INFO, GEN_NET_INFO };

/* One model on one device, and one of its inferences. */
struct gen_identity {
	const char *model; /* as gen_name_clean leaves it */
	int device_id;
	int model_id;
	int batch;
	int input_pic_num;
	int current_pic;
	int stream_id;
};

struct gen_job {
	int dirfd;
	int datafd;
	const struct gen_soc *soc;
	bool done;     /* write .done markers */
	bool complete; /* write .complete markers, as the vendor's parser does */
};

struct gen_file {
	struct gen_out out;
	char name[GEN_NAME_SIZE];
};

/* What NAME.done says; which lines it has depends on the kind. */
struct gen_marker {
	uint64_t bytes;
	uint64_t begin_us, end_us;
	uint64_t cache_hit, cache_mis;
	uint32_t pid, tid;
};

/* Replace what the library of a board does not take into names of files: '.', '/' and space become '_'. */
void gen_name_clean(char *model);

/* Make the directory `path`, which must not exist, and data/ in it. */
int gen_job_create(struct gen_job *job, const char *path, struct mp_error *err);
void gen_job_close(struct gen_job *job);

/* A file of data/. Boards that share one raw file have it named without the model. */
int gen_file_open(struct gen_file *f, const struct gen_job *job, enum gen_kind kind, const struct gen_identity *id,
    struct mp_error *err);

/* Flush and close. Reports any write error since the file was opened. */
int gen_file_close(struct gen_file *f, const struct gen_job *job, struct mp_error *err);

/* NAME.done, always with the whole identity in its name; nothing where the job has no markers. Of calls of a host it
 * tells the bytes alone. */
int gen_marker_write(const struct gen_job *job, enum gen_kind kind, const struct gen_identity *id,
    const struct gen_marker *m, struct mp_error *err);

/* info.json.N beside data/, as a board writes it; a host that has no device says so when frequency_mhz is 0. */
int gen_info_write(const struct gen_job *job, int device_id, int frequency_mhz, struct mp_error *err);

/* data/recorder.json.N: what msprof's recorder says of itself. */
int gen_recorder_write(
    const struct gen_job *job, int device_id, uint32_t pid, uint64_t realtime_ns, struct mp_error *err);

#endif

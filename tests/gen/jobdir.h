/*
 * jobdir.h: a JOB directory while it is written: its files, their names and markers.
 *
 * Directories have mode 0750, files 0640. After a failure the files written so far stay, for inspection.
 */
#ifndef GEN_JOBDIR_H
#define GEN_JOBDIR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

enum { GEN_NAME_SIZE = 256, GEN_MODEL_MAX = 180 };

enum gen_kind { GEN_AICORE, GEN_AICPU, GEN_API };

/* One model on one device, and one of its inferences. */
struct gen_identity {
	const char *model;
	int device_id;
	int model_id;
	int batch;
	int input_pic_num;
	int current_pic;
};

struct gen_job {
	int dirfd;
	int datafd;
	bool guide_names; /* AAcore, aacpu, AclModule */
	bool short_names; /* aicore.D.1.1 */
	bool done;        /* write .done markers */
	bool complete;    /* write .complete markers */
};

struct gen_file {
	struct gen_job *job;
	FILE *stream;
	char name[GEN_NAME_SIZE];
	char done_name[GEN_NAME_SIZE]; /* without the suffix; "" for none */
};

/* Make the directory `path`, which must not exist, and data/ in it. */
int gen_job_create(struct gen_job *job, const char *path, struct mp_error *err);
void gen_job_close(struct gen_job *job);

/* A raw file of data/. */
int gen_raw_open(
    struct gen_file *f, struct gen_job *job, enum gen_kind kind, const struct gen_identity *id, struct mp_error *err);

/* MODEL.ID.layer.info or MODEL.ID.net.info: `what` is "layer" or "net". */
int gen_info_open(
    struct gen_file *f, struct gen_job *job, const char *what, const struct gen_identity *id, struct mp_error *err);

/* Flush, close and write the markers. Reports any write error since the file was opened. */
int gen_file_close(struct gen_file *f, struct mp_error *err);

/* MODEL.ID.net.info */
int gen_write_net(struct gen_job *job, const struct gen_identity *id, struct mp_error *err);

/* info.json.N beside data/; `collector` may be NULL. */
int gen_write_device(struct gen_job *job, int device_id, int frequency_mhz, int64_t monotonic_ns, const char *collector,
    struct mp_error *err);

/* One line of layer.info: begin, the layers, end. */
void gen_task_begin(FILE *stream, uint32_t task_id, uint32_t stream_id);
/* id is JSON. An empty text gives no key; `ori` has ori_count names. */
void gen_task_layer(FILE *stream, bool first, const char *id, const char *name, const char *type,
    const char *const *ori, int ori_count);
void gen_task_end(FILE *stream);

#endif

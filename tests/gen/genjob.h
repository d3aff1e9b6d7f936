/* genjob.h: shared by the parts of the job generator. */
#ifndef GEN_GENJOB_H
#define GEN_GENJOB_H

#include "calls.h"
#include "jobdir.h"
#include "random.h"
#include "raw/layout.h"

struct gen_options {
	const char *out;
	const char *layouts;
	const char *model; /* of the first model, or NULL */
	uint64_t seed;
	int models;
	int devices;
	uint32_t tasks; /* aicore tasks of an inference */
	uint32_t aicpu; /* aicpu tasks of an inference */
	int pictures;
	int interval;
	int batch;
	uint64_t calls;
	int threads;
	int frequency;
	int fused;                                                                    /* percent */
	int overlap;                                                                  /* percent */
	int utf8, guide_names, short_names, complete, no_done, no_execute, host_only; /* flags */
};

/* What a task mainly does, which decides the counters that are not zero. */
enum gen_work { GEN_MATRIX, GEN_VECTOR, GEN_MOVE };

struct gen_task {
	uint32_t task_id;
	uint32_t first_layer;
	uint8_t layer_count;
	uint8_t first_type; /* index of the type of the first layer */
	bool on_cpu;
	uint32_t ticks; /* typical duration */
};

/* The tasks of one inference in order of start. */
struct gen_plan {
	struct gen_task *tasks;
	uint32_t count;
};

int gen_plan_make(struct gen_plan *plan, const struct gen_options *o, int model_index, struct mp_error *err);
void gen_plan_free(struct gen_plan *plan);
enum gen_work gen_task_work(const struct gen_task *task);

/* The streams of the two kinds of tasks. */
uint32_t gen_task_stream(const struct gen_task *task);

/* MODEL.ID.layer.info */
int gen_plan_write_layers(const struct gen_plan *plan, const struct gen_options *o, struct gen_job *job,
    const struct gen_identity *id, struct mp_error *err);

/* Write the aicore and aicpu files of all pictures of one model on one device; *tick is the device's clock. */
int gen_tasks_write(const struct gen_plan *plan, const struct gen_options *o, const struct mp_layouts *layouts,
    struct gen_job *job, const struct gen_identity *id, uint64_t *tick, struct mp_error *err);

#endif

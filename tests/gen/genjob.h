/* genjob.h: shared by the parts of the job generator. */
#ifndef GEN_GENJOB_H
#define GEN_GENJOB_H

#include "jobdir.h"
#include "random.h"

enum { GEN_THREAD_MAX = 256, GEN_PID = 2417 };

/* The clock of the made-up board when its job begins: us since 1970. */
#define GEN_EPOCH_US 1700000000000000u

struct gen_options {
	const char *out;
	const char *model; /* of the first model, or NULL */
	const char *soc_name;
	const struct gen_soc *soc;
	uint64_t seed;
	int models;
	int devices;
	int nets;       /* on the AI Core */
	uint32_t tasks; /* aicore tasks of an inference */
	int aicpu;      /* nets on the CPU */
	int pictures;
	int interval;
	int batch;
	uint64_t calls;
	uint64_t host_calls;
	int threads;
	int frequency;
	int fused;                                                 /* percent */
	int overlap;                                               /* percent */
	int utf8, async, complete, no_done, no_execute, host_only; /* flags */
};

/* What a task mainly does, which decides the counters that are not zero. */
enum gen_work { GEN_MATRIX, GEN_VECTOR, GEN_MOVE };

/* A group of layers that run as one. */
struct gen_task {
	uint32_t first_layer;
	uint32_t time; /* typical: ticks on the core, us on the CPU */
	uint8_t layer_count;
	uint8_t first_type; /* index of the type of the first layer */
};

struct gen_net {
	uint32_t first_task, task_count;
	bool on_cpu; /* it has one task then */
};

/* A model: the nets of the core one after the other, then those of the CPU. */
struct gen_plan {
	struct gen_task *tasks;
	struct gen_net *nets;
	uint32_t net_count, task_count;
};

int gen_plan_make(struct gen_plan *plan, const struct gen_options *o, int model_index, struct mp_error *err);
void gen_plan_free(struct gen_plan *plan);
enum gen_work gen_task_work(const struct gen_task *task);

/* The type and the name of layer `index` of a task, and its original names, joined with commas. */
struct gen_layer {
	const char *type;
	char name[96];
	char ori[160];
};
void gen_layer_describe(struct gen_layer *layer, const struct gen_task *task, uint32_t index, bool utf8);

/* MODEL.ID.layer.info and MODEL.ID.net.info */
int gen_model_write(const struct gen_plan *plan, bool utf8, const struct gen_job *job, const struct gen_identity *id,
    struct mp_error *err);

#endif

/*
 * genjob_layers.c: the network of a job: its tasks, the layers fused into each task, and their names. Names are
 * computed from the layer's number when written, so that none is stored.
 */
#include "genjob.h"

#include <stdlib.h>
#include <string.h>

enum type_index { PREPROCESS, CONVOLUTION, POOLING, ELTWISE, LRN, FC, SOFTMAX, REPORTOP, DETECTION, PROPOSAL };

static const struct {
	const char *type;
	const char *stem;
	enum gen_work work;
	bool has_relu; /* the original network had an activation that was fused into the layer */
} types[] = {
    [PREPROCESS] = {"Preprocess", "Input_", GEN_MOVE, false},
    [CONVOLUTION] = {"Convolution", "conv", GEN_MATRIX, true},
    [POOLING] = {"Pooling", "pool", GEN_VECTOR, false},
    [ELTWISE] = {"Eltwise", "res", GEN_VECTOR, true},
    [LRN] = {"LRN", "norm", GEN_VECTOR, false},
    [FC] = {"Fc", "fc", GEN_MATRIX, true},
    [SOFTMAX] = {"Softmax", "prob", GEN_VECTOR, false},
    [REPORTOP] = {"Reportop", "report_", GEN_MOVE, false},
    [DETECTION] = {"DetectionOutput", "detection", GEN_VECTOR, false},
    [PROPOSAL] = {"Proposal", "proposal", GEN_VECTOR, false},
};

/* Half of a network consists of convolutions. */
static const enum type_index usual[] = {CONVOLUTION, CONVOLUTION, CONVOLUTION, CONVOLUTION, POOLING, ELTWISE, LRN, FC};
static const enum type_index followers[] = {POOLING, ELTWISE, CONVOLUTION};

enum { USUAL = sizeof(usual) / sizeof(usual[0]), FOLLOWERS = sizeof(followers) / sizeof(followers[0]) };

static enum type_index core_type(struct gen_random *r, uint32_t nth, uint32_t count)
{
	if (nth == 0 && count > 1)
		return PREPROCESS;
	if (nth + 1 == count && count > 2)
		return REPORTOP;
	if (nth + 2 == count && count > 4)
		return SOFTMAX;
	return usual[gen_random_between(r, 0, USUAL - 1)];
}

static uint32_t typical_ticks(struct gen_random *r, enum gen_work work, bool on_cpu)
{
	if (on_cpu)
		return (uint32_t)gen_random_between(r, 400, 9000);
	if (work == GEN_MATRIX)
		return (uint32_t)gen_random_between(r, 100, 8000);
	if (work == GEN_VECTOR)
		return (uint32_t)gen_random_between(r, 50, 1000);
	return (uint32_t)gen_random_between(r, 5, 600);
}

int gen_plan_make(struct gen_plan *plan, const struct gen_options *o, int model_index, struct mp_error *err)
{
	uint64_t core = 0, cpu = 0, total = (uint64_t)o->tasks + o->aicpu;
	struct gen_random r;
	uint32_t layer = 0;

	gen_random_init(&r, o->seed, 0x6c61796572 + (uint64_t)model_index);
	plan->count = (uint32_t)total;
	plan->tasks = calloc(total ? total : 1, sizeof(plan->tasks[0]));
	if (!plan->tasks)
		return mp_fail_memory(err, "the tasks of a model");
	for (uint32_t i = 0; i < plan->count; i++) {
		struct gen_task *t = &plan->tasks[i];
		enum type_index type;

		/* Spread evenly, and never first if there is a choice. */
		t->on_cpu = core == o->tasks || (cpu < o->aicpu && (cpu + 1) * (o->tasks + 1) <= core * (o->aicpu + 1));
		if (t->on_cpu)
			type = cpu++ % 2 ? DETECTION : PROPOSAL;
		else
			type = core_type(&r, (uint32_t)core++, o->tasks);
		t->task_id = i;
		t->first_layer = layer;
		t->first_type = (uint8_t)type;
		t->layer_count = 1;
		if ((type == CONVOLUTION || type == FC) && gen_random_percent(&r, (uint64_t)o->fused))
			t->layer_count = (uint8_t)gen_random_between(&r, 2, 4);
		layer += t->layer_count;
		t->ticks = typical_ticks(&r, types[type].work, t->on_cpu);
	}
	return 0;
}

void gen_plan_free(struct gen_plan *plan)
{
	free(plan->tasks);
	plan->tasks = NULL;
}

enum gen_work gen_task_work(const struct gen_task *task)
{
	return types[task->first_type].work;
}

uint32_t gen_task_stream(const struct gen_task *task)
{
	return task->on_cpu ? 1 : 0;
}

/* Every fourth layer gets a name that breaks careless readers and writers. */
static void layer_name(char *name, size_t size, enum type_index type, unsigned long layer, bool utf8)
{
	if (utf8 && layer % 4 == 1) {
		switch (layer / 4 % 4) {
		case 0:
			snprintf(name, size, "卷积层_%s%lu", types[type].stem, layer);
			return;
		case 1:
			snprintf(name, size, "%s \"3x3\", pad%lu", types[type].stem, layer);
			return;
		case 2:
			snprintf(name, size, "façade_%s_é%lu", types[type].stem, layer);
			return;
		default:
			snprintf(name, size, "特征/%s/%lu", types[type].stem, layer);
			return;
		}
	}
	snprintf(name, size, "%s%lu", types[type].stem, layer);
}

static void put_layer(FILE *stream, const struct gen_task *t, uint32_t index, bool utf8)
{
	char id[16];
	uint32_t layer = t->first_layer + index;
	enum type_index type = index ? followers[layer % FOLLOWERS] : (enum type_index)t->first_type;
	char name[96], relu[32];
	const char *ori[2] = {name, relu};
	int ori_count = type == REPORTOP ? 0 : types[type].has_relu ? 2 : 1;

	layer_name(name, sizeof(name), type, layer, utf8);
	snprintf(relu, sizeof(relu), "relu%lu", (unsigned long)layer);
	snprintf(id, sizeof(id), "%lu", (unsigned long)layer);
	gen_task_layer(stream, index == 0, id, name, types[type].type, ori, ori_count);
}

int gen_plan_write_layers(const struct gen_plan *plan, const struct gen_options *o, struct gen_job *job,
    const struct gen_identity *id, struct mp_error *err)
{
	struct gen_file f;

	if (gen_info_open(&f, job, "layer", id, err))
		return -1;
	for (uint32_t i = 0; i < plan->count; i++) {
		const struct gen_task *t = &plan->tasks[i];

		gen_task_begin(f.stream, t->task_id, gen_task_stream(t));
		for (uint32_t k = 0; k < t->layer_count; k++)
			put_layer(f.stream, t, k, o->utf8);
		gen_task_end(f.stream);
	}
	return gen_file_close(&f, err);
}

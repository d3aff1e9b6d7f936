/*
 * genjob_layers.c: a model: its nets, their tasks, the layers fused into each task, and their names. Names are computed
 * from the layer's number when written, so that none is stored.
 */
#include "genjob.h"

#include <stdio.h>
#include <stdlib.h>

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

static uint32_t typical_ticks(struct gen_random *r, enum gen_work work)
{
	if (work == GEN_MATRIX)
		return (uint32_t)gen_random_between(r, 100, 8000);
	if (work == GEN_VECTOR)
		return (uint32_t)gen_random_between(r, 50, 1000);
	return (uint32_t)gen_random_between(r, 5, 600);
}

/* Share the tasks out among the nets; a net without a task is none. */
static int make_nets(struct gen_plan *plan, const struct gen_options *o, struct mp_error *err)
{
	uint32_t core_nets = (uint32_t)o->nets < o->tasks ? (uint32_t)o->nets : o->tasks;

	plan->net_count = core_nets + (uint32_t)o->aicpu;
	plan->task_count = 0;
	plan->nets = calloc(plan->net_count + 1, sizeof(plan->nets[0]));
	plan->tasks = calloc((size_t)o->tasks + (size_t)o->aicpu + 1, sizeof(plan->tasks[0]));
	if (!plan->nets || !plan->tasks)
		return mp_fail_memory(err, "the tasks of a model");
	for (uint32_t i = 0; i < plan->net_count; i++) {
		struct gen_net *net = &plan->nets[i];

		net->on_cpu = i >= core_nets;
		net->first_task = plan->task_count;
		net->task_count = net->on_cpu ? 1 : o->tasks / core_nets + (i < o->tasks % core_nets);
		plan->task_count += net->task_count;
	}
	return 0;
}

int gen_plan_make(struct gen_plan *plan, const struct gen_options *o, int model_index, struct mp_error *err)
{
	struct gen_random r;
	uint32_t layer = 0;

	gen_random_init(&r, o->seed, 0x6c61796572 + (uint64_t)model_index);
	if (make_nets(plan, o, err))
		return -1;
	for (uint32_t n = 0; n < plan->net_count; n++) {
		const struct gen_net *net = &plan->nets[n];

		for (uint32_t i = 0; i < net->task_count; i++) {
			struct gen_task *t = &plan->tasks[net->first_task + i];
			enum type_index type = core_type(&r, i, net->task_count);

			if (net->on_cpu)
				type = n % 2 ? DETECTION : PROPOSAL;
			t->first_layer = layer;
			t->first_type = (uint8_t)type;
			t->layer_count = 1;
			if ((type == CONVOLUTION || type == FC) && gen_random_percent(&r, (uint64_t)o->fused))
				t->layer_count = (uint8_t)gen_random_between(&r, 2, 4);
			layer += t->layer_count;
			t->time = net->on_cpu ? (uint32_t)gen_random_between(&r, 60, 1300)
					      : typical_ticks(&r, types[type].work);
		}
	}
	return 0;
}

void gen_plan_free(struct gen_plan *plan)
{
	free(plan->tasks);
	free(plan->nets);
	plan->tasks = NULL;
	plan->nets = NULL;
}

enum gen_work gen_task_work(const struct gen_task *task)
{
	return types[task->first_type].work;
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

void gen_layer_describe(struct gen_layer *layer, const struct gen_task *task, uint32_t index, bool utf8)
{
	uint32_t id = task->first_layer + index;
	enum type_index type = index ? followers[id % FOLLOWERS] : (enum type_index)task->first_type;
	size_t size = sizeof(layer->ori);

	layer->type = types[type].type;
	layer_name(layer->name, sizeof(layer->name), type, id, utf8);
	if (type == REPORTOP)
		layer->ori[0] = '\0';
	else if (types[type].has_relu)
		snprintf(layer->ori, size, "%s,relu%lu", layer->name, (unsigned long)id);
	else
		snprintf(layer->ori, size, "%s", layer->name);
}

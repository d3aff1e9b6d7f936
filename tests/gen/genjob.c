/*
 * genjob.c: writes a JOB directory like a board would, for tests and benchmarks. Records are encoded by the layouts
 * that msprof decodes with. Every number is made up.
 */
#include "genjob.h"
#include "genjob_options.h"

#include <string.h>

enum { EXIT_USAGE = 2 };

static const uint64_t boot_ns = 125000000000; /* the board has been up for two minutes */

static const struct {
	const char *name;
	int id;
} known_models[] = {{"resnet50", 46}, {"yolov5n_noquat", 32}, {"goturn_nuquant", 11}, {"kws-610-pro", 58},
    {"fasterrcnn_alexnet", 34}, {"yolov8s.v2.1", 7}};

enum { KNOWN_MODELS = sizeof(known_models) / sizeof(known_models[0]) };

/* `name` has room for GEN_MODEL_MAX + 1 bytes. */
static void name_model(const struct gen_options *o, int index, char *name, int *id)
{
	const size_t size = GEN_MODEL_MAX + 1;

	*id = index < KNOWN_MODELS ? known_models[index].id : 100 + index;
	if (index == 0 && o->model)
		snprintf(name, size, "%s", o->model);
	else if (o->utf8 && index == o->models - 1)
		snprintf(name, size, "人脸检测_é%d", index);
	else if (index < KNOWN_MODELS)
		snprintf(name, size, "%s", known_models[index].name);
	else
		snprintf(name, size, "net%d", index);
}

struct device_run {
	const struct gen_options *options;
	const struct mp_layouts *layouts;
	struct gen_job *job;
	struct gen_calls calls;
	uint64_t tick;
};

static int run_model(struct device_run *run, int device_id, int index, struct mp_error *err)
{
	const struct gen_options *o = run->options;
	char name[GEN_MODEL_MAX + 1];
	struct gen_identity id = {name, device_id, 0, o->batch, 1, 0};
	struct gen_plan plan;
	int status;

	name_model(o, index, name, &id.model_id);
	if (o->calls && gen_calls_write(&run->calls, run->job, &id, err))
		return -1;
	if (o->host_only)
		return 0; /* a host has neither tasks nor layers */
	status = gen_plan_make(&plan, o, index, err);
	/* Model files are the same for every device. */
	if (!status && device_id == 0)
		status = gen_write_net(run->job, &id, err);
	if (!status && device_id == 0)
		status = gen_plan_write_layers(&plan, o, run->job, &id, err);
	if (!status && !o->no_execute)
		status = gen_tasks_write(&plan, o, run->layouts, run->job, &id, &run->tick, err);
	gen_plan_free(&plan);
	return status;
}

static int run_device(const struct gen_options *o, const struct mp_layouts *layouts, struct gen_job *job, int device_id,
    struct mp_error *err)
{
	struct device_run run = {.options = o, .layouts = layouts, .job = job};

	run.calls.layouts = layouts;
	run.calls.seed = o->seed;
	run.calls.count = o->calls;
	run.calls.threads = o->threads;
	run.calls.overlap = o->overlap;
	run.calls.no_execute = o->no_execute;
	run.calls.pid = 2417;
	gen_calls_start(&run.calls, boot_ns);
	/* The first task begins after the first model is loaded; a tick is 100 cycles. */
	run.tick = (boot_ns + 600000000) / 100000 * (uint64_t)o->frequency;
	if (gen_write_device(job, device_id, o->frequency, (int64_t)boot_ns, o->host_only ? "host" : NULL, err))
		return -1;
	for (int i = 0; i < o->models; i++)
		if (run_model(&run, device_id, i, err))
			return -1;
	return 0;
}

static int generate(const struct gen_options *o, struct mp_error *err)
{
	struct gen_job job = {-1, -1, o->guide_names, o->short_names, !o->no_done, o->complete};
	struct mp_layouts layouts = {0};
	int status = mp_layouts_read(&layouts, o->layouts, err);

	if (!status)
		status = mp_layouts_finish(&layouts, err);
	if (!status)
		status = gen_job_create(&job, o->out, err);
	for (int d = 0; d < o->devices && !status; d++)
		status = run_device(o, &layouts, &job, d, err);
	gen_job_close(&job);
	mp_layouts_free(&layouts);
	return status;
}

int main(int argc, char **argv)
{
	struct gen_options options;
	struct mp_error err = {""};
	int status = gen_options_parse(&options, argc, argv);

	if (status)
		return status > 0 ? 0 : EXIT_USAGE;
	if (generate(&options, &err)) {
		fprintf(stderr, "genjob: %s\n", err.text);
		return 1;
	}
	return 0;
}

/*
 * genjob.c: writes a JOB directory like the library of a board, for tests and benchmarks: the same files, names, sizes
 * and forms. Every number is made up.
 */
#include <stdio.h>

#include "calls.h"
#include "genjob_options.h"

enum { EXIT_USAGE = 2 };

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
	gen_name_clean(name);
}

static int run_model(struct gen_device *device, struct gen_host *host, int index, struct mp_error *err)
{
	const struct gen_options *o = device->options;
	char name[GEN_MODEL_MAX + 1];
	struct gen_plan plan = {NULL, NULL, 0, 0};
	struct gen_run run = {.device = device, .plan = &plan, .id = {name, device->device_id, 0, o->batch, 1, 0, 0}};
	int status;

	name_model(o, index, name, &run.id.model_id);
	if (o->host_only)
		return gen_host_calls_make(host, &run, err); /* a host has neither tasks nor layers */
	status = gen_plan_make(&plan, o, index, err);
	/* Model files are the same for every device. */
	if (!status && device->device_id == 0)
		status = gen_model_write(&plan, o->utf8, device->job, &run.id, err);
	if (!status)
		status = o->host_calls ? gen_host_calls_make(host, &run, err) : gen_calls_make(&run, err);
	gen_plan_free(&plan);
	return status;
}

static int run_device(const struct gen_options *o, const struct gen_job *job, int device_id, struct mp_error *err)
{
	struct gen_device device = {.options = o, .job = job, .device_id = device_id, .clock_us = GEN_EPOCH_US};
	struct gen_host host = {.options = o, .job = job, .device_id = device_id};
	struct mp_error later; /* after another error */
	int status = gen_info_write(job, device_id, o->host_only ? 0 : o->frequency, err);

	if (!status && o->host_only)
		status = gen_recorder_write(job, device_id, GEN_PID, GEN_EPOCH_US * 1000, err);
	gen_host_start(&host);
	for (int i = 0; i < o->models && !status; i++)
		status = run_model(&device, &host, i, err);
	gen_host_end(&host);
	return gen_device_end(&device, status ? &later : err) ? -1 : status;
}

static int generate(const struct gen_options *o, struct mp_error *err)
{
	struct gen_job job = {-1, -1, o->soc, !o->no_done, o->complete};
	int status = gen_job_create(&job, o->out, err);

	for (int d = 0; d < o->devices && !status; d++)
		status = run_device(o, &job, d, err);
	gen_job_close(&job);
	return status;
}

int main(int argc, char **argv)
{
	struct gen_options options;
	struct mp_error err = {.text = ""};
	int status = gen_options_parse(&options, argc, argv);

	if (status)
		return status > 0 ? 0 : EXIT_USAGE;
	if (generate(&options, &err)) {
		fprintf(stderr, "genjob: %s\n", err.text);
		return 1;
	}
	return 0;
}

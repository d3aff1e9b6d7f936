/* job.c: opens a JOB directory: its parts, the required files, and the order in which files are loaded. */
#include "raw/job.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/json.h"
#include "raw/job_info.h"

enum { COUNTER_MHZ_ASSUMED = 100 };

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_identity(const struct mp_identity *x, const struct mp_identity *y)
{
	int order = compare(x->device_id, y->device_id);

	if (!order)
		order = strcmp(x->model, y->model);
	if (!order)
		order = compare(x->model_id, y->model_id);
	if (!order)
		order = compare(x->stream_id, y->stream_id);
	if (!order)
		order = compare(x->batch, y->batch);
	if (!order)
		order = compare(x->input_pic_num, y->input_pic_num);
	if (!order)
		order = compare(x->current_pic, y->current_pic);
	return order ? order : compare(x->slice, y->slice);
}

static int by_load_order(const void *a, const void *b)
{
	const struct mp_job_file *x = a, *y = b;
	int order = compare(!x->layout, !y->layout);

	if (!order && x->layout)
		order = strcmp(x->layout->table, y->layout->table);
	if (!order && x->layout) /* what covers other files is known before them */
		order = compare(x->layout->covered_by[0] != '\0', y->layout->covered_by[0] != '\0');
	if (!order && x->layout)
		order = by_identity(&x->identity, &y->identity);
	return order ? order : strcmp(x->name, y->name);
}

/* Add the devices in file names, before their control files choose the layouts of the files. */
static int add_named_devices(struct mp_job *job, const struct mp_layouts *layouts, struct mp_error *err)
{
	for (size_t i = 0; i < job->file_count; i++) {
		const char *name = job->files[i].name;
		struct mp_identity id;

		if (mp_job_name_layout(
			layouts, job->family, name, strlen(name) - (mp_job_is_done(name) ? 5 : 0), &id) &&
		    id.device_id >= 0 && !mp_job_add_device(job, id.device_id, err))
			return -1;
	}
	return 0;
}

static int add_devices(struct mp_job *job, int64_t frequency_mhz, struct mp_error *err)
{
	for (size_t i = 0; i < job->file_count; i++)
		if (job->files[i].layout && job->files[i].identity.device_id >= 0 &&
		    !mp_job_add_device(job, job->files[i].identity.device_id, err))
			return -1;
	for (int i = 0; i < job->device_count; i++) {
		struct mp_device *d = &job->devices[i];

		d->clock.core_mhz = frequency_mhz > 0 ? frequency_mhz : d->file_mhz;
		if (job->family == MP_FAMILY_ASCEND910 && !d->clock.counter_mhz) {
			d->clock.counter_mhz = COUNTER_MHZ_ASSUMED;
			d->clock_assumed = true;
		}
	}
	return 0;
}

/* Raw data is missing or not supported. That is an error, unless the job was imported before. */
static bool was_imported(struct mp_job *job, const char *missing)
{
	if (!job->missing)
		job->missing = missing;
	return mp_job_was_imported(job->dirfd);
}

/* A required file is missing. */
static int require(struct mp_job *job, const char *what, const char *missing, struct mp_error *err)
{
	if (was_imported(job, missing))
		return 0;
	if (job->family == MP_FAMILY_PROF)
		return mp_fail(err, "'%s' is not a complete PROF directory: it has no %s", job->path, what);
	if (strncmp(job->name, "PROF_", 5) == 0)
		return mp_fail(
		    err, "'%s' is not a PROF directory: it has no directory 'host' or 'device_N'", job->path);
	return mp_fail(err, "'%s' is not a complete JOB directory: it has no %s%s", job->path, what,
	    strncmp(job->name, "JOB", 3) == 0 || job->file_count
		? ""
		: "; give a JOB or PROF directory, or a directory that holds several");
}

static int open_directories(struct mp_job *job, const struct mp_layouts *layouts, const char *top, struct mp_error *err)
{
	job->dirfd = top ? mp_dir_open_below(top, job->path, err) : mp_named_dir(job->path, err);
	if (job->dirfd < 0)
		return -1;
	job->exports = job->database = (struct mp_job_home){job->dirfd, job->path, job->real_path};
	if (mp_job_open_parts(job, layouts, err))
		return -1;
	for (int i = 0; i < job->part_count; i++)
		if (job->parts[i].datafd >= 0)
			return 0;
	return job->family == MP_FAMILY_PROF ? require(job, "directory 'host/data' or 'device_N/data'",
						   "directory 'host/data' or 'device_N/data' not found", err)
					     : require(job, "directory 'data'", "directory 'data' not found", err);
}

/* The form of recorders before msprof 0.9 was never written by a board. What was imported from it stays. */
static int refuse_version1(struct mp_job *job, struct mp_error *err)
{
	static const char why[] = "recorded before msprof 0.9, in a form that is not read any more";

	if (!was_imported(job, why))
		return mp_fail(err, "'%s' was %s: record it again", job->path, why);
	for (size_t i = 0; i < job->file_count; i++)
		free(job->files[i].name);
	job->file_count = 0;
	return 0;
}

/* The family, and what the control and info files of its kind tell. */
static int read_facts(
    struct mp_job *job, const struct mp_layouts *layouts, const struct mp_job_options *options, struct mp_error *err)
{
	struct mp_told told = {false, false};

	if (job->family == MP_FAMILY_PROF)
		return mp_job_read_controls(job, err);
	if (mp_job_read_info(job, &told, err))
		return -1;
	/* the host beside devices may have nothing but control files, without a number */
	told.ascend |= strcmp(job->name, "host") == 0;
	job->family = options->family ? *options->family : mp_job_find_family(job, layouts, told.ascend);
	/* a directory of device 1 only has info.json.1 */
	if (job->family == MP_FAMILY_SVP && !job->has_info && !mp_job_known_files(job, layouts, job->family) &&
	    require(job, "file 'info.json.0'", "file 'info.json.0' not found", err))
		return -1;
	if (job->family == MP_FAMILY_SVP && told.version1 && refuse_version1(job, err))
		return -1;
	if (job->family == MP_FAMILY_SVP)
		mp_job_find_soc(job, layouts);
	if (job->family == MP_FAMILY_ASCEND2022)
		return add_named_devices(job, layouts, err) ? -1 : mp_job_read_controls(job, err);
	return 0;
}

static int fill_job(
    struct mp_job *job, const struct mp_layouts *layouts, const struct mp_job_options *options, struct mp_error *err)
{
	int status;

	if (open_directories(job, layouts, options->top, err) || mp_job_read_label(job, err) ||
	    mp_job_list_files(job, layouts, err) || read_facts(job, layouts, options, err))
		return -1;
	mp_job_classify(job, layouts);
	status = mp_job_settle_markers(job, layouts, err);
	if (!status)
		status = mp_job_list_beside(job, layouts, err);
	if (!status && options->model && !job->missing)
		status = mp_job_add_model(job, layouts, options->model, err);
	if (!status)
		status = add_devices(job, options->frequency_mhz, err);
	if (!status && job->controls)
		mp_job_set_clocks(job);
	if (job->file_count)
		qsort(job->files, job->file_count, sizeof(job->files[0]), by_load_order);
	return status;
}

int mp_job_open(struct mp_job **job, const char *path, const struct mp_layouts *layouts,
    const struct mp_job_options *options, struct mp_error *err)
{
	static const struct mp_job_options none = {.model = NULL};
	struct mp_job *j = calloc(1, sizeof(*j));

	*job = NULL;
	if (!j)
		return mp_fail_memory(err, "a job");
	j->dirfd = -1;
	j->path = strdup(path);
	j->real_path = realpath(path, NULL);
	if (!j->path)
		mp_fail_memory(err, "a job");
	else if (!j->real_path)
		mp_fail_errno(err, "cannot open '%s'", path);
	else
		j->name = strrchr(j->real_path, '/') + 1;
	if (!j->path || !j->real_path || fill_job(j, layouts, options ? options : &none, err)) {
		mp_job_close(j);
		return -1;
	}
	*job = j;
	return 0;
}

void mp_job_close(struct mp_job *job)
{
	if (!job)
		return;
	for (size_t i = 0; i < job->file_count; i++) {
		for (size_t k = 0; k < job->files[i].marker_count; k++)
			free(job->files[i].markers[k].text);
		free(job->files[i].markers);
		free(job->files[i].name);
	}
	for (int i = 0; i < job->device_count; i++) {
		free(job->devices[i].info_text);
		free(job->devices[i].recorder_text);
		cJSON_Delete(job->devices[i].info_tree);
		cJSON_Delete(job->devices[i].recorder_tree);
	}
	if (job->elsewhere)
		close(job->exports.dirfd); /* nothing was written through it */
	free(job->elsewhere);
	free(job->real_elsewhere);
	if (job->dirfd >= 0)
		close(job->dirfd);
	for (int i = 0; i < job->part_count; i++) {
		if (job->parts[i].datafd >= 0)
			close(job->parts[i].datafd);
		if (job->parts[i].dirfd >= 0)
			close(job->parts[i].dirfd);
	}
	for (int i = 0; i < job->control_count; i++) {
		free(job->controls[i].text);
		cJSON_Delete(job->controls[i].tree);
	}
	free(job->controls);
	free(job->files);
	free(job->path);
	free(job->real_path);
	free(job);
}

/* The name of the job's directory; of a part of a PROF directory the name of that directory before it. */
static const char *name_below(const struct mp_job *job)
{
	const char *name = job->name;

	if ((strcmp(name, "host") == 0 || strncmp(name, "device_", 7) == 0) && name - 1 > job->real_path)
		for (name--; name > job->real_path && name[-1] != '/';)
			name--;
	return name;
}

/* Make the directories of `name`, of one or two parts, below dirfd, which is closed. Returns a descriptor, or -1. */
static int make_below(int dirfd, const char *name, const char *label, struct mp_error *err)
{
	char part[PATH_MAX];

	while (dirfd >= 0 && *name) {
		size_t len = strcspn(name, "/");
		int next;

		snprintf(part, sizeof(part), "%.*s", (int)len, name);
		next = mp_dir_make(dirfd, part, label, err);
		close(dirfd); /* nothing was written through it */
		dirfd = next;
		name += len + (name[len] == '/');
	}
	return dirfd;
}

int mp_job_write_below(struct mp_job *job, const char *path, bool database, struct mp_error *err)
{
	const char *name = name_below(job);
	size_t size = strlen(path) + strlen(name) + 2;
	char *whole = malloc(size);
	int fd = whole ? mp_dir_walk(path, err) : mp_fail_memory(err, "a path");

	if (whole)
		snprintf(whole, size, "%s/%s", path, name);
	fd = fd < 0 ? -1 : make_below(fd, name, whole, err);
	job->real_elsewhere = fd < 0 ? NULL : realpath(whole, NULL);
	if (!job->real_elsewhere) {
		if (fd >= 0) {
			mp_fail_errno(err, "cannot find '%s'", whole);
			close(fd);
		}
		free(whole);
		return -1;
	}
	job->elsewhere = whole;
	job->exports = (struct mp_job_home){fd, whole, job->real_elsewhere};
	if (database)
		job->database = job->exports;
	return 0;
}

const struct mp_clock *mp_job_clock(const struct mp_job *job, const struct mp_job_file *file)
{
	const struct mp_device *device = mp_job_device(job, file->identity.device_id);

	return device ? &device->clock : &job->host_clock;
}

const struct mp_device *mp_job_device(const struct mp_job *job, int64_t device_id)
{
	for (int i = 0; i < job->device_count; i++)
		if (job->devices[i].device_id == device_id)
			return &job->devices[i];
	return NULL;
}

/*
 * job_parts.c: opens the directories of a job that contain data/: the job itself, or host and device_N of a PROF
 * directory. The user may also name host or device_N itself; host/ beside a device is then read with it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "raw/job_info.h"

/* The N of "device_N", or -1. */
static int64_t device_of(const char *name)
{
	char again[32];
	int n;

	if (sscanf(name, "device_%9d", &n) != 1 || n < 0)
		return -1;
	snprintf(again, sizeof(again), "device_%d", n);
	return strcmp(again, name) == 0 ? n : -1;
}

/* Open the data/ of a part. An empty name stands for the job itself in messages. */
static int open_data(struct mp_job *job, const char *name, int dirfd, int *datafd, struct mp_error *err)
{
	char label[4096];

	*datafd = -1;
	if (mp_dir_is_missing(dirfd, "data"))
		return 0;
	snprintf(label, sizeof(label), "%s%s%s/data", job->path, *name ? "/" : "", name);
	*datafd = mp_dir_open(dirfd, "data", label, err);
	return *datafd < 0 ? -1 : 0;
}

static int add_part(struct mp_job *job, const char *name, int64_t device_id, struct mp_error *err)
{
	struct mp_part *p = &job->parts[job->part_count];
	char label[4096];

	if (job->part_count == MP_PART_MAX)
		return mp_fail(err, "'%s' names more than %d devices", job->path, MP_DEVICE_MAX);
	snprintf(p->name, sizeof(p->name), "%s", name);
	p->device_id = device_id;
	p->datafd = -1;
	snprintf(label, sizeof(label), "%s/%s", job->path, name);
	p->dirfd = mp_dir_open(job->dirfd, *name ? name : ".", label, err);
	if (p->dirfd < 0)
		return -1;
	job->part_count++;
	return open_data(job, name, p->dirfd, &p->datafd, err);
}

static int type_of(const struct mp_job *job, const char *name, struct mp_error *err)
{
	char label[4096];

	snprintf(label, sizeof(label), "%s/%s", job->path, name);
	return mp_dir_type(job->dirfd, name, label, err);
}

static int has_directory(const struct mp_job *job, const char *name, struct mp_error *err)
{
	int type = type_of(job, name, err);

	return type < 0 ? -1 : type == S_IFDIR;
}

/* A directory, or a link: opening a link is then an error that names it. */
static int is_part(const struct mp_job *job, const char *name, struct mp_error *err)
{
	int type = type_of(job, name, err);

	return type < 0 ? -1 : type == S_IFDIR || type == S_IFLNK;
}

static int by_number(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static bool is_device(const void *user, const char *name)
{
	(void)user;
	return device_of(name) >= 0;
}

/* List the N of device_N below the job, in order. Returns their number, or -1 with err. */
static int list_devices(struct mp_job *job, int64_t ids[MP_DEVICE_MAX], struct mp_error *err)
{
	struct mp_dir_names names;
	int count = mp_dir_list(&names, job->dirfd, is_device, NULL, job->path, err);

	for (size_t i = 0; count >= 0 && i < names.count; i++) {
		int there = is_part(job, names.items[i], err);

		if (!there)
			continue;
		if (there < 0)
			count = -1;
		else if (count == MP_DEVICE_MAX)
			count = mp_fail(err, "'%s' names more than %d devices", job->path, MP_DEVICE_MAX);
		else
			ids[count++] = device_of(names.items[i]);
	}
	mp_dir_names_free(&names);
	if (count > 0)
		qsort(ids, (size_t)count, sizeof(ids[0]), by_number);
	return count;
}

/* Open a part that the user named: host, or device_N with the host beside it. */
static int open_lone(struct mp_job *job, bool is_host, struct mp_error *err)
{
	int beside =
	    is_host || mp_dir_is_link(job->dirfd, "../host") ? !is_host : has_directory(job, "../host/data", err);

	job->family = MP_FAMILY_PROF;
	if (beside < 0 || (beside && add_part(job, "../host", -1, err)))
		return -1;
	return add_part(job, "", is_host ? -1 : device_of(job->name), err);
}

/* Only today's family has these host files. Earlier families have jobs of their own in host and device_N. */
static bool is_lone_part(const struct mp_job *job, const struct mp_layouts *layouts, bool *is_host)
{
	struct mp_error err; /* what cannot be looked at is opened, which tells why that fails */
	int above = mp_dir_open(job->dirfd, "..", "..", &err);
	bool legacy = above >= 0 && mp_job_is_legacy(above, layouts);

	if (above >= 0)
		close(above); /* only looked at */
	if (legacy)
		return false;
	*is_host = strcmp(job->name, "host") == 0 && type_of(job, "info.json", &err) > 0;
	return *is_host || (device_of(job->name) >= 0 && has_directory(job, "data", &err) &&
			       type_of(job, "../host/info.json", &err) > 0);
}

static bool is_raw(const void *layouts, const char *name)
{
	struct mp_identity id;

	return mp_job_name_layout(layouts, MP_FAMILY_ASCEND910, name, strlen(name), &id) ||
	       mp_job_name_layout(layouts, MP_FAMILY_ASCEND2022, name, strlen(name), &id);
}

/* Whether a raw file of the generations up to 2022 lies in the directory itself. */
static bool holds_raw_files(int dirfd, const struct mp_layouts *layouts)
{
	struct mp_error ignored;
	struct mp_dir_names names;
	bool found = mp_dir_list(&names, dirfd, is_raw, layouts, "a job", &ignored) == 0 && names.count > 0;

	mp_dir_names_free(&names);
	return found;
}

/* The job as its only part. Captures of before 2022 may have their raw files in the job itself instead of data/. */
static int add_whole(struct mp_job *job, const struct mp_layouts *layouts, struct mp_error *err)
{
	struct mp_part *p = &job->parts[job->part_count];

	if (add_part(job, "", -1, err))
		return -1;
	if (p->datafd >= 0 || !holds_raw_files(p->dirfd, layouts))
		return 0;
	job->is_flat = true;
	p->datafd = mp_dir_open(p->dirfd, ".", job->path, err);
	return p->datafd < 0 ? -1 : 0;
}

/* Whether a directory is of the owner of the job, or root's: others may make one beside it, as in /tmp. */
static bool is_of_owner(const struct mp_job *job, const char *name)
{
	struct stat own, other;

	return fstat(job->dirfd, &own) == 0 && mp_dir_look(job->dirfd, name, &other) == 0 &&
	       (other.st_uid == own.st_uid || other.st_uid == 0);
}

/* What our recorder wrote beside a JOB. A link is not followed: then there is nothing. */
static int add_beside(struct mp_job *job, struct mp_error *err)
{
	char name[MP_PART_NAME];
	int is_there;

	if (strncmp(job->name, "JOB", 3) != 0 || job->parts[0].datafd < 0 ||
	    snprintf(name, sizeof(name), "../" MP_JOB_BESIDE "%s", job->name) >= (int)sizeof(name))
		return 0;
	is_there = has_directory(job, name, err);
	return is_there > 0 && is_of_owner(job, name) ? add_part(job, name, -1, err) : is_there < 0 ? -1 : 0;
}

int mp_job_open_parts(struct mp_job *job, const struct mp_layouts *layouts, struct mp_error *err)
{
	int64_t ids[MP_DEVICE_MAX];
	int count, data, host;
	bool is_host;

	if (is_lone_part(job, layouts, &is_host))
		return open_lone(job, is_host, err);
	data = has_directory(job, "data", err);
	count = data ? 0 : list_devices(job, ids, err);
	host = is_part(job, "host", err);
	if (data < 0 || count < 0 || host < 0)
		return -1;
	if (!count && (data || !host)) {
		/* an archived job with nothing but its database left */
		int archived = data || strncmp(job->name, "PROF_", 5) != 0 ? 0 : has_directory(job, "sqlite", err);

		if (archived < 0)
			return -1;
		if (archived)
			job->family = MP_FAMILY_PROF;
		return add_whole(job, layouts, err) || add_beside(job, err) ? -1 : 0;
	}
	job->family = MP_FAMILY_PROF;
	if (host && add_part(job, "host", -1, err))
		return -1;
	for (int i = 0; i < count; i++) {
		char name[32];

		snprintf(name, sizeof(name), "device_%lld", (long long)ids[i]);
		if (add_part(job, name, ids[i], err))
			return -1;
	}
	return 0;
}

/*
 * job_info.c: reads info.json.N and host_start.log.N into struct mp_device. A file over 1 MiB is not an information
 * file.
 */
#include "raw/job_info.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "base/json.h"
#include "base/text.h"

enum { INFO_SIZE_MAX = 1024 * 1024, FREQUENCY_MAX = 1000000 };

struct mp_device *mp_job_add_device(struct mp_job *job, int64_t device_id, struct mp_error *err)
{
	int at = 0;

	while (at < job->device_count && job->devices[at].device_id < device_id)
		at++;
	if (at < job->device_count && job->devices[at].device_id == device_id)
		return &job->devices[at];
	if (job->device_count == MP_DEVICE_MAX) {
		mp_fail(err, "'%s' names more than %d devices", job->path, MP_DEVICE_MAX);
		return NULL;
	}
	memmove(&job->devices[at + 1], &job->devices[at], (size_t)(job->device_count - at) * sizeof(struct mp_device));
	job->device_count++;
	memset(&job->devices[at], 0, sizeof(struct mp_device));
	job->devices[at].device_id = device_id;
	job->devices[at].realtime_ns = job->devices[at].monotonic_ns = -1;
	return &job->devices[at];
}

/*
 * Read a whole small file, NUL-terminated; the caller frees the text. NULL with f->damage when the file is unusable,
 * else NULL with err.
 */
static char *read_all(int fd, struct mp_info_file *f, struct mp_error *err)
{
	char *text = malloc((size_t)f->size + 1);
	ssize_t used;

	if (!text) {
		mp_error_set_memory(err, f->name);
		return NULL;
	}
	used = mp_file_read(fd, text, (size_t)f->size, 0);
	if (used < 0) {
		mp_error_set_errno(err, "cannot read '%s'", f->name);
		free(text);
		return NULL;
	}
	text[used] = '\0';
	if (strlen(text) == (size_t)used)
		return text;
	f->damage = "holds a NUL byte";
	free(text);
	return NULL;
}

char *mp_job_read_small(int dirfd, const char *name, struct mp_info_file *f, struct mp_error *err)
{
	struct stat st;
	int fd = mp_dir_open_file(dirfd, name, &st);
	char *text = NULL;

	memset(f, 0, sizeof(*f));
	snprintf(f->name, sizeof(f->name), "%.63s", name);
	if (fd < 0 && mp_is_machine_failure(errno)) {
		mp_error_set_errno(err, "cannot open '%s'", name);
		return NULL;
	}
	if (fd < 0) {
		f->damage = errno == ELOOP    ? "a link is not followed"
			    : errno == EINVAL ? "not a regular file"
					      : strerror(errno);
		return NULL;
	}
	f->size = st.st_size;
	f->mtime_ns = mp_mtime_ns(&st);
	if (st.st_size > INFO_SIZE_MAX)
		f->damage = "larger than 1 MiB";
	else
		text = read_all(fd, f, err);
	close(fd); /* opened read-only: nothing can be lost */
	return text;
}

int mp_job_read_label(struct mp_job *job, struct mp_error *err)
{
	struct mp_info_file file;
	char *text = mp_job_read_small(job->dirfd, "label", &file, err);
	size_t len;

	if (!text)
		return file.damage ? 0 : -1;
	len = strcspn(text, "\r\n");
	if (len && len < sizeof(job->label) && mp_utf8_valid(text, len)) {
		memcpy(job->label, text, len);
		job->label[len] = '\0';
	}
	free(text);
	return 0;
}

/* A number as a text, 1 to 1000000; else 0. */
static int64_t text_mhz(const cJSON *value)
{
	char *end;
	long long mhz;

	if (!cJSON_IsString(value) || value->valuestring[0] < '0' || value->valuestring[0] > '9')
		return 0;
	mhz = strtoll(value->valuestring, &end, 10);
	return *end || mhz < 1 || mhz > FREQUENCY_MAX ? 0 : mhz;
}

/*
 * DeviceInfo of boards of the SS928 family is a list of objects of one key each; that of Ascend describes devices.
 * *mhz receives the frequency of the core of a board.
 */
static bool is_board(const cJSON *device_info, int64_t *mhz)
{
	const cJSON *at;
	int64_t core = 0;

	if (!cJSON_IsArray(device_info))
		return false;
	for (at = device_info->child; at; at = at->next) {
		if (!cJSON_IsObject(at) || cJSON_GetArraySize(at) != 1)
			return false;
		if (mp_json_member(at, "aic_frequency"))
			core = text_mhz(mp_json_member(at, "aic_frequency"));
	}
	*mhz = core;
	return true;
}

static void take_info(struct mp_device *d, const cJSON *object, struct mp_told *told)
{
	const cJSON *device_info = mp_json_member(object, "DeviceInfo");

	if (!device_info) {
		told->version1 = told->version1 || cJSON_GetNumberValue(mp_json_member(object, "version")) == 1;
		return;
	}
	told->ascend = !is_board(device_info, &d->file_mhz) || told->ascend;
	if (cJSON_IsArray(device_info))
		d->clock.counter_mhz = text_mhz(mp_json_member(device_info->child, "hwts_frequency"));
}

/* Read a file of one JSON object. *object is NULL with f->damage for a file that cannot be used. */
static int read_object(
    int dirfd, const char *name, struct mp_info_file *f, char **text, cJSON **object, struct mp_error *err)
{
	const char *fault;

	*object = NULL;
	*text = mp_job_read_small(dirfd, name, f, err);
	if (!*text)
		return f->damage ? 0 : -1;
	*object = mp_json_parse(*text, strlen(*text), &fault);
	if (!*object && !fault) {
		free(*text);
		*text = NULL;
		return mp_fail_memory(err, name);
	}
	if (cJSON_IsObject(*object) && mp_utf8_valid(*text, strlen(*text)))
		return 0;
	f->damage = "not a JSON object";
	cJSON_Delete(*object);
	*object = NULL;
	free(*text);
	*text = NULL;
	return 0;
}

/* A time of a clock, or -1. */
static int64_t time_of(const cJSON *object, const char *key)
{
	int64_t ns;

	return mp_json_integer(mp_json_member(object, key), &ns) ? ns : -1;
}

/* What the recorder of msprof says of its job, which info.json.N of a board has no place for. */
static int read_recorder(struct mp_job *job, struct mp_device *d, struct mp_error *err)
{
	int datafd = job->parts[job->part_count - 1].datafd;
	struct stat there;
	char name[32];

	snprintf(name, sizeof(name), "recorder.json.%lld", (long long)d->device_id);
	if (datafd < 0 || mp_dir_look(datafd, name, &there))
		return 0;
	if (read_object(datafd, name, &d->recorder, &d->recorder_text, &d->recorder_tree, err))
		return -1;
	if (d->recorder_tree) {
		d->realtime_ns = time_of(d->recorder_tree, "clock_realtime_ns");
		d->monotonic_ns = time_of(d->recorder_tree, "clock_monotonic_ns");
	}
	return 0;
}

static int read_info_json(
    struct mp_job *job, const char *name, struct mp_device *d, struct mp_told *told, struct mp_error *err)
{
	if (read_object(job->dirfd, name, &d->info, &d->info_text, &d->info_tree, err))
		return -1;
	if (d->info_tree)
		take_info(d, d->info_tree, told);
	return read_recorder(job, d, err);
}

/* Read the lines "clock_realtime: N" and "clock_monotonic_raw: N". The name of the section is not reliable. */
static int read_host_start(struct mp_job *job, const char *name, struct mp_device *d, struct mp_error *err)
{
	char *text = mp_job_read_small(job->dirfd, name, &d->host_start, err);
	const char *at;

	if (!text)
		return d->host_start.damage ? 0 : -1;
	at = strstr(text, "clock_realtime:");
	if (at)
		d->realtime_ns = strtoll(at + strlen("clock_realtime:"), NULL, 10);
	at = strstr(text, "clock_monotonic_raw:");
	if (at)
		d->monotonic_ns = strtoll(at + strlen("clock_monotonic_raw:"), NULL, 10);
	free(text);
	return 0;
}

/* "PREFIX.N" with N below 2^31, written without leading zeros */
static bool device_suffix(const char *name, const char *prefix, int64_t *device_id)
{
	size_t len = strlen(prefix);
	char *end, again[16];

	if (strncmp(name, prefix, len) != 0 || strlen(name + len) > 10)
		return false;
	*device_id = strtoll(name + len, &end, 10);
	snprintf(again, sizeof(again), "%lld", (long long)*device_id);
	return *end == '\0' && strcmp(again, name + len) == 0 && *device_id >= 0 && *device_id <= INT32_MAX;
}

static int read_entry(struct mp_job *job, const char *name, struct mp_told *told, struct mp_error *err)
{
	bool is_info;
	int64_t device_id;
	struct mp_device *d;

	is_info = device_suffix(name, "info.json.", &device_id);
	if (!is_info && !device_suffix(name, "host_start.log.", &device_id))
		return 0;
	d = mp_job_add_device(job, device_id, err);
	if (!d)
		return -1;
	job->has_info = job->has_info || is_info;
	return is_info ? read_info_json(job, name, d, told, err) : read_host_start(job, name, d, err);
}

int mp_job_read_info(struct mp_job *job, struct mp_told *told, struct mp_error *err)
{
	struct mp_dir_names names;
	int status = mp_dir_list(&names, job->dirfd, NULL, NULL, job->path, err);

	for (size_t i = 0; !status && i < names.count; i++)
		status = read_entry(job, names.items[i], told, err);
	mp_dir_names_free(&names);
	return status;
}

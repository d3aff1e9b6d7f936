/*
 * job_info.c: reads info.json.N and host_start.log.N into struct mp_device. A file over 1 MiB is not an information
 * file.
 */
#include "raw/job_info.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/failure.h"
#include "base/json_tree.h"
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

static int64_t mtime_ns(const struct stat *st)
{
	return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

/*
 * Read a whole small file, NUL-terminated; the caller frees the text. NULL with f->damage when the file is unusable,
 * else NULL with err.
 */
static char *read_all(int fd, struct mp_info_file *f, struct mp_error *err)
{
	char *text = malloc((size_t)f->size + 1);
	size_t used = 0;
	ssize_t n = 1;

	if (!text) {
		mp_error_set(err, "out of memory for '%s'", f->name);
		return NULL;
	}
	while (n && used < (size_t)f->size) {
		n = read(fd, text + used, (size_t)f->size - used);
		if (n < 0 && errno != EINTR) {
			mp_error_set_errno(err, "cannot read '%s'", f->name);
			free(text);
			return NULL;
		}
		used += n > 0 ? (size_t)n : 0;
	}
	text[used] = '\0';
	if (strlen(text) == used)
		return text;
	f->damage = "holds a NUL byte";
	free(text);
	return NULL;
}

char *mp_job_read_small(int dirfd, const char *name, struct mp_info_file *f, struct mp_error *err)
{
	int fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char *text = NULL;
	struct stat st;

	memset(f, 0, sizeof(*f));
	snprintf(f->name, sizeof(f->name), "%.63s", name);
	if (fd < 0 && mp_is_machine_failure(errno)) {
		mp_error_set_errno(err, "cannot open '%s'", name);
		return NULL;
	}
	if (fd < 0) {
		f->damage = errno == ELOOP ? "a link is not followed" : strerror(errno);
		return NULL;
	}
	if (fstat(fd, &st)) {
		mp_error_set_errno(err, "cannot read '%s'", name);
	} else if (!S_ISREG(st.st_mode)) {
		f->damage = "not a regular file";
	} else {
		f->size = st.st_size;
		f->mtime_ns = mtime_ns(&st);
		if (st.st_size > INFO_SIZE_MAX)
			f->damage = "larger than 1 MiB";
		else
			text = read_all(fd, f, err);
	}
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

/* DeviceInfo[0].hwts_frequency, a number as a string: the MHz of the system counter. */
static int64_t counter_frequency(const struct mp_json_node *device_info)
{
	const struct mp_json_node *value = mp_json_member(mp_json_item(device_info, 0), "hwts_frequency");
	char *end;
	long long mhz;

	if (!mp_json_is(value, MP_JSON_TEXT))
		return 0;
	mhz = strtoll(value->text, &end, 10);
	return *end || mhz < 1 || mhz > FREQUENCY_MAX ? 0 : mhz;
}

static int read_info_json(struct mp_job *job, const char *name, struct mp_device *d, bool *ascend, struct mp_error *err)
{
	char *text = mp_job_read_small(job->dirfd, name, &d->info, err);
	const struct mp_json_node *device_info;
	struct mp_json_node *object;
	const char *fault;
	double mhz;

	if (!text)
		return d->info.damage ? 0 : -1;
	object = mp_json_tree(text, strlen(text), &fault);
	if (!object && !fault) {
		free(text);
		return mp_fail_memory(err, name);
	}
	if (!mp_json_is(object, MP_JSON_OBJECT) || !mp_utf8_valid(text, strlen(text))) {
		d->info.damage = "not a JSON object";
		mp_json_tree_free(object);
		free(text);
		return 0;
	}
	d->info_text = text;
	device_info = mp_json_member(object, "DeviceInfo");
	*ascend = *ascend || device_info != NULL;
	d->clock.counter_mhz = counter_frequency(device_info);
	mhz = mp_json_number(mp_json_member(object, "frequency"));
	if (mhz >= 1 && mhz <= FREQUENCY_MAX && mhz == floor(mhz))
		d->file_mhz = (int)mhz;
	mp_json_tree_free(object);
	return 0;
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

static int read_entry(struct mp_job *job, const char *name, bool *ascend, struct mp_error *err)
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
	return is_info ? read_info_json(job, name, d, ascend, err) : read_host_start(job, name, d, err);
}

int mp_job_read_info(struct mp_job *job, bool *ascend, struct mp_error *err)
{
	int fd = openat(job->dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	int status = 0;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return mp_fail_errno(err, "cannot list '%s'", job->path);
	}
	while (!status && (errno = 0, entry = readdir(dir)))
		status = read_entry(job, entry->d_name, ascend, err);
	if (!status && errno)
		status = mp_fail_errno(err, "cannot list '%s'", job->path);
	closedir(dir);
	return status;
}

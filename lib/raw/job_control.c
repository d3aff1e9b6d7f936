/*
 * job_control.c: reads the control files of a PROF directory, or of a JOB directory since 2022, and sets the clocks
 * from them. SQL extracts everything else in them.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "base/json.h"
#include "base/text.h"
#include "base/wide.h"
#include "raw/job_info.h"

static const char *const names[] = {
    "info.json", "start_info", "end_info", "sample.json", "host_start.log", "dev_start.log"};

enum { NAME_COUNT = sizeof(names) / sizeof(names[0]), MHZ_MAX = 1000000 };

#define LATE_NS_MAX (UINT64_C(1) << 60)

/* Check that the text is usable, and parse it. Only the first line of a JSON file counts. */
static int check_text(struct mp_job_control *c, struct mp_error *err)
{
	bool is_json = !strstr(c->name, ".log");
	const char *fault = "";

	if (c->text && is_json)
		c->text[strcspn(c->text, "\n")] = '\0';
	if (c->text &&
	    (!mp_utf8_valid(c->text, strlen(c->text)) || (is_json && !mp_json_is_object(c->text, strlen(c->text))))) {
		c->file.damage = is_json ? "not a JSON object" : "not UTF-8";
		free(c->text);
		c->text = NULL;
	}
	c->tree = c->text && is_json ? mp_json_parse(c->text, strlen(c->text), &fault) : NULL;
	return c->tree || fault ? 0 : mp_fail_memory(err, "control files");
}

/* Returns 1 when the file exists, 0 when not, -1 on error. */
static int is_there(int dirfd, const char *name, struct mp_error *err)
{
	int type = mp_dir_type(dirfd, name, name, err);

	return type < 0 ? -1 : type > 0;
}

/* Read NAME.N of a device; without it NAME, which is the host's or that of all devices. */
static int read_control(struct mp_job *job, int part, int64_t device_id, const char *name, struct mp_error *err)
{
	const struct mp_part *p = &job->parts[part];
	struct mp_job_control *c = &job->controls[job->control_count];
	char whole[64];
	int there;

	if (job->control_count == MP_CONTROL_MAX)
		return mp_fail(err, "'%s' has more than %d control files", job->path, MP_CONTROL_MAX);
	snprintf(whole, sizeof(whole), "%s.%lld", name, (long long)device_id);
	there = device_id < 0 ? 0 : is_there(p->dirfd, whole, err);
	if (!there) {
		snprintf(whole, sizeof(whole), "%s", name);
		device_id = p->device_id;
		there = is_there(p->dirfd, whole, err);
	}
	if (there <= 0)
		return there;
	for (int i = 0; i < job->control_count; i++)
		if (job->controls[i].part == part && job->controls[i].device_id == device_id &&
		    strcmp(job->controls[i].name, name) == 0)
			return 0;
	snprintf(c->name, sizeof(c->name), "%s", name);
	c->part = part;
	c->device_id = device_id;
	c->text = mp_job_read_small(p->dirfd, whole, &c->file, err);
	if (!c->text && !c->file.damage)
		return -1;
	snprintf(c->file.name, sizeof(c->file.name), "%.31s%s%.31s", p->name, *p->name ? "/" : "", whole);
	job->control_count++;
	return check_text(c, err);
}

static int read_part(struct mp_job *job, int part, int64_t device_id, struct mp_error *err)
{
	for (int k = 0; k < NAME_COUNT; k++)
		if (read_control(job, part, device_id, names[k], err))
			return -1;
	return 0;
}

int mp_job_read_controls(struct mp_job *job, struct mp_error *err)
{
	job->controls = calloc(MP_CONTROL_MAX, sizeof(*job->controls));
	if (!job->controls)
		return mp_fail_memory(err, "control files");
	for (int i = 0; i < job->part_count; i++) {
		if (job->parts[i].device_id >= 0 && !mp_job_add_device(job, job->parts[i].device_id, err))
			return -1;
		if (read_part(job, i, job->parts[i].device_id, err))
			return -1;
	}
	for (int i = 0; job->family != MP_FAMILY_PROF && i < job->device_count; i++)
		if (read_part(job, 0, job->devices[i].device_id, err))
			return -1;
	return 0;
}

const struct mp_job_control *mp_job_control(const struct mp_job *job, int64_t device_id, const char *name)
{
	for (int i = 0; i < job->control_count; i++)
		if (job->controls[i].device_id == device_id && strcmp(job->controls[i].name, name) == 0)
			return &job->controls[i];
	return NULL;
}

/* The text of a control file of a device, or of the host (-1); "" when there is no such file. */
static const char *text_of(const struct mp_job *job, int64_t device_id, const char *name)
{
	const struct mp_job_control *c = mp_job_control(job, device_id, name);

	return c && c->text ? c->text : "";
}

/* Read the number behind "KEY:" at the beginning of a line. */
static bool log_number(const char *text, const char *key, uint64_t *value)
{
	size_t len = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		char *end;

		line += *line == '\n';
		if (strncmp(line, key, len) != 0 || line[len] != ':')
			continue;
		errno = 0;
		*value = strtoull(line + len + 1, &end, 10);
		return end != line + len + 1 && !errno && *value <= INT64_MAX;
	}
	return false;
}

/*
 * KEY of the first object of an array of the info.json of a device (-1: the host), in Hz. The text gives MHz as a
 * string or a number. 0 when missing or invalid.
 */
static int64_t info_hz(const struct mp_job *job, int64_t device_id, const char *array, const char *key)
{
	const struct mp_job_control *c = mp_job_control(job, device_id, "info.json");
	const cJSON *list = mp_json_member(c ? c->tree : NULL, array);
	const cJSON *value = cJSON_IsArray(list) ? mp_json_member(list->child, key) : NULL;
	double mhz = cJSON_IsNumber(value) ? cJSON_GetNumberValue(value) : 0;
	const char *text = cJSON_GetStringValue(value);
	char *end = NULL;

	if (text) {
		mhz = strtod(text, &end);
		mhz = *end ? 0 : mhz;
	}
	return mhz > 0 && mhz <= MHZ_MAX ? (int64_t)llround(mhz * 1e6) : 0;
}

/* What the host's counter had counted when its clock was read, in ns; 0 when the log does not say. */
static int64_t late_ns(const char *log, int64_t hz)
{
	uint64_t count;
	mp_wide ns, rest;

	if (!log_number(log, "cntvct_diff", &count))
		return 0;
	ns = mp_wide_divide(mp_wide_product(count, 1000000000), mp_wide_of(0, hz ? (uint64_t)hz : 1000000000), &rest);
	return mp_wide_high(ns) == 0 && mp_wide_low(ns) <= LATE_NS_MAX ? (int64_t)mp_wide_low(ns) : 0;
}

/* The time of a clock that was read late. */
static int64_t late_time(uint64_t ns, int64_t late)
{
	return (int64_t)ns > INT64_MAX - late ? INT64_MAX : (int64_t)ns + late;
}

static void set_host(struct mp_job *job)
{
	struct mp_rate *host = &job->host_clock.host;
	const char *log = text_of(job, -1, "host_start.log");
	int64_t hz = info_hz(job, -1, "CPU", "Frequency");
	uint64_t count, ns;

	/* without an origin the counts cannot be converted: they are read as ns */
	if (hz && log_number(log, "cntvct", &count) && log_number(log, "clock_monotonic_raw", &ns))
		*host = (struct mp_rate){hz, count, late_time(ns, late_ns(log, hz))};
}

/* The "platform_version" of an info file, or -1. */
static int platform_of(const char *info)
{
	const char *at = strstr(info, "\"platform_version\"");
	int platform;

	return at && sscanf(at + strlen("\"platform_version\""), " : \"%d\"", &platform) == 1 ? platform : -1;
}

unsigned mp_job_chip(const struct mp_job *job, int part)
{
	int platform = platform_of(text_of(job, job->parts[part].device_id, "info.json"));

	return platform >= 0 && platform < MP_CHIP_UNKNOWN ? (unsigned)platform : MP_CHIP_UNKNOWN;
}

bool mp_job_meets(const struct mp_job *job, int64_t device_id, const struct mp_when *when)
{
	const struct mp_job_control *c = NULL;
	const char *value;

	if (!when->file[0])
		return true;
	c = mp_job_control(job, device_id, when->file);
	c = c ? c : mp_job_control(job, -1, when->file);
	value = cJSON_GetStringValue(mp_json_member(c ? c->tree : NULL, when->key));
	return (value && strcmp(value, when->value) == 0) == when->is;
}

/* The frequency of a chip's counter when no file gives one. */
static int64_t assumed_hz(const char *info)
{
	static const int64_t by_platform[] = {19200000, 100000000, 38400000, 24000000, 38400000};
	int platform = platform_of(info);

	return platform < 0 || platform > 4 ? 100000000 : by_platform[platform];
}

static void set_device(struct mp_job *job, struct mp_device *d)
{
	const char *log = text_of(job, d->device_id, "host_start.log");
	uint64_t count = 0, ns = 0;
	int64_t late = late_ns(log[0] ? log : text_of(job, -1, "host_start.log"), info_hz(job, -1, "CPU", "Frequency"));

	d->clock.counter.hz = info_hz(job, d->device_id, "DeviceInfo", "hwts_frequency");
	if (!d->clock.counter.hz) {
		d->clock.counter.hz = assumed_hz(text_of(job, d->device_id, "info.json"));
		d->clock_assumed = true;
	}
	d->clock.counter_mhz = d->clock.counter.hz / 1000000;
	if (!log_number(text_of(job, d->device_id, "dev_start.log"), "cntvct", &count) ||
	    (!log_number(log, "clock_monotonic_raw", &ns) &&
		!log_number(text_of(job, -1, "host_start.log"), "clock_monotonic_raw", &ns)))
		return; /* times then begin at the device's own start */
	d->clock.counter.count = count;
	d->clock.counter.ns = late_time(ns, late);
	d->aligned = true;
	d->monotonic_ns = d->clock.counter.ns;
	if (log_number(log, "clock_realtime", &ns))
		d->realtime_ns = late_time(ns, late);
}

void mp_job_set_clocks(struct mp_job *job)
{
	set_host(job);
	job->host_clock.cut = job->family == MP_FAMILY_PROF;
	for (int i = 0; i < job->device_count; i++) {
		set_device(job, &job->devices[i]);
		job->devices[i].clock.host = job->host_clock.host;
		job->devices[i].clock.cut = job->host_clock.cut;
	}
}

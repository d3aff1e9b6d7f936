/*
 * control_mode.c: the state behind face.h, and the calls that each mode of the process allows; the texts of refusals;
 * handles of programs, each in a list until destroyed; settings and their values, whose names are those of acl.json;
 * the directory named in Init.
 */
#include "recorder/control.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/text.h"
#include "recorder/include/acl/acl_prof.h"

void mp_say_failure(const struct msprof_face *face, enum mp_call call, int code, const char *why)
{
	const char *number = code == ACL_ERROR_STORAGE_OVER_LIMIT ? "EK0204"
			     : code == ACL_ERROR_BAD_ALLOC        ? "EK0201"
								  : "EK9999";

	mp_log(MP_LOG_ERROR, "%s %s: %s", number, face->calls[call], why);
}

void mp_call_warn(const struct msprof_face *face, enum mp_call call, const char *fmt, ...)
{
	struct mp_error text;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text.text, sizeof(text.text), fmt, args);
	va_end(args);
	mp_log(MP_LOG_WARNING, "%s: %s", face->calls[call], text.text);
}

struct mp_control mp_control = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The code of each call in each mode; 0: the call continues. */
static const int verdicts[][MP_MODE_COUNT] = {
    /*                       none    off     acl.json API     subscribe */
    [MP_CALL_INIT] = {100001, 0, 100042, 100002, 148047},
    [MP_CALL_SET_CONFIG] = {100043, 100043, 100042, 0, 148047},
    [MP_CALL_START] = {100043, 100043, 100042, 0, 148047},
    [MP_CALL_WARM_UP] = {100043, 100043, 100042, 0, 148047},
    [MP_CALL_STOP] = {100043, 100043, 100042, 0, 148047},
    [MP_CALL_FINALIZE] = {100043, 100043, 100042, 0, 148047},
    [MP_CALL_SUBSCRIBE] = {100043, 0, 100042, 148047, 0},
    [MP_CALL_UNSUBSCRIBE] = {100043, 100011, 100042, 148047, 0},
    [MP_CALL_GET_OP_DESC_SIZE] = {0, 0, 0, 148047, 0}, /* also for all getters after this one */
};

int mp_control_allows(const struct msprof_face *face, enum mp_call call)
{
	static const char *const on[] = {[MP_MODE_CMD] = "acl.json or 'msprof PROGRAM' has turned recording on",
	    [MP_MODE_API] = "it cannot be called between init and finalize",
	    [MP_MODE_SUBSCRIBE] = "models are subscribed"};
	enum mp_mode mode = (enum mp_mode)atomic_load(&mp_control.mode);
	int code = verdicts[call >= MP_CALL_GET_OP_DESC_SIZE ? MP_CALL_GET_OP_DESC_SIZE : call][mode];

	if (!code)
		return 0;
	if (mode == MP_MODE_NONE)
		return mp_refuse_order(face, call, code, MP_CALL_ACL_INIT);
	if (call == MP_CALL_UNSUBSCRIBE && mode == MP_MODE_OFF)
		return mp_refuse_order(face, call, code, MP_CALL_SUBSCRIBE);
	if (mode == MP_MODE_OFF)
		return mp_refuse_order(face, call, code, MP_CALL_INIT);
	if (call == MP_CALL_INIT && mode == MP_MODE_API)
		return mp_refuse_order(face, call, code, MP_CALL_FINALIZE);
	return mp_refuse_mode(face, call, code, on[mode]);
}

void mp_handle_add(struct mp_handle **list, struct mp_handle *handle)
{
	pthread_mutex_lock(&mp_control.lock);
	handle->next = *list;
	*list = handle;
	pthread_mutex_unlock(&mp_control.lock);
}

int mp_handle_check(const struct msprof_face *face, enum mp_call call, enum mp_param param,
    struct mp_handle *const *list, const void *handle)
{
	if (!handle)
		return mp_refuse_null(face, call, param);
	for (const struct mp_handle *at = *list; at; at = at->next)
		if (at == handle)
			return 0;
	return mp_refuse_value(face, call, param, "", "destroyed, or never created");
}

int mp_handle_destroy(
    const struct msprof_face *face, enum mp_call call, enum mp_param param, struct mp_handle **list, const void *handle)
{
	struct mp_handle *gone = NULL;
	int code;

	pthread_mutex_lock(&mp_control.lock);
	code = mp_handle_check(face, call, param, list, handle);
	if (!code) {
		while (*list != handle)
			list = &(*list)->next;
		gone = *list;
		*list = gone->next;
	}
	pthread_mutex_unlock(&mp_control.lock);
	free(gone);
	return code;
}

static int make_absolute(const char *path, char dir[MP_PATH_SIZE], struct mp_error *err)
{
	char here[MP_PATH_SIZE] = "";

	if (path[0] != '/' && !getcwd(here, sizeof(here)))
		return mp_fail_errno(err, "the current directory is unknown");
	if (snprintf(dir, MP_PATH_SIZE, "%s%s%s", here, *here ? "/" : "", path) >= MP_PATH_SIZE)
		return mp_fail(err, "the absolute path is longer than 4095 bytes");
	return 0;
}

int mp_control_dir(const char *path, char dir[MP_PATH_SIZE], struct mp_error *err)
{
	int fd, status = 0;

	if (mp_has_control(path, strlen(path)))
		return mp_fail(err, "the path has a control character or is not UTF-8");
	if (make_absolute(path, dir, err))
		return -1;
	fd = mp_dir_walk(dir, err);
	if (fd < 0)
		return -1;
	if (faccessat(fd, ".", W_OK | X_OK, 0))
		status = mp_fail_errno(err, "not writable");
	close(fd);
	return status;
}

enum check { CHECK_NUMBER, CHECK_LIMIT, CHECK_WORD, CHECK_LIST, CHECK_METRICS, CHECK_TEXT };

#define NUMBER(name, most)                                                                                             \
	{                                                                                                              \
		name, CHECK_NUMBER, 1, most, NULL, NULL, "it must be a number from 1 to " #most                        \
	}

static const struct setting {
	const char *name; /* NULL: no such type */
	enum check check;
	uint64_t least, most;
	const char *first,
	    *second; /* the allowed words; of a list all of them, joined with commas, in the first text */
	const char *reason;
} settings[MP_SETTING_COUNT] = {
    [ACL_PROF_STORAGE_LIMIT] = {"storage_limit", CHECK_LIMIT, 200, UINT32_MAX, NULL, NULL,
	"it must be 200MB to 4294967295MB"},
    [ACL_PROF_SYS_HARDWARE_MEM_FREQ] = NUMBER("sys_hardware_mem_freq", 100),
    [ACL_PROF_LLC_MODE] = {"llc_profiling", CHECK_WORD, 0, 0, "read", "write", "it must be read or write"},
    [ACL_PROF_SYS_IO_FREQ] = NUMBER("sys_io_sampling_freq", 100),
    [ACL_PROF_SYS_INTERCONNECTION_FREQ] = NUMBER("sys_interconnection_freq", 50),
    [ACL_PROF_DVPP_FREQ] = NUMBER("dvpp_freq", 100),
    [ACL_PROF_HOST_SYS] = {"host_sys", CHECK_LIST, 0, 0, "cpu,mem,disk,network,osrt,numa", NULL,
	"it must be a list of cpu, mem, disk, network, osrt and numa"},
    [ACL_PROF_HOST_SYS_USAGE] = {"host_sys_usage", CHECK_LIST, 0, 0, "cpu,mem", NULL,
	"it must be a list of cpu and mem"},
    [ACL_PROF_HOST_SYS_USAGE_FREQ] = NUMBER("host_sys_usage_freq", 50),
    [ACL_PROF_LOW_POWER_FREQ] = NUMBER("sys_lp_freq", 100),
    [ACL_PROF_SYS_MEM_SERVICEFLOW] = {"sys_mem_serviceflow", CHECK_TEXT, 0, 0, NULL, NULL, "it must be a text"},
    [ACL_PROF_SYS_CPU_FREQ] = NUMBER("sys_cpu_freq", 50),
    [ACL_PROF_OPTYPE] = {"optype", CHECK_TEXT, 0, 0, NULL, NULL, "it must be a text"},
    [ACL_PROF_NTS_METRICS] = {"nts_metrics", CHECK_METRICS, 0, 0, "PipeUtilization",
	"Custom:", "it must be PipeUtilization or Custom:..."},
    [ACL_PROF_PATH] = {"path", CHECK_TEXT, 0, 0, NULL, NULL, "it must be a path"},
};

/* Returns whether the value is digits followed by `unit`, within the range. */
static bool in_range(const char *value, const char *unit, uint64_t least, uint64_t most)
{
	size_t digits = strspn(value, "0123456789");
	uint64_t number;

	if (!digits || digits > 10 || strcmp(value + digits, unit) != 0)
		return false;
	number = strtoull(value, NULL, 10);
	return number >= least && number <= most;
}

/* Returns whether a word of `len` bytes is in a list that ends at `end`. */
static bool is_in(const char *list, const char *end, const char *word, size_t len)
{
	for (size_t n; list < end; list += n + 1) {
		n = strcspn(list, ",");
		if (n == len && memcmp(list, word, len) == 0)
			return true;
	}
	return false;
}

/* Returns whether the words of a value are allowed, and each is there once. */
static bool is_list(const char *allowed, const char *value)
{
	for (const char *at = value;; at++) {
		size_t len = strcspn(at, ",");

		if (!is_in(allowed, allowed + strlen(allowed), at, len) || is_in(value, at, at, len))
			return false;
		at += len;
		if (!*at)
			return true;
	}
}

static bool is_good(const struct setting *s, const char *value)
{
	switch (s->check) {
	case CHECK_NUMBER:
		return in_range(value, "", s->least, s->most);
	case CHECK_LIMIT:
		return in_range(value, "MB", s->least, s->most);
	case CHECK_WORD:
		return strcmp(value, s->first) == 0 || strcmp(value, s->second) == 0;
	case CHECK_LIST:
		return is_list(s->first, value);
	case CHECK_METRICS:
		return strcmp(value, s->first) == 0 ||
		       (strncmp(value, s->second, strlen(s->second)) == 0 && value[strlen(s->second)]);
	case CHECK_TEXT:
		return *value != '\0';
	}
	return false;
}

const char *mp_setting_name(int type)
{
	return type >= 0 && type < MP_SETTING_COUNT ? settings[type].name : NULL;
}

int mp_setting_check(int type, const char *value, const char **reason)
{
	*reason = settings[type].reason;
	if (is_good(&settings[type], value) && !mp_has_control(value, strlen(value)))
		return 0;
	return -1;
}

uint64_t mp_setting_storage_limit(const char *value)
{
	return *value ? strtoull(value, NULL, 10) * 1024 * 1024 : 0;
}

static int check_devices(const struct msprof_face *face, const uint32_t *devices, uint32_t count)
{
	const enum mp_call call = MP_CALL_CREATE_CONFIG;
	bool seen[MP_SESSION_DEVICE_MAX] = {false};

	if (count > MP_SESSION_DEVICE_MAX)
		return mp_refuse_number(face, call, MP_PARAM_DEVICE_COUNT, count, "there are at most 64 devices");
	if (count && !devices)
		return mp_refuse_null(face, call, MP_PARAM_DEVICE_LIST);
	for (uint32_t i = 0; i < count; i++) {
		if (devices[i] >= MP_SESSION_DEVICE_MAX)
			return mp_refuse_number(
			    face, call, MP_PARAM_DEVICE_LIST, devices[i], "device numbers are 0 to 63");
		if (seen[devices[i]])
			return mp_refuse_number(
			    face, call, MP_PARAM_DEVICE_LIST, devices[i], "a device is given twice");
		seen[devices[i]] = true;
	}
	return 0;
}

static int check_config(const struct msprof_face *face, const uint32_t *devices, uint32_t count, int metrics,
    const void *events, uint64_t data_types)
{
	const enum mp_call call = MP_CALL_CREATE_CONFIG;
	int code = check_devices(face, devices, count);

	if (code)
		return code;
	if (!count && !(data_types & face->stamp_bit))
		return mp_refuse_number(
		    face, call, MP_PARAM_DEVICE_COUNT, count, "there is nothing to record without a device");
	if (events)
		return mp_refuse_value(face, call, MP_PARAM_EVENTS, "", "only a null pointer is supported");
	if (metrics != MSPROF_METRICS_NONE && (metrics < 0 || metrics > face->metrics_max))
		return mp_refuse_number(face, call, MP_PARAM_METRICS, (uint64_t)metrics, "unknown metrics");
	return 0;
}

struct msprof_config *msprof_config_create(const struct msprof_face *face, const uint32_t *devices,
    uint32_t device_count, int metrics, const void *events, uint64_t data_types)
{
	struct msprof_config *config;

	if (check_config(face, devices, device_count, metrics, events, data_types))
		return NULL;
	config = calloc(1, sizeof(*config));
	if (!config) {
		mp_say_failure(face, MP_CALL_CREATE_CONFIG, ACL_ERROR_BAD_ALLOC, "out of memory");
		return NULL;
	}
	for (int device = 0; device < MP_SESSION_DEVICE_MAX; device++)
		for (uint32_t i = 0; i < device_count; i++)
			if (devices[i] == (uint32_t)device)
				config->devices[config->device_count++] = device;
	config->metrics = metrics;
	config->data_types = data_types;
	mp_handle_add(&mp_control.configs, &config->handle);
	return config;
}

int msprof_config_destroy(const struct msprof_face *face, const struct msprof_config *config)
{
	return mp_handle_destroy(face, MP_CALL_DESTROY_CONFIG, MP_PARAM_CONFIG, &mp_control.configs, config);
}

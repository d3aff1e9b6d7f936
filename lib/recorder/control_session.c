/* control_session.c: sessions between Init and Finalize: SetConfig, Start, Stop. */
#include "recorder/control.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "recorder/include/acl/acl_prof.h"
#include "recorder/recorder.h"

#define TASK_TIMES (ACL_PROF_TASK_TIME | ACL_PROF_TASK_TIME_L0 | ACL_PROF_TASK_TIME_L2 | ACL_PROF_TASK_TIME_L3)

static bool same_devices(const struct msprof_config *a, const struct msprof_config *b)
{
	return a->device_count == b->device_count &&
	       memcmp(a->devices, b->devices, (size_t)a->device_count * sizeof(a->devices[0])) == 0;
}

static bool same_config(const struct msprof_config *a, const struct msprof_config *b)
{
	return same_devices(a, b) && a->metrics == b->metrics && a->data_types == b->data_types;
}

/* A device of both configurations, or -1. */
static int common_device(const struct msprof_config *a, const struct msprof_config *b)
{
	for (int i = 0; i < a->device_count; i++)
		for (int k = 0; k < b->device_count; k++)
			if (a->devices[i] == b->devices[k])
				return a->devices[i];
	return -1;
}

static struct mp_session_run *running(const struct msprof_config *config)
{
	struct mp_session_run *run = mp_control.runs;

	while (run && !(run->running && (!config || same_config(&run->config, config))))
		run = run->next;
	return run;
}

/* The requested settings as JSON members. The caller frees the text; NULL: out of memory. */
static char *session_members(const struct msprof_config *config)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fprintf(out, "\"data_types\":\"0x%" PRIx64 "\",\"aic_metrics\":\"%d\"", config->data_types, config->metrics);
	for (int type = 0; type < MP_SETTING_COUNT; type++)
		if (mp_control.settings[type][0]) {
			fprintf(out, ",\"%s\":", mp_setting_name(type));
			mp_json_quote(out, mp_control.settings[type]);
		}
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

/* The types that the library itself records. Other types are accepted, but need the vendor's hardware. */
static unsigned wanted(uint64_t data_types)
{
	unsigned bits = MP_WANT_STAMPS;

	if (data_types & ACL_PROF_API_STATS)
		return bits | MP_WANT_CALLS;
	if (data_types & ACL_PROF_ACL_API)
		bits |= MP_WANT_CALLS;
	if (data_types & TASK_TIMES)
		bits |= MP_WANT_OPS;
	return bits;
}

static int check_start(const struct msprof_face *face, const struct msprof_config *config)
{
	const enum mp_call call = MP_CALL_START;
	int code = mp_handle_check(face, call, MP_PARAM_CONFIG, &mp_control.configs, config);
	char why[96];

	if (code)
		return code;
	if (!config->data_types)
		return mp_refuse_number(face, call, MP_PARAM_CONFIG, 0, "selects no type of data to record");
	if (config->data_types & ~face->data_types)
		return mp_refuse_unsupported(face, call, MP_PARAM_CONFIG, config->data_types & ~face->data_types);
	for (const struct mp_session_run *run = mp_control.runs; run; run = run->next) {
		int device = common_device(&run->config, config);

		if (!run->running || (device < 0 && !same_config(&run->config, config)))
			continue;
		if (device < 0)
			snprintf(why, sizeof(why), "a session of this configuration is running");
		else
			snprintf(why, sizeof(why), "a session of device %d is running", device);
		return mp_refuse_failure(face, call, ACL_ERROR_PROF_ALREADY_RUN, why);
	}
	if (mp_control.settings[ACL_PROF_LLC_MODE][0] && !mp_control.settings[ACL_PROF_SYS_HARDWARE_MEM_FREQ][0])
		mp_call_warn(face, call, "%s has no effect without %s", mp_setting_name(ACL_PROF_LLC_MODE),
		    mp_setting_name(ACL_PROF_SYS_HARDWARE_MEM_FREQ));
	return 0;
}

static int start_session(struct mp_session_run *run, bool shared, struct mp_error *err)
{
	struct mp_session_config config = {.dir = mp_control.dir,
	    .format = mp_session_format_of(run->profile),
	    .device_count = run->config.device_count,
	    .shared = shared,
	    .wanted = wanted(run->config.data_types),
	    .storage_limit = mp_setting_storage_limit(mp_control.settings[ACL_PROF_STORAGE_LIMIT])};
	char *members = session_members(&run->config);
	int code;

	if (!members) {
		mp_error_set_memory(err, "the settings");
		return ACL_ERROR_BAD_ALLOC;
	}
	mp_session_samples(&config, mp_control.settings[ACL_PROF_HOST_SYS],
	    mp_control.settings[ACL_PROF_HOST_SYS_USAGE], mp_control.settings[ACL_PROF_HOST_SYS_USAGE_FREQ]);
	memcpy(config.devices, run->config.devices, sizeof(config.devices));
	config.members = members;
	code = mp_session_start(&run->session, &config, err);
	free(members);
	return code;
}

/* The parent holds the locks of its devices. */
void mp_control_renew_runs(void)
{
	struct mp_error err;

	for (struct mp_session_run *run = mp_control.runs; run; run = run->next) {
		if (!run->running)
			continue;
		mp_session_finish(run->session, &err); /* the parent's, which is ended here: this only frees it */
		run->session = NULL;
		if (start_session(run, true, &err))
			mp_log(MP_LOG_ERROR, "this child of a recorded process is not recorded: %s", err.text);
	}
}

static int start(const struct msprof_face *face, const struct msprof_config *config)
{
	struct mp_session_run *run;
	struct mp_error err;
	int code = mp_control_allows(face, MP_CALL_START);

	if (!code)
		code = check_start(face, config);
	if (code)
		return code;
	run = calloc(1, sizeof(*run));
	if (!run)
		return mp_refuse_failure(face, MP_CALL_START, ACL_ERROR_BAD_ALLOC, "out of memory");
	run->config = *config;
	run->profile = face->profile;
	code = start_session(run, false, &err);
	if (code) {
		free(run);
		return mp_refuse_failure(face, MP_CALL_START, code, err.text);
	}
	run->running = true;
	run->next = mp_control.runs;
	mp_control.runs = run;
	atomic_store(&mp_control.recording, true);
	return 0;
}

int msprof_control_start(const struct msprof_face *face, const struct msprof_config *config)
{
	pthread_mutex_lock(&mp_control.lock);
	return mp_control_unlock(start(face, config));
}

int msprof_control_warm_up(const struct msprof_face *face, const struct msprof_config *config)
{
	const enum mp_call call = MP_CALL_WARM_UP;
	int code;

	pthread_mutex_lock(&mp_control.lock);
	code = mp_control_allows(face, call);
	if (!code)
		code = mp_handle_check(face, call, MP_PARAM_CONFIG, &mp_control.configs, config);
	if (!code && running(NULL))
		code = mp_refuse_mode(face, call, ACL_ERROR_PROF_ALREADY_RUN, "a session is running");
	pthread_mutex_unlock(&mp_control.lock);
	return code;
}

static int stop_run(const struct msprof_face *face, enum mp_call call, struct mp_session_run *run)
{
	struct mp_error err;
	int code;

	run->running = false;
	if (!running(NULL)) {
		atomic_store(&mp_control.recording, false);
		mp_stamps_end(face, call, false);
	}
	code = run->session ? mp_session_stop(run->session, &err) : 0; /* NULL: it could not begin in a child */
	return code ? mp_refuse_failure(face, call, code, err.text) : 0;
}

static int stop(const struct msprof_face *face, const struct msprof_config *config)
{
	struct mp_session_run *run;
	int code = mp_control_allows(face, MP_CALL_STOP);

	if (!code)
		code = mp_handle_check(face, MP_CALL_STOP, MP_PARAM_CONFIG, &mp_control.configs, config);
	if (code)
		return code;
	if (!running(NULL))
		return mp_refuse_order(face, MP_CALL_STOP, ACL_ERROR_PROF_NOT_RUN, MP_CALL_START);
	run = running(config);
	if (!run)
		return mp_refuse_failure(face, MP_CALL_STOP, ACL_ERROR_INVALID_PROFILING_CONFIG,
		    "no session was started with this configuration (devices, metrics and data types)");
	return stop_run(face, MP_CALL_STOP, run);
}

int msprof_control_stop(const struct msprof_face *face, const struct msprof_config *config)
{
	pthread_mutex_lock(&mp_control.lock);
	return mp_control_unlock(stop(face, config));
}

/* Stop running sessions, with a warning, and complete all sessions since Init. Returns the first code that is not 0. */
int mp_control_stop_all(const struct msprof_face *face, enum mp_call call)
{
	struct mp_error err;
	struct mp_session_run *run;
	int first = 0, code;

	while ((run = running(NULL))) {
		mp_call_warn(face, call, "a session still runs: it is stopped");
		code = stop_run(face, call, run);
		first = first ? first : code;
	}
	mp_stamps_end(face, call, true);
	while ((run = mp_control.runs)) {
		code = mp_session_finish(run->session, &err);
		if (code)
			mp_say_failure(face, call, code, err.text);
		first = first ? first : code;
		mp_control.runs = run->next;
		free(run);
	}
	return first;
}

static int set_config(const struct msprof_face *face, int type, const char *value, size_t length)
{
	const enum mp_call call = MP_CALL_SET_CONFIG;
	struct mp_error err;
	const char *reason;
	int code = mp_control_allows(face, call);

	if (code)
		return code;
	if (running(NULL))
		return mp_refuse_mode(face, call, ACL_ERROR_PROF_API_CONFLICT, "a session is running");
	if (!mp_setting_name(type))
		return mp_refuse_number(face, call, MP_PARAM_CONFIG_TYPE, (uint64_t)(unsigned)type, "unknown type");
	if (!value)
		return mp_refuse_null(face, call, MP_PARAM_CONFIG_VALUE);
	if (length >= MP_SETTING_SIZE)
		return mp_refuse_number(
		    face, call, MP_PARAM_CONFIG_LENGTH, length, "a value may have at most 256 bytes");
	if (strnlen(value, MP_SETTING_SIZE) != length)
		return mp_refuse_number(face, call, MP_PARAM_CONFIG_LENGTH, length, "not the length of the value");
	if (mp_setting_check(type, value, &reason))
		return mp_refuse_config(face, call, mp_setting_name(type), value, reason);
	if (type == ACL_PROF_PATH) {
		char dir[MP_PATH_SIZE];

		if (mp_control_dir(value, dir, &err))
			return mp_refuse_config(face, call, mp_setting_name(type), value, err.text);
		memcpy(mp_control.dir, dir, sizeof(dir));
	}
	memcpy(mp_control.settings[type], value, length + 1);
	return 0;
}

int msprof_control_set_config(const struct msprof_face *face, int type, const char *value, size_t length)
{
	pthread_mutex_lock(&mp_control.lock);
	return mp_control_unlock(set_config(face, type, value, length));
}

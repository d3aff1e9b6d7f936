/* acl_session.c: turns the keys of an acl.json into the configuration of a session, which names no device. */
#define _GNU_SOURCE /* secure_getenv */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/json.h"
#include "config/acl_json.h"
#include "recorder/log.h"
#include "recorder/recorder.h"
#include "recorder/recorder_internal.h"
#include "recorder/session.h"

/* For a board, bad values only switch features off. For Ascend they are errors, and the file is not used. */
static int check_findings(const struct mp_acl_json *file, const char *path, struct mp_error *err)
{
	char text[600];

	for (size_t i = 0; i < file->finding_count; i++) {
		mp_acl_finding_text(&file->findings[i], text, sizeof(text));
		mp_log(
		    file->findings[i].severity == MP_ACL_WARNING ? MP_LOG_WARNING : MP_LOG_ERROR, "%s: %s", path, text);
	}
	if (!file->errors)
		return 0;
	return mp_fail(err, "'%s' is not valid: nothing is recorded", path);
}

/* Returns 0, or the errno that tells why the directory cannot be used. */
static int check_directory(const char *path)
{
	struct stat st;

	if (stat(path, &st) || access(path, R_OK | W_OK | X_OK))
		return errno;
	return S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
}

/* Make a directory with its missing parents. Returns its absolute path, or NULL with err. */
static char *make_directory(const char *path, struct mp_error *err)
{
	char *dir;
	int code;

	if (mp_dir_make_path(&dir, path, err))
		return NULL;
	code = check_directory(dir);
	if (!code)
		return dir;
	free(dir);
	mp_error_set(err, "%s", strerror(code));
	return NULL;
}

/* Beside the program, with a warning unless nothing was wanted. */
static char *fallback_directory(const char *wanted, const char *why)
{
	const char *name;
	char *dir = mp_executable_split(&name);

	if (wanted)
		mp_log(MP_LOG_WARNING,
		    "the output directory '%s' cannot be used: %s: data goes to '%s', beside the program", wanted, why,
		    dir ? dir : ".");
	return dir;
}

/* The directory of results. Only a board's must exist before. */
static char *output_directory(const char *wanted, enum msprof_profile profile)
{
	const char *work = secure_getenv("ASCEND_WORK_PATH");
	char path[PATH_MAX], *dir;
	struct mp_error err;
	int code;

	if (wanted && *wanted && profile == MSPROF_SVP) {
		code = check_directory(wanted);
		return code ? fallback_directory(wanted, strerror(code)) : strdup(wanted);
	}
	if (!wanted || !*wanted) {
		if (!work || !*work)
			return fallback_directory(NULL, "");
		snprintf(path, sizeof(path), "%s/profiling_data", work);
		wanted = path;
	}
	dir = make_directory(wanted, &err);
	return dir ? dir : fallback_directory(wanted, err.text);
}

static unsigned wanted_of(const struct mp_acl_json *file, int profile)
{
	unsigned wanted = MP_WANT_OPS | MP_WANT_STAMPS;
	const char *runtime = profile == MP_ACL_ASCEND ? mp_acl_json_value(file, "runtime_api") : NULL;

	if (file->settings.calls)
		wanted |= MP_WANT_CALLS; /* with those of the runtime, which are calls of AscendCL, too */
	if (runtime && strcmp(runtime, "on") == 0)
		wanted |= MP_WANT_RUNTIME_CALLS;
	return wanted;
}

/* The settings as members of a JSON object. Values were checked before, or are quoted here. */
static char *members_of(const struct mp_acl_json *file)
{
	struct mp_acl_item item;
	size_t size = 0;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; mp_acl_json_item(file, i, &item); i++) {
		if (strcmp(item.key, "acl_api") == 0) /* here it is on by default, unlike in the libraries of boards */
			item.value = file->settings.calls ? "on" : "off";
		if (!item.value)
			continue;
		fprintf(out, "%s\"%s\": ", ftell(out) ? ", " : "", item.key);
		mp_json_quote(out, item.value);
	}
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

/* The values were checked: no other word of a list has one of these in it. */
void mp_session_samples(
    struct mp_session_config *config, const char *host_sys, const char *host_sys_usage, const char *usage_freq)
{
	enum { USUAL_HZ = 50 };
	int hz = usage_freq && *usage_freq ? atoi(usage_freq) : USUAL_HZ;

	if (host_sys && host_sys[strspn(host_sys, "cpumem,")])
		mp_log(MP_LOG_WARNING, "host_sys '%s': samples are of cpu and mem alone", host_sys);
	if (host_sys_usage && strstr(host_sys_usage, "cpu"))
		config->samples_hz[MP_SAMPLE_CPU] = hz;
	if (host_sys_usage && strstr(host_sys_usage, "mem"))
		config->samples_hz[MP_SAMPLE_MEMORY] = hz;
	if ((host_sys_usage && *host_sys_usage) || (host_sys && (strstr(host_sys, "cpu") || strstr(host_sys, "mem"))))
		config->samples_hz[MP_SAMPLE_PROCESS] = hz;
}

static int settle(struct mp_acl_session *s, const struct mp_acl_json *file, int profile, struct mp_error *err)
{
	const char *limit = mp_acl_json_value(file, "storage_limit");

	s->on = file->has_profiler && file->settings.on;
	if (!s->on)
		return 0;
	s->interval = (uint32_t)file->settings.interval;
	s->dir = output_directory(file->settings.output, (enum msprof_profile)profile);
	s->members = members_of(file);
	if (!s->dir || !s->members)
		return mp_fail_memory(err, "the settings");
	s->config.dir = s->dir;
	s->config.members = s->members;
	s->config.wanted = wanted_of(file, (int)file->profile);
	s->config.storage_limit = limit ? strtoull(limit, NULL, 10) * 1024 * 1024 : 0;
	s->config.format = mp_session_format_of((enum msprof_profile)profile);
	mp_session_samples(&s->config, mp_acl_json_value(file, "host_sys"), mp_acl_json_value(file, "host_sys_usage"),
	    mp_acl_json_value(file, "host_sys_usage_freq"));
	return 0;
}

int mp_acl_session_read(struct mp_acl_session *s, const char *path, int profile, struct mp_error *err)
{
	struct mp_acl_json *file;
	int status;

	if (mp_environment_is_set())
		return mp_environment_session(s, err);
	memset(s, 0, sizeof(*s));
	if (!path || !*path)
		return 0;
	if (mp_acl_json_read(&file, path, (enum mp_acl_profile)profile, err))
		return MSPROF_INVALID_FILE;
	status = check_findings(file, path, err) || settle(s, file, profile, err) ? MSPROF_INVALID_PARAM : MSPROF_OK;
	mp_acl_json_free(file);
	if (status)
		mp_acl_session_free(s);
	return status;
}

void mp_acl_session_keep(struct mp_acl_session *s)
{
	char *dir = realpath(s->dir, NULL);

	if (!dir)
		return;
	free(s->dir);
	s->config.dir = s->dir = dir;
}

void mp_acl_session_free(struct mp_acl_session *s)
{
	free(s->dir);
	free(s->members);
	free(s->results);
	free(s->domains);
	memset(s, 0, sizeof(*s));
}

/*
 * environment.c: the settings of 'msprof PROGRAM', written by one process and read by another; times from a file, which
 * ends with a line that is no time.
 */
#define _GNU_SOURCE /* secure_getenv: an unprivileged user must not tell a privileged program where to write */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "raw/layout.h"
#include "recorder/attach.h"
#include "recorder/log.h"
#include "recorder/recorder.h"
#include "recorder/session.h"
#include "recorder/table.h"

/* Write a member of an object. A text that is NULL or empty is not set. */
static void put_text(FILE *f, const char *key, const char *text)
{
	if (!text || !*text)
		return;
	fprintf(f, ",\"%s\":", key);
	mp_json_quote(f, text);
}

/* Write a time as a text, because JSON numbers are exact only up to 2^53. */
static void put_time(FILE *f, const char *key, uint64_t ns)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)ns);
	put_text(f, key, ns ? text : NULL);
}

int mp_environment_write(char **text, const struct mp_environment *e, struct mp_error *err)
{
	size_t size;
	FILE *f;

	*text = NULL;
	f = open_memstream(text, &size);
	if (!f)
		return mp_fail_memory(err, "the settings");
	fputs("{\"switch\":\"on\"", f);
	put_text(f, "output", e->output);
	put_text(f, "results", e->results);
	put_text(f, "ascendcl", e->calls ? "on" : "off");
	put_text(f, "runtime_api", e->runtime_calls ? "on" : "off");
	put_text(f, "msproftx", e->stamps ? "on" : "off");
	fprintf(f, ",\"storage_limit_mb\":%lld", (long long)e->storage_limit_mb);
	put_text(f, "windows", e->windows);
	put_text(f, "mstx_domain_include", e->domains);
	put_text(f, "mstx_domain_exclude", e->not_domains);
	put_time(f, "from_ns", e->from_ns);
	put_time(f, "until_ns", e->until_ns);
	putc('}', f);
	if (!fclose(f) && *text) /* without memory at its end, glibc gives no text */
		return 0;
	free(*text);
	*text = NULL;
	return mp_fail_memory(err, "the settings");
}

bool mp_environment_is_set(void)
{
	const char *text = secure_getenv(MP_ENVIRONMENT);

	return text && *text;
}

static const char *text_of(const cJSON *object, const char *key)
{
	const char *text = cJSON_GetStringValue(mp_json_member(object, key));

	return text ? text : "";
}

static bool is_on(const cJSON *object, const char *key)
{
	return strcmp(text_of(object, key), "on") == 0;
}

static cJSON *parse(const char *text, struct mp_error *err)
{
	const char *fault = "";
	cJSON *object = text ? mp_json_parse(text, strlen(text), &fault) : NULL;

	if (*text_of(object, "output"))
		return object;
	if (!object && !fault) {
		mp_fail_memory(err, "the settings");
		return NULL;
	}
	cJSON_Delete(object);
	mp_error_set(err, "the variable " MP_ENVIRONMENT " has an invalid value: nothing is recorded");
	return NULL;
}

/* The settings as members of an object, as text without braces; what is only for the recorder is left out. */
static char *members_of(const cJSON *object)
{
	const cJSON *node;
	size_t size = 0;
	char *text = NULL;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	for (node = object->child; node; node = node->next) {
		if (!node->valuestring || strcmp(node->string, "results") == 0 || strcmp(node->string, "windows") == 0)
			continue;
		if (ftell(f))
			putc(',', f);
		mp_json_quote(f, node->string);
		putc(':', f);
		if (cJSON_IsString(node))
			mp_json_quote(f, node->valuestring);
		else
			fputs(node->valuestring, f);
	}
	if (!fclose(f))
		return text;
	free(text);
	return NULL;
}

/* Read the domains to record, or not to record. Returns false when out of memory. */
static bool read_domains(struct mp_acl_session *s, const cJSON *object)
{
	const char *include = text_of(object, "mstx_domain_include"), *exclude = text_of(object, "mstx_domain_exclude");

	s->config.domains_excluded = !*include;
	if (*include || *exclude)
		s->config.domains = s->domains = strdup(*include ? include : exclude);
	return s->domains || (!*include && !*exclude);
}

int mp_environment_session(struct mp_acl_session *s, struct mp_error *err)
{
	return mp_environment_read(s, secure_getenv(MP_ENVIRONMENT), err);
}

int mp_environment_read(struct mp_acl_session *s, const char *text, struct mp_error *err)
{
	cJSON *object = parse(text, err);
	double limit;
	bool good;

	memset(s, 0, sizeof(*s));
	if (!object)
		return MSPROF_INVALID_PARAM;
	limit = cJSON_GetNumberValue(mp_json_member(object, "storage_limit_mb"));
	s->dir = strdup(text_of(object, "output"));
	s->results = *text_of(object, "results") ? strdup(text_of(object, "results")) : NULL;
	s->windows = *text_of(object, "windows") ? strdup(text_of(object, "windows")) : NULL;
	good = (s->windows || !*text_of(object, "windows")) && (s->results || !*text_of(object, "results"));
	s->members = members_of(object);
	s->config = (struct mp_session_config){.dir = s->dir,
	    .members = s->members,
	    .results = s->results,
	    .windows = s->windows,
	    .format = MP_FORMAT_PROF};
	if (is_on(object, "ascendcl"))
		s->config.wanted |= MP_WANT_CALLS;
	if (is_on(object, "runtime_api"))
		s->config.wanted |= MP_WANT_RUNTIME_CALLS;
	if (is_on(object, "msproftx"))
		s->config.wanted |= MP_WANT_STAMPS;
	s->config.wanted |= MP_WANT_OPS;
	if (limit > 0 && limit <= 4294967295.0) /* false also for NaN */
		s->config.storage_limit = (uint64_t)limit * 1024 * 1024;
	s->config.from_ns = strtoull(text_of(object, "from_ns"), NULL, 10);
	s->config.until_ns = strtoull(text_of(object, "until_ns"), NULL, 10);
	s->on = 1;
	good = read_domains(s, object) && good;
	cJSON_Delete(object);
	if (good && s->dir && s->members)
		return MSPROF_OK;
	mp_acl_session_free(s);
	mp_error_set_memory(err, "the settings");
	return MSPROF_BAD_ALLOC;
}

/* The value of a variable in the environment that a process began with; freed by the caller. NULL with err. */
static char *value_of_process(pid_t pid, const char *name, struct mp_error *err)
{
	char path[64], *line = NULL, *value = NULL;
	size_t size = 0, len = strlen(name);
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/environ", (int)pid);
	f = fopen(path, "re");
	if (!f) {
		mp_error_set_errno(err, "cannot read '%s'", path);
		return NULL;
	}
	while (!value && getdelim(&line, &size, '\0', f) >= 0)
		if (strncmp(line, name, len) == 0 && line[len] == '=')
			value = strdup(line + len + 1);
	free(line);
	fclose(f); /* only read: nothing can be lost */
	if (!value)
		mp_error_set(err,
		    "process %d was started neither by 'msprof --dynamic=on' nor with " MP_ATTACH_VARIABLE
		    "=" MP_ATTACH_MODE,
		    (int)pid);
	return value;
}

bool mp_environment_may_attach(pid_t pid)
{
	char *mode = value_of_process(pid, MP_ATTACH_VARIABLE, &(struct mp_error){0});
	char *settings = value_of_process(pid, MP_ENVIRONMENT, &(struct mp_error){0});
	bool may = mode && !settings && strcmp(mode, MP_ATTACH_MODE) == 0;

	free(mode);
	free(settings);
	return may;
}

int mp_environment_of_process(pid_t pid, char **output, char **windows, struct mp_error *err)
{
	char *value = value_of_process(pid, MP_ENVIRONMENT, err);
	cJSON *object = value ? parse(value, err) : NULL;
	int status = 0;

	*output = *windows = NULL;
	free(value);
	if (!object)
		return -1;
	if (*text_of(object, "windows")) {
		*output = strdup(text_of(object, "output"));
		*windows = strdup(text_of(object, "windows"));
		if (!*output || !*windows) {
			free(*output);
			free(*windows);
			status = mp_fail_memory(err, "the settings");
		}
	} else {
		status = mp_fail(err, "process %d is recorded without --dynamic=on", (int)pid);
	}
	cJSON_Delete(object);
	return status;
}

int mp_environment_soc(const struct mp_layouts *layouts)
{
	const char *name = secure_getenv(MP_ENVIRONMENT_SOC);
	int usual = layouts->soc_count - 1, soc = name && *name ? mp_layouts_soc(layouts, name) : usual;
	char all[MP_SOC_MAX * (MP_NAME_SIZE + 2)] = "";
	size_t len = 0;

	if (soc >= 0)
		return soc;
	for (int i = 0; i < layouts->soc_count; i++)
		len += (size_t)snprintf(all + len, sizeof(all) - len, "%s%s", i ? ", " : "", layouts->socs[i].name);
	mp_log(MP_LOG_WARNING, "the variable " MP_ENVIRONMENT_SOC " is '%s', not one of %s: the form is that of %s",
	    name, all, layouts->socs[usual].name);
	return usual;
}

int mp_environment_announce(const char *path, const char *result, struct mp_error *err)
{
	char line[256];
	int fd, status = 0, len = snprintf(line, sizeof(line), "%s\n", result);

	fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0640);
	if (fd < 0 && errno == ENOENT) {
		mp_log(MP_LOG_INFO, "msprof has ended: it will not export '%s'", result);
		return 0;
	}
	if (fd < 0 || write(fd, line, (size_t)len) != len)
		status = mp_fail_errno(err, "cannot write '%s'", path);
	if (fd >= 0 && close(fd) && !status)
		status = mp_fail_errno(err, "cannot write '%s'", path);
	return status;
}

struct mp_windows {
	int fd;
	uint64_t read_ns; /* the file was read at this time */
	size_t count;
	uint64_t times[MP_WINDOWS_MAX];
};

int mp_windows_open(struct mp_windows **windows, const char *path, struct mp_error *err)
{
	struct mp_windows *w = calloc(1, sizeof(*w));

	*windows = NULL;
	if (!w)
		return mp_fail_memory(err, "the windows of a recording");
	w->fd = mp_fd_hold(open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
	if (w->fd < 0) {
		free(w);
		return mp_fail_errno(err, "cannot open '%s'", path);
	}
	*windows = w;
	return 0;
}

static void read_times(struct mp_windows *w)
{
	char text[MP_WINDOWS_LINE + 1];
	off_t at;

	w->read_ns = mp_recorder_now();
	for (; w->count < MP_WINDOWS_MAX; w->count++) {
		at = (off_t)w->count * MP_WINDOWS_LINE;
		if (pread(mp_fd_use(w->fd), text, MP_WINDOWS_LINE, at) != MP_WINDOWS_LINE ||
		    text[MP_WINDOWS_LINE - 1] != '\n')
			return;
		text[MP_WINDOWS_LINE] = '\0';
		w->times[w->count] = strtoull(text, NULL, 10);
	}
}

bool mp_windows_has(struct mp_windows *w, uint64_t ns)
{
	size_t passed;

	if (ns >= w->read_ns)
		read_times(w);
	passed = w->count;
	while (passed && w->times[passed - 1] > ns)
		passed--;
	return passed % 2;
}

void mp_windows_free(struct mp_windows *w)
{
	if (!w)
		return;
	mp_fd_drop(w->fd); /* only read: nothing can be lost */
	free(w);
}

/*
 * environment.c: the settings of 'msprof PROGRAM', written by one process and read by another; what tells a process
 * that it listens for commands.
 */
#define _GNU_SOURCE /* secure_getenv: an unprivileged user must not tell a privileged program where to write */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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
	put_text(f, "dynamic", e->dynamic);
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
		if (!node->valuestring || strcmp(node->string, "results") == 0)
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
	good = s->results || !*text_of(object, "results");
	s->members = members_of(object);
	s->config = (struct mp_session_config){
	    .dir = s->dir, .members = s->members, .results = s->results, .format = MP_FORMAT_PROF};
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
	s->on = !*text_of(object, "dynamic"); /* else commands bring the settings */
	good = read_domains(s, object) && good;
	cJSON_Delete(object);
	if (good && s->dir && s->members)
		return MSPROF_OK;
	mp_acl_session_free(s);
	mp_error_set_memory(err, "the settings");
	return MSPROF_BAD_ALLOC;
}

/* The directory of commands that settings name, freed by the caller; NULL: none. */
static char *dynamic_of(const char *settings)
{
	cJSON *object = settings ? parse(settings, &(struct mp_error){0}) : NULL;
	char *dir = *text_of(object, "dynamic") ? strdup(text_of(object, "dynamic")) : NULL;

	cJSON_Delete(object);
	return dir;
}

char *mp_environment_dynamic(void)
{
	return dynamic_of(secure_getenv(MP_ENVIRONMENT));
}

static void tell_not_started(pid_t pid, struct mp_error *err)
{
	mp_error_set(err,
	    "process %d was started neither by 'msprof --dynamic=on' nor with " MP_ATTACH_VARIABLE "=" MP_ATTACH_MODE,
	    (int)pid);
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
		tell_not_started(pid, err);
	return value;
}

bool mp_environment_may_attach(pid_t pid, struct mp_error *err)
{
	char *mode = value_of_process(pid, MP_ATTACH_VARIABLE, err);
	char *settings = value_of_process(pid, MP_ENVIRONMENT, &(struct mp_error){0});
	char *dynamic = dynamic_of(settings);
	bool may = dynamic || (mode && !settings && strcmp(mode, MP_ATTACH_MODE) == 0);

	if (settings && !may)
		mp_error_set(err, "process %d is recorded without --dynamic=on", (int)pid);
	else if (mode && !may)
		tell_not_started(pid, err);
	free(mode);
	free(settings);
	free(dynamic);
	return may;
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

/* Append a line to a file. Returns 0; 1 when its directory is gone; -1 with err. */
static int append_line(const char *path, const char *text, struct mp_error *err)
{
	char line[256];
	int fd, status = 0, len = snprintf(line, sizeof(line), "%s\n", text);

	fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0640);
	if (fd < 0 && errno == ENOENT)
		return 1;
	if (fd < 0 || write(fd, line, (size_t)len) != len)
		status = mp_fail_errno(err, "cannot write '%s'", path);
	if (fd >= 0 && close(fd) && !status)
		status = mp_fail_errno(err, "cannot write '%s'", path);
	return status;
}

int mp_environment_announce(const char *path, const char *result, struct mp_error *err)
{
	int status = append_line(path, result, err);

	if (status > 0)
		mp_log(MP_LOG_INFO, "msprof has ended: it will not export '%s'", result);
	return status < 0 ? -1 : 0;
}

/* Returns the text of a file, freed by the caller; NULL without one. */
static char *text_of_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	char *text = fd < 0 ? NULL : malloc(MP_ATTACH_TEXT);
	ssize_t n = text ? pread(fd, text, MP_ATTACH_TEXT - 1, 0) : 0;

	if (fd >= 0)
		close(fd); /* only read: nothing can be lost */
	if (text)
		text[n > 0 ? n : 0] = '\0';
	return text;
}

char *mp_dynamic_join(const char *dir)
{
	char path[PATH_MAX + 16], pid[16];
	struct mp_error err;

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	snprintf(path, sizeof(path), "%s/" MP_DYNAMIC_LISTENERS, dir);
	if (append_line(path, pid, &err) < 0)
		mp_log(MP_LOG_WARNING, "no command of msprof comes to this process: %s", err.text);
	snprintf(path, sizeof(path), "%s/" MP_DYNAMIC_WINDOW, dir);
	return text_of_file(path);
}

/* environment.c: the settings of 'msprof PROGRAM', written by one process and read by another. */
#define _GNU_SOURCE /* secure_getenv: an unprivileged user must not tell a privileged program where to write */
#include "recorder/environment.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder/recorder.h"

static bool add_switch(cJSON *object, const char *key, bool on)
{
	return cJSON_AddStringToObject(object, key, on ? "on" : "off") != NULL;
}

/* Add a time as a text, because JSON numbers are exact only up to 2^53. */
static bool add_time(cJSON *object, const char *key, uint64_t ns)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)ns);
	return !ns || cJSON_AddStringToObject(object, key, text);
}

static bool add_text(cJSON *object, const char *key, const char *text)
{
	return !text || cJSON_AddStringToObject(object, key, text);
}

int mp_environment_write(char **text, const struct mp_environment *e, struct mp_error *err)
{
	cJSON *object = cJSON_CreateObject();
	bool good =
	    object && add_switch(object, "switch", true) && cJSON_AddStringToObject(object, "output", e->output) &&
	    cJSON_AddStringToObject(object, "results", e->results) && add_switch(object, "ascendcl", e->calls) &&
	    add_switch(object, "runtime_api", e->runtime_calls) && add_switch(object, "msproftx", e->stamps) &&
	    cJSON_AddNumberToObject(object, "storage_limit_mb", (double)e->storage_limit_mb) &&
	    add_text(object, "windows", e->windows) && add_text(object, "mstx_domain_include", e->domains) &&
	    add_text(object, "mstx_domain_exclude", e->not_domains) && add_time(object, "from_ns", e->from_ns) &&
	    add_time(object, "until_ns", e->until_ns);

	*text = good ? cJSON_PrintUnformatted(object) : NULL;
	cJSON_Delete(object);
	return *text ? 0 : mp_fail(err, "out of memory for the settings");
}

bool mp_environment_is_set(void)
{
	const char *text = secure_getenv(MP_ENVIRONMENT);

	return text && *text;
}

static const char *text_of(const cJSON *object, const char *key)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));

	return text ? text : "";
}

static bool is_on(const cJSON *object, const char *key)
{
	return strcmp(text_of(object, key), "on") == 0;
}

static cJSON *parse(struct mp_error *err)
{
	cJSON *object = cJSON_Parse(secure_getenv(MP_ENVIRONMENT));

	if (cJSON_IsObject(object) && *text_of(object, "output") && *text_of(object, "results"))
		return object;
	cJSON_Delete(object);
	mp_error_set(err, "the variable " MP_ENVIRONMENT " has an invalid value: nothing is recorded");
	return NULL;
}

/* The members of an object, as text without braces. */
static char *members_of(const cJSON *object)
{
	char *text = cJSON_PrintUnformatted(object);
	size_t len = text ? strlen(text) : 0;

	if (!text)
		return NULL;
	text[len - 1] = '\0';
	memmove(text, text + 1, len - 1);
	return text;
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
	cJSON *object = parse(err);
	double limit;
	bool good;

	memset(s, 0, sizeof(*s));
	if (!object)
		return MSPROF_INVALID_PARAM;
	limit = cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(object, "storage_limit_mb"));
	s->dir = strdup(text_of(object, "output"));
	s->results = strdup(text_of(object, "results"));
	s->windows = *text_of(object, "windows") ? strdup(text_of(object, "windows")) : NULL;
	good = s->windows || !*text_of(object, "windows");
	cJSON_DeleteItemFromObjectCaseSensitive(object, "results");
	cJSON_DeleteItemFromObjectCaseSensitive(object, "windows");
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
	if (good && s->dir && s->members && s->results)
		return MSPROF_OK;
	mp_acl_session_free(s);
	mp_error_set(err, "out of memory for the settings");
	return MSPROF_BAD_ALLOC;
}

int mp_environment_announce(const char *path, const char *result, struct mp_error *err)
{
	char line[256];
	int fd, status = 0, len = snprintf(line, sizeof(line), "%s\n", result);

	fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0640);
	if (fd < 0 || write(fd, line, (size_t)len) != len)
		status = mp_fail_errno(err, "cannot write '%s'", path);
	if (fd >= 0 && close(fd) && !status)
		status = mp_fail_errno(err, "cannot write '%s'", path);
	return status;
}

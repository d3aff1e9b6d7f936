/* form_settings.c: the words and the environment of the program to record. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board/connection/script.h"
#include "form_profile.h"
#include "launch.h"
#include "recorder/session.h"

int profile_take_words(struct profile *p, struct mp_error *err)
{
	const char *text = form_value(p->form, "application");
	size_t count;

	if (!text) {
		p->words = p->form->program;
		return 0;
	}
	if (p->form->program)
		message_warning("--application is given: '%s ...' is ignored", p->form->program[0]);
	if (mp_argv_split(&p->split, &count, text, err))
		return -1;
	p->words = p->split;
	return 0;
}

static int add_setting(
    struct profile *p, const char *name, size_t name_len, const char *value, size_t len, struct mp_error *err)
{
	char *text = malloc(name_len + len + 2);

	if (!text)
		return mp_fail_memory(err, "a setting");
	snprintf(text, name_len + len + 2, "%.*s=%.*s", (int)name_len, name, (int)len, value);
	p->settings[p->setting_count++] = text;
	return 0;
}

/* --environment "A=1;B=2" */
static int add_variables(struct profile *p, struct mp_error *err)
{
	const char *text = form_value(p->form, "environment");

	while (text && *text) {
		size_t len = strcspn(text, ";"), name = strcspn(text, "=;");

		if (p->setting_count == SETTINGS_MAX)
			return mp_fail(err, "--environment has more than %d variables", SETTINGS_MAX);
		if (!name || text[name] != '=')
			return mp_fail(err, "--environment: '%.*s' is not NAME=VALUE", (int)len, text);
		if (add_setting(p, text, name, text + name + 1, len - name - 1, err))
			return -1;
		text += len + (text[len] == ';');
	}
	return 0;
}

/* Put a library of ours in front of those that a variable of the loader names. */
static int add_library(struct profile *p, const char *variable, const char *name, struct mp_error *err)
{
	const char *before = getenv(variable);
	char *library, *list;
	size_t size;
	int status;

	if (launch_library(&library, name, err))
		return -1;
	size = strlen(library) + (before ? strlen(before) : 0) + 2;
	list = malloc(size);
	if (!list) {
		free(library);
		return mp_fail_memory(err, "LD_PRELOAD");
	}
	snprintf(list, size, "%s%s%s", library, before && *before ? ":" : "", before ? before : "");
	status = add_setting(p, variable, strlen(variable), list, strlen(list), err);
	free(library);
	free(list);
	return status;
}

static int add_recorder(struct profile *p, struct mp_error *err)
{
	struct mp_environment request = {.output = p->output,
	    .results = p->record,
	    .windows = p->windows[0] ? p->windows : NULL,
	    .calls = form_on(p->form, "ascendcl"),
	    .runtime_calls = form_on(p->form, "runtime-api"),
	    .stamps = form_on(p->form, "msproftx"),
	    .domains = form_value(p->form, "mstx-domain-include"),
	    .not_domains = form_value(p->form, "mstx-domain-exclude"),
	    .storage_limit_mb = form_number(p->form, "storage-limit", 0),
	    .from_ns = (uint64_t)p->from_ns,
	    .until_ns = (uint64_t)p->until_ns};
	char *text = NULL;
	int status = mp_environment_write(&text, &request, err) ||
			     add_setting(p, MP_ENVIRONMENT, strlen(MP_ENVIRONMENT), text, strlen(text), err) ||
			     add_library(p, "LD_PRELOAD", "libmsprof_preload.so", err) ||
			     add_library(p, "LD_AUDIT", "libmsprof_audit.so", err)
			 ? -1
			 : 0;

	free(text);
	return status;
}

/* Programs with mstx load the library of this variable. */
static int add_injection(struct profile *p, struct mp_error *err)
{
	static const char name[] = "MSTX_INJECTION_PATH";
	char *library;
	int status;

	if (!form_on(p->form, "msproftx"))
		return 0;
	if (launch_library(&library, "libms_tools_ext.so", err))
		return -1;
	status = add_setting(p, name, strlen(name), library, strlen(library), err);
	free(library);
	return status;
}

int profile_add_settings(struct profile *p, struct mp_error *err)
{
	return add_variables(p, err) || add_recorder(p, err) || add_injection(p, err) ? -1 : 0;
}

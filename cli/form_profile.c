/* form_profile.c: runs a program, records it into PROF_... directories, and exports them; or commands one that another
 * msprof has started with --dynamic=on, or its user with PROFILING_MODE=dynamic. */
#include "form.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/dir.h"
#include "board/connection/pipe.h"
#include "config/acl_json.h"
#include "launch.h"
#include "recorder/session.h"

/* Take the words of the program from --application or from the command line. */
static int profile_take_words(struct profile *p, struct mp_error *err)
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

static const char *const library_places[] = {".", "../lib", "../lib/msprof", NULL};

/* Put a library of ours in front of those that a variable of the loader names. */
static int add_library(struct profile *p, const char *variable, const char *name, struct mp_error *err)
{
	const char *before = getenv(variable);
	char *library, *list;
	size_t size;
	int status;

	if (launch_beside(&library, library_places, name, err))
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

static struct mp_environment environment_of(const struct profile *p)
{
	return (struct mp_environment){.output = p->output,
	    .results = p->record,
	    .calls = form_on(p->form, "ascendcl"),
	    .runtime_calls = form_on(p->form, "runtime-api"),
	    .stamps = form_on(p->form, "msproftx"),
	    .domains = form_value(p->form, "mstx-domain-include"),
	    .not_domains = form_value(p->form, "mstx-domain-exclude"),
	    .storage_limit_mb = form_number(p->form, "storage-limit", 0),
	    .from_ns = (uint64_t)p->from_ns,
	    .until_ns = (uint64_t)p->until_ns};
}

static int add_recorder(struct profile *p, struct mp_error *err)
{
	struct mp_environment request = environment_of(p);
	char *text = NULL;
	int status;

	request.dynamic = p->dynamic ? p->scratch : NULL;
	status = mp_environment_write(&text, &request, err) ||
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
	if (launch_beside(&library, library_places, "libms_tools_ext.so", err))
		return -1;
	status = add_setting(p, name, strlen(name), library, strlen(library), err);
	free(library);
	return status;
}

static const int64_t SECOND = 1000000000;

/* Create a directory with an unpredictable name that no other user can enter. */
static int make_scratch(struct profile *p, struct mp_error *err)
{
	if (snprintf(p->scratch, sizeof(p->scratch), "%s/.msprof.XXXXXX", p->output) >= (int)sizeof(p->scratch))
		return mp_fail(err, "path too long: '%s'", p->output);
	if (!mkdtemp(p->scratch)) {
		p->scratch[0] = '\0';
		return mp_fail_errno(err, "cannot make a directory in '%s'", p->output);
	}
	snprintf(p->record, sizeof(p->record), "%s/" PROFILE_RECORD, p->scratch);
	p->scratch_fd = open(p->scratch, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return p->scratch_fd < 0 ? mp_fail_errno(err, "cannot open '%s'", p->scratch) : 0;
}

/* Whether the program runs another: its own place then says nothing. */
static bool is_interpreter(const char *program)
{
	const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;

	return strcmp(name, "sh") == 0 || strcmp(name, "bash") == 0 || strncmp(name, "python", 6) == 0;
}

/* Without a slash: a program of the current directory, as for the vendor's tool; interpreters and all others of PATH.
 */
static int find_program(struct profile *p, struct mp_error *err)
{
	const char *word = p->words[0];
	char here[PATH_MAX];
	struct stat st;

	if (!strchr(word, '/') && !is_interpreter(word) &&
	    snprintf(here, sizeof(here), "./%s", word) < (int)sizeof(here) && stat(here, &st) == 0 &&
	    S_ISREG(st.st_mode) && access(here, X_OK) == 0)
		word = here;
	return launch_find(&p->path, word, err);
}

/* Where results lie without --output: below $ASCEND_WORK_PATH, else beside the program of --application. */
static int choose_output(const struct profile *p, char path[PATH_MAX])
{
	const char *work = getenv("ASCEND_WORK_PATH"), *slash = NULL;
	int len;

	if (work && *work)
		return snprintf(path, PATH_MAX, "%s/profiling_data", work);
	if (p->words && form_given(p->form, "application") && !is_interpreter(p->words[0]))
		slash = strrchr(p->words[0], '/');
	if (!slash)
		return snprintf(path, PATH_MAX, ".");
	len = snprintf(path, PATH_MAX, "%.*s", slash == p->words[0] ? 1 : (int)(slash - p->words[0]), p->words[0]);
	if (len >= PATH_MAX || access(path, W_OK | X_OK) == 0)
		return len;
	message_warning("'%s' cannot be written: the data lies in the current directory", path);
	return snprintf(path, PATH_MAX, ".");
}

/* Create the directory of the results. */
static int make_output(struct profile *p, struct mp_error *err)
{
	const char *given = form_value(p->form, "output");
	char path[PATH_MAX];
	int len = given ? snprintf(path, sizeof(path), "%s", given) : choose_output(p, path);

	if (len >= (int)sizeof(path))
		return mp_fail(err, "path too long: '%s'", path);
	return mp_dir_make_path(&p->output, path, err);
}

/* --delay and --duration, from now on */
static void take_times(struct profile *p)
{
	int64_t delay = form_number(p->form, "delay", 0), duration = form_number(p->form, "duration", 0);
	struct timespec t;
	int64_t now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	now = (int64_t)t.tv_sec * SECOND + t.tv_nsec + delay * SECOND;
	p->from_ns = delay ? now : 0;
	p->until_ns = duration ? now + duration * SECOND : 0;
}

static struct mp_samples_request request_of(const struct profile *p, pid_t pid)
{
	const struct form *form = p->form;
	const char *usage = form_value(form, "host-sys-usage"), *sys = form_value(form, "host-sys");
	int hz = (int)form_number(form, "host-sys-usage-freq", 50),
	    machine_hz = (int)form_number(form, "sys-sampling-freq", 10);
	struct mp_samples_request w = {
	    .pid = (pid_t)form_number(form, "host-sys-pid", pid), .from_ns = p->from_ns, .until_ns = p->until_ns};

	if (form_has_word(usage, "cpu") || form_on(form, "sys-profiling"))
		w.hz[MP_SAMPLE_CPU] = form_has_word(usage, "cpu") ? hz : machine_hz;
	if (form_has_word(usage, "mem") || form_on(form, "sys-profiling"))
		w.hz[MP_SAMPLE_MEMORY] = form_has_word(usage, "mem") ? hz : machine_hz;
	if (w.pid && (usage || form_has_word(sys, "cpu") || form_has_word(sys, "mem")))
		w.hz[MP_SAMPLE_PROCESS] = hz;
	else if (w.pid && form_on(form, "sys-pid-profiling"))
		w.hz[MP_SAMPLE_PROCESS] = (int)form_number(form, "sys-pid-sampling-freq", 10);
	return w;
}

static int begin_samples(struct profile *p, pid_t pid, struct mp_error *err)
{
	struct mp_samples_request request = request_of(p, pid);

	return samples_open(&p->samples, p->scratch_fd, &request, err);
}

/* Commands to our program, by `dirfd`, or to the process `pid`, which get the settings of this command line. */
static int open_dynamic(struct profile *p, int dirfd, pid_t pid, struct mp_error *err)
{
	struct mp_environment request = environment_of(p);
	struct dynamic_target target = {.dirfd = dirfd, .pid = pid, .place = pid ? p->output : NULL};
	char *text = NULL;
	int status;

	status = mp_environment_write(&text, &request, err);
	target.settings = text;
	if (!status)
		status = dynamic_open(&p->dynamic, &target, err);
	free(text);
	return status;
}

static void clear(struct profile *p)
{
	samples_close(p->samples, &(struct mp_error){0});
	dynamic_close(p->dynamic);
	if (p->scratch_fd >= 0) {
		samples_remove(p->scratch_fd);
		unlinkat(p->scratch_fd, MP_DYNAMIC_LISTENERS, 0);
		unlinkat(p->scratch_fd, MP_DYNAMIC_WINDOW, 0);
		unlinkat(p->scratch_fd, PROFILE_RECORD, 0);
		close(p->scratch_fd);
	}
	if (p->scratch[0])
		rmdir(p->scratch);
	for (int i = 0; i < p->setting_count; i++)
		free(p->settings[i]);
	for (size_t i = 0; i < p->result_count; i++)
		free(p->results[i]);
	free(p->results);
	mp_argv_free(p->split);
	free(p->output);
	free(p->path);
}

static int run_program(struct profile *p, int *status, int *interrupted, struct mp_error *err)
{
	struct launch_request request = {.words = p->words, .settings = (const char *const *)p->settings};
	struct mp_error second;
	bool failed;
	pid_t pid;

	take_times(p);
	if (find_program(p, err) || (form_on(p->form, "dynamic") && open_dynamic(p, p->scratch_fd, 0, err)) ||
	    add_variables(p, err) || add_recorder(p, err) || add_injection(p, err))
		return -1;
	request.path = p->path;
	request.no_input = p->dynamic != NULL;
	message_told("Start profiling....", NULL);
	if (p->dynamic)
		message_told("Nothing is recorded until the command 'start'. Commands: start, stop, quit.", NULL);
	if (launch_start(&pid, &request, err))
		return -1;
	failed = begin_samples(p, pid, err) != 0;
	if (launch_wait(pid, failed ? NULL : p->samples, p->dynamic, status, interrupted, failed ? &second : err))
		failed = true;
	return failed ? -1 : 0;
}

static int sample_alone(struct profile *p, int *interrupted, struct mp_error *err)
{
	int64_t seconds = form_number(p->form, "sys-period", 0);

	if (!seconds)
		return mp_fail(err, "without a program, --sys-period says how many seconds to sample");
	message_told("Start profiling....", NULL);
	take_times(p);
	return begin_samples(p, 0, err) || launch_sample(p->samples, seconds, interrupted, err) ? -1 : 0;
}

/* The variable by which other tools ask for data without an export, if one is set to 1; else NULL. */
static const char *unparsed(void)
{
	static const char *const names[] = {"NO_MSPROF_MODE", "AIT_NO_MSPROF_MODE", "MSIT_NO_MSPROF_MODE"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);

		if (value && strcmp(value, "1") == 0)
			return names[i];
	}
	return NULL;
}

static int make_acl_json(struct profile *p, struct mp_error *err)
{
	struct mp_acl_request request = {.purpose = MP_ACL_PROFILER, .dir = p->output};
	struct mp_acl_json *file;

	if (mp_acl_json_make(&file, &request, err))
		return -1;
	mp_acl_json_free(file);
	return 0;
}

/* The failure of the program comes before that of its data. */
static int verdict(int status, int interrupted, int exported)
{
	if (interrupted)
		return 128 + interrupted;
	if (WIFSIGNALED(status)) {
		message_warning("the program was killed by signal %d", WTERMSIG(status));
		return EXIT_PROGRAM;
	}
	if (WEXITSTATUS(status)) {
		message_warning("the program ended with status %d", WEXITSTATUS(status));
		return EXIT_PROGRAM;
	}
	return exported;
}

static int run(struct profile *p)
{
	const struct form *form = p->form;
	int status = 0, interrupted = 0, exported = EXIT_FAILED;
	const char *mode = unparsed();
	struct mp_error err;

	if (form_on(form, "export") || form_on(form, "parse") || form_on(form, "query") || form_on(form, "analyze"))
		message_warning("--export, --parse, --query and --analyze have no effect with a program: its data is "
				"always exported");
	if (profile_take_words(p, &err) || make_output(p, &err) || make_scratch(p, &err) ||
	    (mode && make_acl_json(p, &err)) ||
	    (p->words ? run_program(p, &status, &interrupted, &err) : sample_alone(p, &interrupted, &err)) ||
	    profile_collect(p, &err))
		message_failure(&err);
	else {
		exported = mode ? EXIT_OK : profile_export(p);
		if (mode)
			profile_leave(p, mode);
		message_told("Profiling finished.", NULL);
	}
	return verdict(status, interrupted, exported);
}

int form_profile(const struct form *form)
{
	struct profile *p = malloc(sizeof(*p));
	int status;

	if (!p)
		return message_error("out of memory for the profile of a program");
	*p = (struct profile){.form = form, .scratch_fd = -1};
	status = run(p);
	clear(p);
	free(p);
	return status;
}

static int attach(struct profile *p, pid_t pid, bool *ended, struct mp_error *err)
{
	if (dynamic_find(pid, err) || make_output(p, err) || open_dynamic(p, -1, pid, err))
		return -1;
	message_told("The results of the program will be in", p->output);
	message_told("Commands: start, stop, quit.", NULL);
	return dynamic_follow(p->dynamic, pid, ended, err);
}

int form_attach(const struct form *form)
{
	struct profile *p = calloc(1, sizeof(*p));
	struct mp_error err;
	bool ended;
	int status;

	if (!p)
		return message_error("out of memory for the commands of a recording");
	p->form = form;
	p->scratch_fd = -1;
	status = attach(p, (pid_t)form_number(form, "pid", 0), &ended, &err);
	if (status)
		message_failure(&err);
	else
		message_told(ended ? "The program has ended." : "The program continues.", NULL);
	clear(p);
	free(p);
	return status ? EXIT_FAILED : EXIT_OK;
}

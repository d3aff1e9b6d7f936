/* form_profile.c: run a program, record it into PROF_... directories, and export them. */
#include <errno.h>
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
#include "board/words.h"
#include "config/acl_json.h"
#include "form.h"
#include "program.h"
#include "recorder/environment.h"
#include "recorder/session.h"

enum { SETTINGS_MAX = 64, RESULTS_MAX = 256 };
static const int64_t SECOND = 1000000000;

struct profile {
	const struct form *form;
	char **words; /* the program; borrowed from argv or split */
	char **split;
	char *output;		/* real path */
	char record[PATH_MAX];	/* where recorders write the names of their results */
	char scratch[PATH_MAX]; /* where samples are until there is a result */
	int scratch_fd;
	struct samples *samples;
	int64_t from_ns, until_ns;	  /* what is recorded; 0: all of it */
	char *settings[SETTINGS_MAX + 4]; /* "NAME=VALUE", owned */
	int setting_count;
	char *results[RESULTS_MAX]; /* names, owned */
	int result_count;
};

static void say(const char *text, const char *object)
{
	printf(object ? "[INFO] %s %s\n" : "[INFO] %s\n", text, object);
	fflush(stdout);
}

/* --output, else below $ASCEND_WORK_PATH, else here; with all directories above it. */
static int make_output(struct profile *p, struct mp_error *err)
{
	const char *wish = form_value(p->form, "output"), *work = getenv("ASCEND_WORK_PATH");
	char path[PATH_MAX];
	int len;

	if (wish)
		len = snprintf(path, sizeof(path), "%s", wish);
	else
		len = work && *work ? snprintf(path, sizeof(path), "%s/profiling_data", work)
				    : snprintf(path, sizeof(path), ".");
	if (len >= (int)sizeof(path))
		return mp_fail(err, "path too long: '%s'", wish ? wish : work);
	if (mp_dir_make_path(&p->output, path, err))
		return -1;
	if (snprintf(p->record, sizeof(p->record), "%s/.msprof.%ld.results", p->output, (long)getpid()) >= PATH_MAX ||
	    snprintf(p->scratch, sizeof(p->scratch), "%s/.msprof.%ld.samples", p->output, (long)getpid()) >= PATH_MAX)
		return mp_fail(err, "path too long: '%s'", p->output);
	return 0;
}

static int take_words(struct profile *p, struct mp_error *err)
{
	const char *text = form_value(p->form, "application");
	size_t count;

	if (!text) {
		p->words = p->form->program;
		return 0;
	}
	if (p->form->program)
		message_warning("--application wins over '%s ...'", p->form->program[0]);
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
		return mp_fail(err, "out of memory");
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

static int add_recorder(struct profile *p, struct mp_error *err)
{
	const char *before = getenv("LD_PRELOAD");
	struct mp_environment wish = {.output = p->output,
	    .results = p->record,
	    .calls = form_on(p->form, "ascendcl"),
	    .runtime_calls = form_on(p->form, "runtime-api"),
	    .stamps = form_on(p->form, "msproftx"),
	    .storage_limit_mb = form_number(p->form, "storage-limit", 0),
	    .from_ns = (uint64_t)p->from_ns,
	    .until_ns = (uint64_t)p->until_ns};
	char *library, *text = NULL, *preload;
	size_t size;
	int status;

	if (program_library(&library, "libmsprof_preload.so", err))
		return -1;
	size = strlen(library) + (before ? strlen(before) : 0) + 2;
	preload = malloc(size);
	if (!preload) {
		free(library);
		return mp_fail(err, "out of memory");
	}
	snprintf(preload, size, "%s%s%s", library, before && *before ? ":" : "", before ? before : "");
	status = mp_environment_write(&text, &wish, err) ||
			 add_setting(p, MP_ENVIRONMENT, strlen(MP_ENVIRONMENT), text, strlen(text), err) ||
			 add_setting(p, "LD_PRELOAD", 10, preload, strlen(preload), err)
		     ? -1
		     : 0;
	free(library);
	free(preload);
	free(text);
	return status;
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

static struct samples_wish wishes(const struct profile *p, pid_t pid)
{
	const struct form *form = p->form;
	const char *usage = form_value(form, "host-sys-usage"), *sys = form_value(form, "host-sys");
	int hz = (int)form_number(form, "host-sys-usage-freq", 50),
	    machine_hz = (int)form_number(form, "sys-sampling-freq", 10);
	struct samples_wish w = {
	    .pid = (pid_t)form_number(form, "host-sys-pid", pid), .from_ns = p->from_ns, .until_ns = p->until_ns};

	if (form_has_word(usage, "cpu") || form_on(form, "sys-profiling"))
		w.machine_cpu_hz = form_has_word(usage, "cpu") ? hz : machine_hz;
	if (form_has_word(usage, "mem") || form_on(form, "sys-profiling"))
		w.machine_memory_hz = form_has_word(usage, "mem") ? hz : machine_hz;
	if (w.pid && (usage || form_has_word(sys, "cpu") || form_has_word(sys, "mem")))
		w.process_hz = hz;
	else if (w.pid && form_on(form, "sys-pid-profiling"))
		w.process_hz = (int)form_number(form, "sys-pid-sampling-freq", 10);
	return w;
}

static int begin_samples(struct profile *p, pid_t pid, struct mp_error *err)
{
	struct samples_wish wish = wishes(p, pid);

	if (mkdir(p->scratch, 0750))
		return mp_fail_errno(err, "cannot make '%s'", p->scratch);
	p->scratch_fd = open(p->scratch, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (p->scratch_fd < 0)
		return mp_fail_errno(err, "cannot open '%s'", p->scratch);
	return samples_open(&p->samples, p->scratch_fd, &wish, err);
}

/* The names that recorders left; what is no name of a result is not looked at. */
static int read_results(struct profile *p, struct mp_error *err)
{
	FILE *file = fopen(p->record, "re");
	char line[256];

	if (!file)
		return errno == ENOENT ? 0 : mp_fail_errno(err, "cannot read '%s'", p->record);
	while (p->result_count < RESULTS_MAX && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "PROF_", 5) != 0 || strchr(line, '/'))
			continue;
		p->results[p->result_count] = strdup(line);
		if (!p->results[p->result_count++]) {
			p->result_count--;
			fclose(file);
			return mp_fail(err, "out of memory");
		}
	}
	fclose(file);
	return 0;
}

/* A result of our own, for samples of a program that recorded nothing. */
static int make_result(struct profile *p, struct mp_error *err)
{
	struct mp_session_config config = {.dir = p->output, .format = MP_FORMAT_PROF, .members = ""};
	struct mp_session *session;

	if (mp_session_start(&session, &config, err))
		return -1;
	p->results[0] = strdup(mp_session_result(session, 0));
	p->result_count = p->results[0] != NULL;
	if (mp_session_finish(session, err))
		return -1;
	return p->results[0] ? 0 : mp_fail(err, "out of memory");
}

/* Samples belong to the first result, which is the program's own. */
static int move_samples(struct profile *p, struct mp_error *err)
{
	char path[PATH_MAX];
	int to, status;

	if (snprintf(path, sizeof(path), "%s/%s/host/data", p->output, p->results[0]) >= (int)sizeof(path))
		return mp_fail(err, "path too long: '%s'", p->output);
	to = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (to < 0)
		return mp_fail_errno(err, "cannot open '%s'", path);
	status = samples_move(p->scratch_fd, to, err);
	close(to);
	return status;
}

static void clear(struct profile *p)
{
	samples_close(p->samples, &(struct mp_error){0});
	if (p->scratch_fd >= 0) {
		samples_remove(p->scratch_fd);
		close(p->scratch_fd);
	}
	if (p->output) {
		rmdir(p->scratch);
		unlink(p->record);
	}
	for (int i = 0; i < p->setting_count; i++)
		free(p->settings[i]);
	for (int i = 0; i < p->result_count; i++)
		free(p->results[i]);
	mp_argv_free(p->split);
	free(p->output);
}

static int run_program(struct profile *p, int *status, int *interrupted, struct mp_error *err)
{
	struct program_wish wish = {.words = p->words, .settings = (const char *const *)p->settings};
	char *path;
	pid_t pid;
	int failed;

	take_times(p);
	failed = program_find(&path, p->words[0], err) || add_variables(p, err) || add_recorder(p, err);
	if (failed)
		return -1;
	wish.path = path;
	say("Start profiling....", NULL);
	failed = program_start(&pid, &wish, err);
	free(path);
	if (failed)
		return -1;
	failed = begin_samples(p, pid, err);
	return program_wait(
		   pid, failed ? NULL : p->samples, status, interrupted, failed ? &(struct mp_error){0} : err) ||
		       failed
		   ? -1
		   : 0;
}

static int sample_alone(struct profile *p, int *interrupted, struct mp_error *err)
{
	int64_t seconds = form_number(p->form, "sys-period", 0);

	if (!seconds)
		return mp_fail(err, "without a program, --sys-period says how many seconds to sample");
	say("Start profiling....", NULL);
	take_times(p);
	return begin_samples(p, 0, err) || program_sample(p->samples, seconds, interrupted, err) ? -1 : 0;
}

static int collect_results(struct profile *p, struct mp_error *err)
{
	bool sampled = p->samples != NULL;
	int status = samples_close(p->samples, err);

	p->samples = NULL;
	if (status || read_results(p, err))
		return -1;
	if (!p->result_count && !sampled)
		return mp_fail(err, "the program made no call that is recorded, or ended before: does it call "
				    "AscendCL, through a shared library?");
	if (!p->result_count && make_result(p, err))
		return -1;
	return sampled ? move_samples(p, err) : 0;
}

static int export_results(struct profile *p)
{
	char path[PATH_MAX];
	int worst = EXIT_OK;

	for (int i = 0; i < p->result_count; i++) {
		int status;

		snprintf(path, sizeof(path), "%s/%s", p->output, p->results[i]);
		say("Start export data in", p->results[i]);
		status = form_export(p->form, path);
		if (status == EXIT_OK || status == EXIT_DAMAGED)
			printf("[INFO] Export all data in %s done.\n", p->results[i]);
		if (status == EXIT_FAILED || worst == EXIT_OK)
			worst = status;
		say("Process profiling data complete. Data is saved in", path);
	}
	return worst;
}

/* Other tools' switch for data that is collected by acl.json and not exported: the name that is set to 1, or NULL. */
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
	struct mp_acl_wish wish = {.purpose = MP_ACL_PROFILER, .dir = p->output};
	struct mp_acl_json *file;

	if (mp_acl_json_make(&file, &wish, err))
		return -1;
	mp_acl_json_free(file);
	return 0;
}

static int leave_results(const struct profile *p, const char *mode)
{
	for (int i = 0; i < p->result_count; i++)
		printf("[INFO] Data is saved in %s/%s\n", p->output, p->results[i]);
	printf("[INFO] %s=1: it is not exported; 'msprof --export=on --output=%s' does it\n", mode, p->output);
	return EXIT_OK;
}

/* What became of the program comes before what became of its data. */
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

int form_profile(const struct form *form)
{
	struct profile p = {.form = form, .scratch_fd = -1};
	int status = 0, interrupted = 0, exported = EXIT_FAILED;
	const char *mode = unparsed();
	struct mp_error err;

	if (form_on(form, "export") || form_on(form, "parse") || form_on(form, "query") || form_on(form, "analyze"))
		message_warning("--export, --parse, --query and --analyze do nothing beside a program: its data is "
				"exported anyway");
	if (make_output(&p, &err) || take_words(&p, &err) || (mode && make_acl_json(&p, &err)) ||
	    (p.words ? run_program(&p, &status, &interrupted, &err) : sample_alone(&p, &interrupted, &err)) ||
	    collect_results(&p, &err))
		message_error("%s", err.text);
	else {
		exported = mode ? leave_results(&p, mode) : export_results(&p);
		say("Profiling finished.", NULL);
	}
	clear(&p);
	return verdict(status, interrupted, exported);
}

/* form_results.c: collects and exports the PROF_... directories and samples of a recorded program; runs the options for
 * existing data as commands of msprof. */
#include "form.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/vec.h"
#include "export.h"
#include "process.h"
#include "recorder/session.h"

static int run(const struct command *command, const struct options *options)
{
	return command->run(command, options);
}

static struct options options_of(const struct form *form, const char *dir)
{
	struct options o = {0};

	o.values[OPTION_DIR] = dir;
	o.values[OPTION_MODEL_ID] = form_value(form, "model-id");
	o.values[OPTION_ITERATION_ID] = form_value(form, "iteration-id");
	o.values[OPTION_REPORTS] = form_value(form, "reports");
	o.values[OPTION_CLEAR] = form_on(form, "clear") ? "" : NULL;
	if (form_given(form, "compat-db"))
		o.values[OPTION_COMPAT_DB] = form_on(form, "compat-db") ? "" : NULL;
	else
		o.values[OPTION_COMPAT_DB] = form->in_tree ? "tree" : NULL;
	return o;
}

/* torch_npu's analysis, which needs the tree, looks each 0.1 s for the files of an export that it has started, and
 * gives up where that ends before it saw one. No order of renames helps: the file must be there for a while. */
static void let_see(void)
{
	static const struct timespec seen = {.tv_nsec = 300000000};

	nanosleep(&seen, NULL); /* a signal may cut it short */
}

/* Export timeline, tables and the database, or the database alone. */
static int form_export(const struct form *form, const char *dir)
{
	struct options o = options_of(form, dir);

	if (strcmp(form_value(form, "type"), "db") == 0)
		return run(&command_export_db, &o);
	o.values[OPTION_FORMAT] = form_value(form, "summary-format");
	return export_default(&o);
}

static int analyze(const struct form *form, const char *dir)
{
	struct options o = options_of(form, dir);

	o.values[OPTION_TYPE] = form_value(form, "type");
	o.values[OPTION_RULE] = form_value(form, "rule");
	return run(&command_analyze, &o);
}

int form_data(const struct form *form)
{
	const char *dir = form_value(form, "output");
	struct options o;
	int status = EXIT_OK;

	if (!dir) {
		message_error("--output is missing: the directory of the data");
		return EXIT_USAGE;
	}
	o = options_of(form, dir);
	if (form_on(form, "parse"))
		status = run(&command_import, &o);
	if (form_on(form, "query"))
		status = job_run_worse(status, run(&command_query, &o));
	if (form_on(form, "export"))
		status = job_run_worse(status, form_export(form, dir));
	if (form_on(form, "export") && form->in_tree)
		let_see();
	if (form_on(form, "analyze"))
		status = job_run_worse(status, analyze(form, dir));
	return status;
}

/* The program can write to the file of names: a name must be safe as a path and on a terminal. */
static bool is_result(const char *name)
{
	return strncmp(name, "PROF_", 5) == 0 && strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(name);
}

static int add_result(struct profile *p, const char *name, struct mp_error *err)
{
	char *copy = strdup(name);

	if (!copy || !mp_vec_room(p->results, p->result_count, 1)) {
		free(copy);
		return mp_fail_memory(err, "the list of results");
	}
	p->results[p->result_count++] = copy;
	return 0;
}

/* Read the names of results from the file of the recorders; other lines are ignored. */
static int read_results(struct profile *p, struct mp_error *err)
{
	int fd = mp_dir_open_file(p->scratch_fd, PROFILE_RECORD, NULL);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	char line[256];
	int status = 0;

	if (!file && fd < 0 && errno == ENOENT)
		return 0;
	if (!file) {
		mp_fail_errno(err, "cannot read '%s'", p->record);
		if (fd >= 0)
			close(fd);
		return -1;
	}
	while (!status && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		if (is_result(line))
			status = add_result(p, line, err);
	}
	fclose(file);
	return status;
}

/* Create a result for the samples of a program that recorded nothing. */
static int make_result(struct profile *p, struct mp_error *err)
{
	struct mp_session_config config = {.dir = p->output, .format = MP_FORMAT_PROF, .members = ""};
	struct mp_session *session;
	struct mp_error second;
	int status;

	if (mp_session_start(&session, &config, err))
		return -1;
	status = add_result(p, mp_session_result(session, 0), err);
	return mp_session_finish(session, status ? &second : err) ? -1 : status;
}

/* RESULT/host/data below the output, no link on the way; -1 on error. */
static int open_host_data(const struct profile *p, struct mp_error *err)
{
	const char *const names[] = {p->results[0], "host", "data"};
	int fd = mp_named_dir(p->output, err);

	for (int i = 0; fd >= 0 && i < 3; i++) {
		int below = mp_dir_open(fd, names[i], names[i], err);

		close(fd); /* nothing was written with it */
		fd = below;
	}
	return fd;
}

/* Samples belong to the first result, which is the program's own. */
static int move_samples(struct profile *p, struct mp_error *err)
{
	int to = open_host_data(p, err), status;

	if (to < 0)
		return -1;
	status = samples_move(p->scratch_fd, to, err);
	close(to);
	return status;
}

int profile_collect(struct profile *p, struct mp_error *err)
{
	bool sampled = p->samples != NULL;
	int status = samples_close(p->samples, err);

	p->samples = NULL;
	if (status || read_results(p, err))
		return -1;
	if (!p->result_count && !sampled && p->dynamic && !dynamic_has_started(p->dynamic)) {
		message_told("Nothing was recorded by this msprof: no command 'start' came.", NULL);
		return 0;
	}
	if (!p->result_count && !sampled)
		return mp_fail(
		    err, "nothing was recorded: the program does not call AscendCL through a shared library");
	if (!p->result_count && make_result(p, err))
		return -1;
	return sampled ? move_samples(p, err) : 0;
}

static bool is_device(const void *user, const char *name)
{
	(void)user;
	return strncmp(name, "device_", 7) == 0;
}

/* Say on the lines that other tools read whether a result has what a device ran. What cannot be listed is not said. */
static void say_without_device(const char *path, const char *name)
{
	struct mp_dir_names names;
	struct mp_error unused;
	int fd = mp_named_dir(path, &unused);

	if (fd < 0)
		return;
	if (mp_dir_list(&names, fd, is_device, NULL, path, &unused) == 0 && !names.count)
		message_told("No device data was found in", name);
	mp_dir_names_free(&names);
	close(fd); /* nothing was written with it */
}

int profile_export(struct profile *p)
{
	char path[PATH_MAX];
	struct mp_error err;
	int worst = EXIT_OK;

	if (confine(&(struct options){.values = {[OPTION_DIR] = p->output}}, &err))
		return message_failure(&err);
	for (size_t i = 0; i < p->result_count; i++) {
		int status;

		snprintf(path, sizeof(path), "%s/%s", p->output, p->results[i]);
		message_told("Start export data in", p->results[i]);
		status = form_export(p->form, path);
		say_without_device(path, p->results[i]);
		if (status == EXIT_OK || status == EXIT_DAMAGED)
			printf("[INFO] Export all data in %s done.\n", p->results[i]);
		if (status == EXIT_FAILED || worst == EXIT_OK)
			worst = status;
		message_told("Process profiling data complete. Data is saved in", path);
	}
	return worst;
}

void profile_leave(const struct profile *p, const char *mode)
{
	for (size_t i = 0; i < p->result_count; i++)
		printf("[INFO] Data is saved in %s/%s\n", p->output, p->results[i]);
	printf("[INFO] %s=1: the data is not exported; 'msprof --export=on --output=%s' exports it\n", mode, p->output);
}

/* form_results.c: what a recorded program left: PROF_... directories and samples, collected and exported. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "form_profile.h"
#include "recorder/session.h"

void profile_say(const char *text, const char *object)
{
	printf(object ? "[INFO] %s %s\n" : "[INFO] %s\n", text, object);
	fflush(stdout);
}

/* The file is one that the program can write to, and names become paths and reach the terminal. */
static bool is_result(const char *name)
{
	return strncmp(name, "PROF_", 5) == 0 &&
	       strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(name);
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
		if (!is_result(line))
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

int profile_collect(struct profile *p, struct mp_error *err)
{
	bool sampled = p->samples != NULL;
	int status = samples_close(p->samples, err);

	p->samples = NULL;
	if (status || read_results(p, err))
		return -1;
	if (!p->result_count && !sampled)
		return mp_fail(err, "the program made no call that is recorded, or ended before: does it call AscendCL, "
				    "through a shared library, or msprof_init and msprof_finalize?");
	if (!p->result_count && make_result(p, err))
		return -1;
	return sampled ? move_samples(p, err) : 0;
}

int profile_export(struct profile *p)
{
	char path[PATH_MAX];
	int worst = EXIT_OK;

	for (int i = 0; i < p->result_count; i++) {
		int status;

		snprintf(path, sizeof(path), "%s/%s", p->output, p->results[i]);
		profile_say("Start export data in", p->results[i]);
		status = form_export(p->form, path);
		if (status == EXIT_OK || status == EXIT_DAMAGED)
			printf("[INFO] Export all data in %s done.\n", p->results[i]);
		if (status == EXIT_FAILED || worst == EXIT_OK)
			worst = status;
		profile_say("Process profiling data complete. Data is saved in", path);
	}
	return worst;
}

void profile_leave(const struct profile *p, const char *mode)
{
	for (int i = 0; i < p->result_count; i++)
		printf("[INFO] Data is saved in %s/%s\n", p->output, p->results[i]);
	printf("[INFO] %s=1: it is not exported; 'msprof --export=on --output=%s' does it\n", mode, p->output);
}

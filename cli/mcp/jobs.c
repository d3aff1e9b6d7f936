/* jobs.c: tools that are no commands: the jobs below a directory, and the merged timeline of a job as JSON. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "export.h"
#include "mcp.h"
#include "raw/job_info.h"
#include "report/formats.h"

enum { DEPTH_MAX = 6 }; /* directories between the root and a job */

struct walk {
	struct mp_layouts layouts;
	struct mp_out *out;
	bool first;
};

static void put_path(struct walk *w, const char *path)
{
	struct mp_error ignored;
	int fd = mp_dir_open_below(".", path, &ignored);
	const bool parsed = fd >= 0 && mp_job_was_imported(fd);

	if (fd >= 0)
		close(fd); /* only looked at */
	path += strncmp(path, "./", 2) == 0 ? 2 : 0;
	mp_out_text(w->out, w->first ? "\n{\"job\": " : ",\n{\"job\": ");
	mp_json_string(w->out, path, strlen(path));
	mp_out_text(w->out, parsed ? ", \"parsed\": true}" : ", \"parsed\": false}");
	w->first = false;
}

/* Whether a directory is one of the jobs, or holds the parts of one. */
static bool is_found(const struct mp_found *found, const char *path)
{
	size_t len = strlen(path);

	for (size_t i = 0; i < found->count; i++)
		if (strncmp(found->paths[i], path, len) == 0 && (!found->paths[i][len] || found->paths[i][len] == '/'))
			return true;
	return false;
}

static bool is_visible(const void *unused, const char *name)
{
	(void)unused;
	return name[0] != '.';
}

static int walk(struct walk *w, const char *path, int depth, struct mp_error *err);

/* Walk through the directories of a directory that are no jobs. What cannot be opened is left out. */
static int walk_below(struct walk *w, const char *path, const struct mp_found *found, int depth, struct mp_error *err)
{
	struct mp_error left_out;
	struct mp_dir_names names = {.count = 0};
	int fd = mp_dir_open_below(".", path, &left_out);
	int status = fd < 0 ? 0 : mp_dir_list(&names, fd, is_visible, NULL, path, err);

	for (size_t i = 0; !status && i < names.count; i++) {
		size_t size = strlen(path) + strlen(names.items[i]) + 2;
		char *below = mp_dir_type(fd, names.items[i], path, &left_out) == S_IFDIR ? malloc(size) : NULL;

		if (!below)
			continue;
		snprintf(below, size, "%s/%s", path, names.items[i]);
		if (!is_found(found, below))
			status = walk(w, below, depth + 1, err);
		free(below);
	}
	mp_dir_names_free(&names);
	if (fd >= 0)
		close(fd); /* only looked at */
	return status;
}

static int walk(struct walk *w, const char *path, int depth, struct mp_error *err)
{
	struct mp_found found;
	int status = mp_job_find(&found, path, &w->layouts, false, err);

	if (found.none)
		found.count = 0; /* the path itself stands for no job */
	for (size_t i = 0; !status && i < found.count; i++)
		put_path(w, found.paths[i]);
	if (!status && depth < DEPTH_MAX && !(found.count && strcmp(found.paths[0], path) == 0))
		status = walk_below(w, path, &found, depth, err);
	found.count += found.none;
	mp_found_free(&found);
	return status;
}

static int run_jobs(const struct command *command, const struct options *o)
{
	struct walk w = {.first = true};
	const char *dir = o->values[OPTION_DIR];
	struct mp_error err;
	int status;

	(void)command;
	if (mp_out_fd(&w.out, STDOUT_FILENO, "standard output", &err)) {
		message_failure(&err);
		return EXIT_FAILED;
	}
	mp_out_limit(w.out, o->output_most);
	mp_out_text(w.out, "{\"schema\": \"msprof.jobs/1\", \"jobs\": [");
	status = layouts_load(&w.layouts, NULL, &err) || walk(&w, dir, 0, &err);
	mp_out_text(w.out, "\n]}\n");
	if (!status && mp_out_flush(w.out, &err))
		status = -1;
	if (status)
		message_failure(&err);
	mp_out_abort(w.out);
	mp_layouts_free(&w.layouts);
	return status ? EXIT_FAILED : EXIT_OK;
}

const struct command mcp_command_jobs = {.name = "jobs", .needs = NEEDS_JOB, .options = {TAKES(DIR)}, .run = run_jobs};

/* ---- the timeline ---- */

static const struct export_kind kind = {.command = &mcp_command_timeline, .is_trace = true};

static int write_trace(struct job_run *s, const struct mp_job *job, struct mp_db *db, struct mp_error *err)
{
	const struct mp_trace_options options = {.format = MP_TRACE_JSON, .dirfd = -1};
	static struct export e; /* large, and there is one: the stack is small */
	struct mp_timeline_stats stats;
	struct mp_out *out;
	int status;

	e = (struct export){.session = s, .job = job, .kind = &kind, .name = kind.command->name, .db = db};
	if (job_run_facts(s, db, &e.facts, err) || job_run_notice(s, db, &e.facts, err) || export_choose(&e, err) ||
	    mp_reports_load(&e.reports, "trace", e.facts.family, MP_STYLE_DEFAULT, err))
		return -1;
	status = mp_out_fd(&out, STDOUT_FILENO, "standard output", err);
	if (!status) {
		mp_out_limit(out, s->options->output_most);
		status = mp_trace_write(&e.reports, db, &options, out, &stats, err) || mp_out_flush(out, err);
		mp_out_abort(out);
	}
	mp_reports_free(&e.reports);
	return status ? -1 : 0;
}

static int timeline_job(struct job_run *s, const struct mp_job *job)
{
	if (!s->found.several)
		return job_run_use(s, job, job_run_database(s, job, true), write_trace);
	message_error("a timeline is of one job, and '%s' has %zu", s->options->values[OPTION_DIR], s->found.count);
	s->stop = true;
	return EXIT_FAILED;
}

static int run_timeline(const struct command *command, const struct options *o)
{
	(void)command;
	return export_limits_check(o) ? job_run_each(o, timeline_job) : EXIT_USAGE;
}

const struct command mcp_command_timeline = {.name = "timeline",
    .needs = NEEDS_JOB,
    .options = {TAKES(DIR), TAKES(FROM_TIME), TAKES(TO_TIME), TAKES(DEVICE), TAKES(MODEL_ID), TAKES(PICTURE),
	TAKES(ITERATION_ID)},
    .run = run_timeline};

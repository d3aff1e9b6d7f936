/* cmd_pytorch.c: msprof export pytorch: what torch_npu writes of its profile, from a PROF directory and FRAMEWORK
 * beside it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "export.h"
#include "import/db_export.h"
#include "import/framework.h"
#include "job_run.h"
#include "report/formats.h"

#define DONE "analyse.done"

enum { PATH_SIZE = 4096 };

/* The directory of the front end, while one of its PROF directories is exported. */
struct profile {
	char path[PATH_SIZE];
	int dirfd;
	bool lost; /* something of FRAMEWORK is in no file */
};

static struct profile current;

/* Tell what of FRAMEWORK is in no file. */
static int tell_loss(struct export *e, struct mp_error *err)
{
	static const char sql[] = "SELECT name, text FROM temp.framework_loss";
	struct mp_query *q;
	int status;

	if (mp_query_open(&q, e->db, sql, sizeof(sql) - 1, err))
		return -1;
	while ((status = mp_query_next(q, err)) == 1) {
		message_warning("'%s': %s: %s", current.path, mp_query_text(q, 0), mp_query_text(q, 1));
		current.lost = true;
	}
	mp_query_close(q);
	return status ? status : mp_db_run(e->db, "DELETE FROM temp.framework_loss;", err);
}

/* Add the tables of PROF directories that torch_npu copies under another name. */
static int add_copies(struct export *e, const struct mp_reports *tables, struct mp_error *err)
{
	struct mp_report *all = realloc(e->reports.items, (e->reports.count + tables->count + 1) * sizeof(*all));

	if (!all)
		return mp_fail_memory(err, "reports");
	e->reports.items = all;
	for (size_t i = 0; i < tables->count; i++) {
		struct mp_report *copy = &all[e->reports.count];
		struct mp_query *q;
		int status = mp_query_ask(&q, e->db, "SELECT name FROM temp.copied WHERE file = ?",
		    MP_VALUES(mp_string(tables->items[i].output.file)), err);

		if (status == 1) {
			*copy = tables->items[i];
			snprintf(copy->output.file, sizeof(copy->output.file), "%s", mp_query_text(q, 0));
			copy->output.crlf = true;
			e->reports.count++;
		}
		mp_query_close(q);
		if (status < 0)
			return -1;
	}
	return 0;
}

static int keep_analysis(struct export *e, struct mp_error *err)
{
	struct mp_reports analysis;
	int status = mp_reports_load(&analysis, "analyze", e->facts.family, e->facts.style, err);

	for (size_t i = 0; !status && i < analysis.count; i++)
		status = export_analysis_keep(e, &analysis.items[i], err);
	mp_reports_free(&analysis);
	return status;
}

/* Whether the user wants "text" files or databases ("db"). */
static bool wants(const struct export *e, const char *type)
{
	const char *chosen = e->session->options->values[OPTION_TYPES];

	return !chosen || strcmp(chosen, "all") == 0 || strcmp(chosen, type) == 0;
}

static int prepare(struct export *e, struct mp_error *err)
{
	struct mp_reports tables;
	int status;

	if (mp_framework_load(e->db, current.dirfd, current.path, &e->session->layouts, err) || tell_loss(e, err) ||
	    keep_analysis(e, err))
		return -1;
	if (!wants(e, "text")) {
		mp_reports_free(&e->reports);
		e->reports.count = 0;
		return 0;
	}
	if (mp_reports_load(&tables, "summary", e->facts.family, e->facts.style, err))
		return -1;
	status = add_copies(e, &tables, err);
	mp_reports_free(&tables);
	return status;
}

static int write_file(struct export *e, const struct mp_query *each, struct mp_out *out, struct mp_error *err)
{
	return strcmp(e->report->output.form, "array") == 0 ? export_write_timeline(e, each, out, err)
							    : export_write_tables(e, each, out, err);
}

/* Write a database, unless another tool's has the name. */
static int write_database(struct export *e, const char *name,
    int (*write)(struct mp_db *db, const struct mp_db_beside *place, struct mp_error *err), struct mp_error *err)
{
	const struct mp_db_beside place = {e->dirfd, e->label, name};

	if (export_kept_is_foreign(&e->kept, name))
		return 0;
	e->files++;
	return write(e->db, &place, err) || export_kept_add(&e->kept, name, err) ? -1 : 0;
}

/* An empty file, which scripts take for the sign that all files are there. */
static int write_end(struct export *e, struct mp_error *err)
{
	struct mp_out *out;

	if (mp_out_create(&out, e->dirfd, DONE, e->label, err))
		return -1;
	return export_kept_commit(&e->kept, out, DONE, err);
}

static int write_databases(struct export *e, struct mp_error *err)
{
	static const char sql[] =
	    "SELECT 'ascend_pytorch_profiler' || coalesce(nullif('_' || max(rank, -1), '_-1'), '') || '.db',"
	    " level <> 'Level_none' FROM (SELECT CAST(coalesce(json_extract(settings, '$.rank_id'), -1) AS INTEGER)"
	    " AS rank, level FROM temp.profile)";
	struct mp_query *q;
	char name[64];
	int64_t has_steps;

	if (mp_query_open(&q, e->db, sql, sizeof(sql) - 1, err))
		return -1;
	if (mp_query_next(q, err) != 1) {
		mp_query_close(q);
		return -1;
	}
	snprintf(name, sizeof(name), "%s", mp_query_text(q, 0));
	has_steps = mp_query_int(q, 1);
	mp_query_close(q);
	if (write_database(e, name, mp_db_pytorch, err) || tell_loss(e, err))
		return -1;
	return has_steps ? write_database(e, "analysis.db", mp_db_pytorch_analysis, err) : 0;
}

static int finish(struct export *e, struct mp_error *err)
{
	return (wants(e, "db") && write_databases(e, err)) || (!e->kept.foreign && write_end(e, err)) ? -1 : 0;
}

/* Open the directory around a PROF directory, which lies below the user's. Prints errors. */
static int open_profile(const struct job_run *s, const struct mp_job *job)
{
	const char *top = s->options->values[OPTION_DIR], *slash = strrchr(job->path, '/');
	struct mp_error err;

	current = (struct profile){.dirfd = -1};
	if (!slash || (size_t)(slash - job->path) < strlen(top) ||
	    snprintf(current.path, PATH_SIZE, "%.*s", (int)(slash - job->path), job->path) >= PATH_SIZE) {
		message_error(
		    "'%s': give the directory around it, in which torch_npu left it and FRAMEWORK", job->path);
		return -1;
	}
	current.dirfd = mp_dir_open_below(top, current.path, &err);
	if (current.dirfd < 0)
		message_failure(&err);
	return current.dirfd < 0 ? -1 : 0;
}

static int export_pytorch(struct job_run *s, const struct mp_job *job)
{
	static const struct export_kind kind = {.command = &command_export_pytorch,
	    .dir = "ASCEND_PROFILER_OUTPUT",
	    .is_beside = true,
	    .is_table = true,
	    .is_whole = true,
	    .is_guarded = true,
	    .prepare = prepare,
	    .write = write_file,
	    .finish = finish};
	static struct mp_job beside; /* large, and there is one: the stack is small */
	static char last[PATH_SIZE]; /* the directory that was exported last */
	int status;

	if (job->family != MP_FAMILY_PROF) {
		message_error("'%s': is no PROF directory of today, which torch_npu makes", job->path);
		return EXIT_FAILED;
	}
	if (open_profile(s, job))
		return EXIT_FAILED;
	if (strcmp(last, current.path) == 0) {
		close(current.dirfd); /* nothing was written through it */
		message_warning("'%s': left out: '%s' has the files of another PROF directory", job->path, last);
		return options_has(s->options, OPTION_STRICT) ? EXIT_FAILED : EXIT_DAMAGED;
	}
	snprintf(last, sizeof(last), "%s", current.path);
	beside = *job;
	if (!options_has(s->options, OPTION_ELSEWHERE))
		beside.exports = (struct mp_job_home){current.dirfd, current.path, current.path};
	status = export_job(s, &beside, &kind);
	close(current.dirfd); /* nothing was written through it */
	if (current.lost && status != EXIT_FAILED)
		status = job_run_worse(status, options_has(s->options, OPTION_STRICT) ? EXIT_FAILED : EXIT_DAMAGED);
	return status;
}

static int run_export_pytorch(const struct command *command, const struct options *options)
{
	(void)command;
	return job_run_all(&(struct job_run){.options = options, .wants = {.deep = true}}, export_pytorch);
}

const struct command command_export_pytorch = {
    .name = "export pytorch",
    .summary = "write what torch_npu writes to ..._ascend_pt",
    .usages = {"[-dir] ASCEND_PT [OPTION]..."},
    .needs = NEEDS_JOB,
    .options = {OPTIONS_PROF, TAKES(ELSEWHERE), TAKES(TYPES), TAKES(CLEAR)},
    .run = run_export_pytorch,
};

/* cmd_export.c: msprof export and analyze: what each kind of files is, and the database for other tools. */
#include <string.h>
#include <time.h>

#include "export.h"
#include "import/db_export.h"
#include "job_run.h"
#include "process.h"
#include "terminal.h"

/* What each command writes. */
static const struct export_kind kinds[] = {
    {.command = &command_export_timeline,
	.dir = "timeline",
	.write = export_write_timeline,
	.is_trace = true,
	.is_guarded = true},
    {.command = &command_export_summary,
	.dir = "summary",
	.write = export_write_tables,
	.is_table = true,
	.is_guarded = true},
    {.command = &command_export_stacks,
	.dir = "timeline",
	.write = export_write_stacks,
	.ending = ".folded",
	.is_whole = true},
    {.command = &command_analyze,
	.dir = "analyze",
	.is_beside = true,
	.is_analysis = true,
	.write = export_write_tables},
};

static const struct export_kind *kind_of(const struct command *command)
{
	const struct export_kind *kind = kinds;

	while (kind->command != command)
		kind++;
	return kind;
}

static int export_timeline(struct job_run *s, const struct mp_job *job)
{
	return export_job(s, job, kind_of(&command_export_timeline));
}

/* Export the timeline, then the summary, which would fail like a failed timeline. */
static int export_both(struct job_run *s, const struct mp_job *job)
{
	static struct options timeline; /* large, and there is one: the stack is small */
	static struct job_run first;
	int status;

	first = *s;
	timeline = *s->options;
	timeline.values[OPTION_CLEAR] = NULL; /* the summary still needs the database */
	timeline.values[OPTION_FORMAT] = NULL;
	first.options = &timeline;
	status = export_timeline(&first, job);
	s->said.notice = first.said.notice;
	s->said.compat = first.said.compat;
	if (status == EXIT_FAILED)
		return status;
	return job_run_worse(status, export_job(s, job, kind_of(&command_export_summary)));
}

static int export_database(struct job_run *s, const struct mp_job *job);

/* Export timeline and summary; then the database, which always has the whole job, where no part of it is chosen. */
static int export_whole(struct job_run *s, const struct mp_job *job)
{
	static struct options kept; /* large, and there is one: the stack is small */
	static struct job_run files;
	int status;

	if (!mp_db_can_export(job->family) || export_has_choice(s->options))
		return export_both(s, job);
	files = *s;
	kept = *s->options;
	kept.values[OPTION_CLEAR] = NULL; /* the database is still needed */
	files.options = &kept;
	status = export_both(&files, job);
	s->said = files.said;
	return status == EXIT_FAILED ? status : job_run_worse(status, export_database(s, job));
}

int export_default(const struct options *options)
{
	return export_processes(options, export_whole);
}

static int run_export_all(const struct command *command, const struct options *options)
{
	(void)command;
	return export_default(options);
}

static int run_export_timeline(const struct command *command, const struct options *options)
{
	if (!export_limits_check(options))
		return options_usage(command);
	return export_processes(options, export_timeline);
}

static int export_kind(struct job_run *s, const struct mp_job *job)
{
	return export_job(s, job, s->user);
}

static int run_export(const struct command *command, const struct options *options)
{
	if (!export_limits_check(options))
		return options_usage(command);
	return job_run_all(&(struct job_run){.options = options, .user = (void *)kind_of(command)}, export_kind);
}

#define OPTIONS_CHOICE                                                                                                 \
	TAKES(ELSEWHERE), TAKES(MODEL_ID), TAKES(ITERATION_ID), TAKES(ITERATION_COUNT), TAKES(REPORTS), TAKES(CLEAR),  \
	    TAKES(COMPAT_DB)

const struct command command_export_all = {
    .name = "export all",
    .summary = "write timeline, tables and database in one go",
    .usages = {"[-dir] JOB [OPTION]..."},
    .formats = "csv json",
    .needs = NEEDS_JOB,
    .options = {OPTIONS_JOB, OPTIONS_FORMAT, TAKES(STYLE), OPTIONS_CHOICE},
    .run = run_export_all,
};

const struct command command_export_timeline = {
    .name = "export timeline",
    .summary = "write chrome traces to JOB/timeline",
    .usages = {"[-dir] JOB [OPTION]..."},
    .formats = "json json.gz perfetto",
    .needs = NEEDS_JOB,
    .options = {OPTIONS_JOB, TAKES(FORMAT), TAKES(STYLE), OPTIONS_CHOICE, TAKES(PICTURE), TAKES(FROM_TIME),
	TAKES(TO_TIME), TAKES(DEVICE)},
    .run = run_export_timeline,
};

const struct command command_export_summary = {
    .name = "export summary",
    .summary = "write CSV or JSON tables to JOB/summary",
    .usages = {"[-dir] JOB [OPTION]..."},
    .formats = "csv json",
    .needs = NEEDS_JOB,
    .options = {OPTIONS_JOB, OPTIONS_FORMAT, TAKES(STYLE), OPTIONS_CHOICE},
    .run = run_export,
};

const struct command command_export_stacks = {
    .name = "export stacks",
    .summary = "write folded stacks of calls for flame graphs",
    .usages = {"[-dir] JOB [OPTION]..."},
    .needs = NEEDS_JOB,
    .options = {OPTIONS_JOB, TAKES(ELSEWHERE), TAKES(CLEAR), TAKES(FROM_TIME), TAKES(TO_TIME)},
    .run = run_export,
};

const struct command command_analyze = {
    .name = "analyze",
    .summary = "write what collectives moved to PROF_.../analyze",
    .usages = {"[-dir] PROF [OPTION]..."},
    .needs = NEEDS_JOB,
    .options = {OPTIONS_PROF, TAKES(ELSEWHERE), TAKES(RULE), TAKES(TYPE), TAKES(CLEAR), TAKES(COMPAT_DB)},
    .run = run_export,
};

/* "msprof_20261121201500.db" */
static void database_name(char *name, size_t size)
{
	time_t now = time(NULL);
	struct tm tm = {0};

	localtime_r(&now, &tm);
	strftime(name, size, "msprof_%Y%m%d%H%M%S.db", &tm);
}

static int export_database(struct job_run *s, const struct mp_job *job)
{
	char name[64];
	struct mp_db_export_options told = {NULL, NULL};
	struct progress progress;
	struct mp_error err;
	struct mp_db *db;
	int64_t bytes;
	int status;

	if (!mp_db_can_export(job->family)) {
		message_error(
		    "'%s': this generation of data has no database export; sqlite/msprof.db is one", job->path);
		return EXIT_FAILED;
	}
	if (job_output_refuse_readonly(job->exports.dirfd, job->exports.path))
		return EXIT_FAILED;
	db = job_run_database(s, job, true);
	if (!db)
		return EXIT_FAILED;
	if (job_run_lock(s, job->exports.dirfd, MP_DB_EXPORT_PART, job->exports.path)) {
		mp_db_close(db);
		return EXIT_FAILED;
	}
	database_name(name, sizeof(name));
	job_run_log(job, "Start exporting db of \"%s\" ...", job->name);
	interrupt_removes(job->exports.dirfd, MP_DB_EXPORT_PART);
	status = job_run_compat(s, job, &err) || mp_db_size(db, &bytes, &err) ? -1 : 0;
	budget_database_begin(status ? 0 : bytes);
	if (progress_begin(&progress, options_has(s->options, OPTION_QUIET), "exporting", job->name))
		told = (struct mp_db_export_options){progress_update, &progress};
	status = status || mp_db_export(db, job, name, &told, &err) ? -1 : 0;
	progress_end(&progress);
	budget_database_end();
	interrupt_removes(-1, MP_DB_EXPORT_PART);
	if (status) {
		status = message_failure(&err);
	} else {
		message_info(s->options, "wrote '%s/%s'", job->exports.path, name);
		status = job_run_verdict(s, job, db);
	}
	mp_db_close(db);
	return job_output_clear(s, job, status);
}

static int run_export_db(const struct command *command, const struct options *options)
{
	(void)command;
	return job_run_each(options, export_database);
}

const struct command command_export_db = {
    .name = "export db",
    .summary = "write a database for other tools to PROF_...",
    .usages = {"[-dir] PROF [OPTION]..."},
    .needs = NEEDS_JOB,
    .options = {OPTIONS_PROF, TAKES(ELSEWHERE), TAKES(CLEAR), TAKES(COMPAT_DB)},
    .run = run_export_db,
};

/* cmd_export_db.c: msprof export db. Writes one database beside the parts of a PROF directory. */
#include <stdio.h>
#include <time.h>

#include "import/db_export.h"
#include "job_output.h"
#include "process.h"
#include "terminal.h"

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
	if (job_output_refuse_readonly(job))
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
	status = mp_db_size(db, &bytes, &err);
	budget_database_begin(status ? 0 : bytes);
	if (progress_begin(&progress, options_has(s->options, OPTION_QUIET), "exporting", job->name))
		told = (struct mp_db_export_options){progress_update, &progress};
	status = status || mp_db_export(db, job, name, &told, &err) ? -1 : 0;
	progress_end(&progress);
	budget_database_end();
	interrupt_removes(-1, MP_DB_EXPORT_PART);
	if (status) {
		message_failure(&err);
		status = EXIT_FAILED;
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
    .text = "Writes PROF_.../msprof_TIME.db with the tables that tools for this generation of\n"
	    "Ascend data read. Data that is not parsed yet is imported first.\n",
    .needs = NEEDS_JOB,
    .options = {OPTIONS_JOB, TAKES(ELSEWHERE), TAKES(CLEAR)},
    .run = run_export_db,
};

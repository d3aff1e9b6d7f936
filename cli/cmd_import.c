/* cmd_import.c: msprof import. Parses raw files into a new JOB/sqlite/msprof.db. */
#include <errno.h>
#include <string.h>

#include "base/dir.h"
#include "import/job_db.h"
#include "job_run.h"
#include "process.h"

/* An import without raw files would replace a database that holds data, or may hold data, by an empty one. */
static int refuse_to_empty(const struct mp_job *job)
{
	struct mp_error err;
	struct mp_db *db = NULL;
	char path[4096];
	int64_t gone = 0;
	int status;

	for (size_t i = 0; i < job->file_count; i++)
		if (job->files[i].state == MP_FILE_RAW)
			return 0;
	if (!mp_job_db_exists(job))
		return 0;
	status = mp_job_db_path(job, path, sizeof(path), &err) || mp_job_db_open(&db, job, MP_PLAIN_ALL, &err) ||
			 mp_job_db_gone(db, job, &gone, &err)
		     ? -1
		     : 0;
	gone += !status && mp_job_db_is_other(db); /* its list of raw files may be unknown */
	mp_db_close(db);
	if (status)
		message_error("'%s/data' holds no raw file, and the parsed data is kept: %s", job->path, err.text);
	else if (gone)
		message_error("'%s/data' holds no raw file any more: '%s' is kept", job->path, path);
	return status || gone ? -1 : 0;
}

static int tell_import(struct job_run *s, const struct mp_job *job, struct mp_db *db, struct mp_error *err)
{
	struct facts facts;
	char path[4096];
	int64_t records;

	if (mp_job_db_path(job, path, sizeof(path), err) || job_run_facts(s, db, &facts, err) ||
	    job_run_notice(s, db, &facts, err) ||
	    mp_db_number(db, "SELECT total_int(records) FROM source", 0, &records, err))
		return -1;
	message_info(s->options, "imported %lld records into '%s'", (long long)records, path);
	return job_run_compat(s, job, err);
}

static int import_job(struct job_run *s, const struct mp_job *job)
{
	/* warn at the first import of a job only */
	if (!mp_job_db_exists(job)) {
		umask_warn(s->options);
	}
	if (mp_dir_is_missing(job->database.dirfd, "sqlite") && !job_output_is_writable(job))
		return message_error(
		    "cannot write into '%s': %s; 'msprof show' and 'msprof check' read it all the same", job->path,
		    strerror(errno));
	return job_run_use(s, job, refuse_to_empty(job) ? NULL : job_run_import(s, job), tell_import);
}

static int run_import(const struct command *command, const struct options *options)
{
	(void)command;
	return umask_check(options) ? EXIT_FAILED : job_run_each(options, import_job);
}

const struct command command_import = {
    .name = "import",
    .summary = "parse raw data into JOB/sqlite/msprof.db",
    .usages = {"[-dir] JOB [OPTION]..."},
    .needs = NEEDS_JOB,
    .options = {OPTIONS_JOB, TAKES(COMPAT_DB)},
    .run = run_import,
};

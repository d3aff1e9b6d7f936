/* cmd_import.c: msprof import. Raw files into JOB/sqlite/msprof.db, always anew. */
#include <sys/stat.h>

#include "session.h"
#include "store/job_db.h"

static mode_t read_umask(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return mask;
}

static bool is_careful(mode_t mask)
{
	return (mask & 0027) == 0027;
}

int command_umask(const struct options *o)
{
	mode_t mask = read_umask();

	if (is_careful(mask) || !options_has(o, OPTION_STRICT))
		return 0;
	message_error("umask %04o is too open: run 'umask 0027' first", (unsigned)mask);
	return -1;
}

void command_umask_warn(const struct options *o)
{
	mode_t mask = read_umask();

	if (is_careful(mask) || options_has(o, OPTION_QUIET) || options_has(o, OPTION_DRY_RUN))
		return;
	message_warning("umask %04o lets other users read what other programs put into the job; to prevent that, run "
			"'umask 0027' first (files of msprof are always private)",
	    (unsigned)mask);
}

/* Parsing nothing would put an empty database in the place of one that holds data, or may hold some. */
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
	status = mp_job_db_path(job, path, sizeof(path), &err) || mp_job_db_open(&db, job, &err) ||
			 mp_job_db_gone(db, job, &gone, &err)
		     ? -1
		     : 0;
	gone += !status && mp_job_db_is_other(db); /* which files it was made from may not be known */
	mp_db_close(db);
	if (status)
		message_error("'%s/data' holds no raw file, and what was parsed is kept: %s", job->path, err.text);
	else if (gone)
		message_error("'%s/data' holds no raw file any more: '%s' is kept", job->path, path);
	return status || gone ? -1 : 0;
}

static int import_job(struct session *s, const struct mp_job *job)
{
	struct mp_error err;
	struct mp_db *db;
	struct facts facts;
	char path[4096];
	int64_t records;
	int status;

	/* that is said once for a job, not again each time */
	if (!s->umask_said && !mp_job_db_exists(job)) {
		s->umask_said = true;
		command_umask_warn(s->options);
	}
	if (refuse_to_empty(job) || session_import(s, job))
		return EXIT_FAILED;
	if (mp_job_db_path(job, path, sizeof(path), &err) || mp_job_db_open(&db, job, &err)) {
		message_error("%s", err.text);
		return EXIT_FAILED;
	}
	if (session_facts(s, db, &facts, &err) || session_notice(s, db, &facts, &err) ||
	    mp_db_number(db, "SELECT total_int(records) FROM source", 0, &records, &err)) {
		message_error("%s", err.text);
		status = EXIT_FAILED;
	} else {
		message_info(s->options, "imported %lld records into '%s'", (long long)records, path);
		status = session_verdict(s, job, db);
	}
	mp_db_close(db);
	return status;
}

int command_import(const struct command *command, const struct options *options)
{
	(void)command;
	return command_umask(options) ? EXIT_FAILED : session_each(options, import_job);
}

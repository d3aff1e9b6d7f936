/* cmd_import.c: msprof import. Raw files into JOB/sqlite/msprof.db, always anew. */
#include <sys/stat.h>

#include "session.h"
#include "store/job_db.h"

/* The data of a board is nobody else's business: warn where new files would be open to others. */
int command_umask(const struct options *o)
{
	mode_t mask = umask(0);

	umask(mask);
	if ((mask & 0027) == 0027)
		return 0;
	if (options_has(o, OPTION_STRICT)) {
		message_error("umask %04o is too open: set 'umask 0027'", (unsigned)mask);
		return -1;
	}
	message_warning("umask %04o opens what other programs write into the job to other users (what msprof writes is "
			"closed to them); set 'umask 0027'",
	    (unsigned)mask);
	return 0;
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
	status = mp_job_db_path(job, path, sizeof(path), &err) || mp_db_open(&db, path, &err) || mp_job_db_gone(db, job, &gone, &err) ? -1 : 0;
	if (!status && mp_job_db_is_foreign(db))
		status = mp_fail(&err, "'%s' has other tables than this msprof makes", path);
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

	if (refuse_to_empty(job) || session_import(s, job))
		return EXIT_FAILED;
	if (mp_job_db_path(job, path, sizeof(path), &err) || mp_db_open(&db, path, &err)) {
		message_error("%s", err.text);
		return EXIT_FAILED;
	}
	if (session_facts(s, db, &facts, &err) || session_notice(s, db, &facts, &err) ||
	    mp_db_number(db, "SELECT sum(records) FROM source", 0, &records, &err)) {
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

/* job_output.c: sends exports and their database to the directory of --output. */
#include "job_output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "import/job_db.h"

/* Whether the job has a database that an export would use as it is. */
static bool has_database(struct job_run *s, const struct mp_job *job)
{
	const struct options *o = s->options;
	int64_t frequency = options_has(o, OPTION_FREQUENCY) ? options_number(o, OPTION_FREQUENCY) : 0;
	struct mp_error err;
	struct mp_db *db = NULL;
	bool fresh = false;
	int64_t gone = 0;

	if (mp_job_db_exists(job) && mp_job_db_open(&db, job, s->plain, &err) == 0 &&
	    mp_job_db_fresh(db, job, &s->layouts, frequency, &fresh, &err) == 0 && !fresh &&
	    mp_job_db_gone(db, job, &gone, &err))
		gone = 1;
	mp_db_close(db);
	return fresh || gone > 0;
}

/* With --output of an export nothing is written into the job: a database that it lacks is made beside the files. */
int job_output_begin(struct job_run *s, struct mp_job *job)
{
	const char *dir = s->options->values[OPTION_ELSEWHERE];
	struct mp_error err;

	if (!dir || mp_job_write_below(job, dir, !has_database(s, job), &err) == 0)
		return 0;
	message_failure(&err);
	return -1;
}

bool job_output_is_writable(const struct mp_job *job)
{
	return faccessat(job->exports.dirfd, ".", W_OK, 0) == 0;
}

int job_output_refuse_readonly(const struct mp_job *job)
{
	if (job_output_is_writable(job))
		return 0;
	message_error(
	    "cannot write into '%s': %s; exports go into the job: 'msprof export' with --output DIR writes elsewhere",
	    job->exports.path, strerror(errno));
	return -1;
}

int job_output_clear(struct job_run *s, const struct mp_job *job, int status)
{
	const struct mp_wait wait = job_run_wait(s);
	struct mp_error err;

	if (status == EXIT_FAILED || !options_has(s->options, OPTION_CLEAR) ||
	    job->database.dirfd != job->exports.dirfd || !mp_job_db_remove(job, &wait, &err))
		return status;
	message_failure(&err);
	return EXIT_FAILED;
}

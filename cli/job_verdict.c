/* job_verdict.c: what a command says of a job at its end, and its exit status: what is lost, in doubt or contradicts
 * itself. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "import/job_db.h"
#include "job_run.h"

/* Say what is lost or in doubt. Returns the exit status. */
static int tell(const struct job_run *s, const struct mp_job *job, const char *what, const char *text)
{
	job_run_log(job, "%s in \"%s\": %s", what, job->name, text);
	if (options_has(s->options, OPTION_STRICT)) {
		message_error("'%s': %s", job->path, text);
		return EXIT_FAILED;
	}
	message_warning("'%s': %s", job->path, text);
	return EXIT_DAMAGED;
}

static int tell_loss(const struct job_run *s, const struct mp_job *job, struct mp_db *db, struct mp_error *err)
{
	char loss[512], text[600];

	if (mp_job_db_loss(db, loss, sizeof(loss), err))
		return -1;
	if (!loss[0])
		return EXIT_OK;
	snprintf(text, sizeof(text), "%s%s", loss, s->tells_where ? "" : "; 'msprof check' tells where");
	return tell(s, job, "Lost", text);
}

/* A line for each kind of data that is in doubt or contradicts itself; a command whose output tells why leaves that
 * out. */
static int tell_doubts(const struct job_run *s, const struct mp_job *job, struct mp_db *db, struct mp_error *err)
{
	struct mp_query *q;
	int status = EXIT_OK, found;

	if (mp_job_db_doubts(&q, db, err))
		return -1;
	while ((found = mp_query_next(q, err)) == 1) {
		const struct mp_value v = mp_query_value(q, s->tells_where ? 0 : 1);
		char text[1024];

		snprintf(
		    text, sizeof(text), "%.*s", v.type == MP_TEXT ? (int)v.len : 0, v.type == MP_TEXT ? v.text : "");
		status = job_run_worse(status, tell(s, job, "Doubtful", text));
	}
	mp_query_close(q);
	return found < 0 ? -1 : status;
}

int job_run_verdict(struct job_run *s, const struct mp_job *job, struct mp_db *db)
{
	static char
	    told[PATH_MAX]; /* the job whose standing was told last: collect --all does several things with it */
	char standing[1024];
	struct mp_error err;
	int lost = tell_loss(s, job, db, &err), doubtful = lost < 0 ? -1 : tell_doubts(s, job, db, &err);

	if (doubtful < 0 || mp_job_db_standing(db, standing, sizeof(standing), &err)) {
		message_failure(&err);
		return EXIT_FAILED;
	}
	if (!s->tells_assumed && doubtful == EXIT_OK && standing[0] && strcmp(told, job->real_path) != 0) {
		message_info(s->options, "standing: %s", standing);
		snprintf(told, sizeof(told), "%s", job->real_path);
	}
	return job_run_worse(lost, doubtful);
}

/* job_tell.c: what a command says of a job, at its end and in the job's log: what is lost, in doubt or contradicts
 * itself, and the exit status that follows. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/text.h"
#include "import/job_db.h"
#include "job_run.h"

int job_run_notice(struct job_run *s, struct mp_db *db, const struct facts *facts, struct mp_error *err)
{
	int64_t records, calls, host_only;

	if (s->said.notice)
		return 0;
	s->said.notice = true;
	if (mp_db_number(db, "SELECT total_int(records) FROM source", 0, &records, err) ||
	    mp_db_number(db, "SELECT count(*) FROM source WHERE target = 'api_call' AND records > 0", 0, &calls, err) ||
	    mp_db_number(db, "SELECT count(*) FROM device WHERE collector = 'host'", 0, &host_only, err))
		return -1;
	if (host_only && !s->said.notes)
		message_info(s->options, "host-only job: no AA Core data");
	if (!facts->inference)
		message_info(s->options, "no inference data: %s",
		    !records ? "the data holds no record"
		    : calls  ? "models were loaded or unloaded, but not executed"
			     : "neither tasks nor calls were recorded");
	return 0;
}

void job_run_log(const struct mp_job *job, const char *fmt, ...)
{
	struct mp_error err;
	char line[2048], safe[4 * 2048], stamp[64];
	size_t len;
	time_t now = time(NULL);
	struct stat st;
	struct tm tm;
	va_list args;
	int dirfd, fd, used;

	if (!job_output_is_writable(job))
		return;
	dirfd = mp_dir_make(job->exports.dirfd, "log", "log", &err);
	fd = dirfd < 0 ? -1
		       : openat(dirfd, "collection.log",
			     O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0640);
	/* a second link may name a file of somebody else */
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink == 1 && fchmod(fd, 0640) == 0 &&
	    localtime_r(&now, &tm)) {
		strftime(stamp, sizeof(stamp), "%a %d %b %Y %H:%M:%S", &tm);
		used = snprintf(line, sizeof(line), "%s [INFO] [MSVP] [%ld] : ", stamp, (long)getpid());
		va_start(args, fmt);
		vsnprintf(line + used, sizeof(line) - (size_t)used, fmt, args);
		va_end(args);
		len = mp_sanitise(safe, sizeof(safe) - 1, line, strlen(line));
		safe[len++] = '\n';
		if (write(fd, safe, len) < 0)
			message_warning("cannot write '%s/log/collection.log': %s", job->exports.path, strerror(errno));
	}
	if (fd >= 0)
		close(fd); /* a log line is best effort */
	if (dirfd >= 0)
		close(dirfd);
}

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
	snprintf(text, sizeof(text), "%s%s", loss, s->tells.where ? "" : "; 'msprof check' tells where");
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
		const struct mp_value v = mp_query_value(q, s->tells.where ? 0 : 1);
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
	if (!s->tells.assumed && doubtful == EXIT_OK && standing[0] && strcmp(told, job->real_path) != 0) {
		message_info(s->options, "standing: %s", standing);
		snprintf(told, sizeof(told), "%s", job->real_path);
	}
	return job_run_worse(lost, doubtful);
}

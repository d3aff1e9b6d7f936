/* job_run.c: finds and opens jobs for all commands that need one, waits for others that work on them, and decides where
 * their files go. Tells what is lost, in doubt or contradicts itself, and the exit status that follows. */
#include "job_run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/schema.h"
#include "base/text.h"
#include "commands.h"
#include "import/job_db.h"
#include "process.h"
#include "recorder/session.h"

enum { POLLS_PER_S = 20, PATIENCE_S = 60 }; /* with another msprof that makes no progress */

static const struct mechanism {
	const char *name;
	unsigned plain;
} mechanisms[] = {{"0", 0}, {"1", MP_PLAIN_ALL}, {"expressions", MP_PLAIN_EXPRESSIONS}, {"leaves", MP_PLAIN_LEAVES},
    {"pages", MP_PLAIN_PAGES}, {"threads", MP_PLAIN_THREADS}};

static const struct mechanism *find(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(mechanisms) / sizeof(mechanisms[0]); i++)
		if (strlen(mechanisms[i].name) == len && memcmp(mechanisms[i].name, name, len) == 0)
			return &mechanisms[i];
	return NULL;
}

int layouts_load(struct mp_layouts *layouts, const char *dir, struct mp_error *err)
{
	for (const struct mp_schema_file *f = mp_schema_files; f->path; f++)
		if (strncmp(f->path, "records/", 8) == 0 && mp_layouts_parse(layouts, f->path + 8, f->text, err))
			return -1;
	if (dir && mp_layouts_read(layouts, dir, err))
		return -1;
	return mp_layouts_finish(layouts, err);
}

/* Write the path of a job as a word for a shell, without "./" and sanitised for the terminal. */
static void write_word(char word[DIR_WORD_MAX], const char *path)
{
	const char *name = strncmp(path, "./", 2) == 0 ? path + 2 : path, *quoted;
	char safe[1024];

	mp_sanitise(safe, sizeof(safe), name, strlen(name));
	quoted = dir_word(word, safe);
	if (quoted != word)
		snprintf(word, DIR_WORD_MAX, "%s", quoted);
}

size_t here_jobs(char word[DIR_WORD_MAX])
{
	struct mp_layouts layouts = {0};
	struct mp_job *job = NULL;
	struct mp_found found = {.count = 0};
	struct mp_error err;
	size_t count;

	if (layouts_load(&layouts, NULL, &err) || mp_job_find(&found, ".", &layouts, false, &err))
		mp_found_free(&found);
	count = found.count;
	/* without a job, the directory itself is found */
	if (count == 1 && mp_job_open(&job, found.paths[0], &layouts, NULL, &err))
		count = 0;
	mp_job_close(job);
	write_word(word, found.count == 1 ? found.paths[0] : ".");
	mp_found_free(&found);
	mp_layouts_free(&layouts);
	return count;
}

int plain_mode_read(unsigned *plain, struct mp_error *err)
{
	const char *text = getenv("MSPROF_PLAIN");

	*plain = text && *text ? 0 : MP_PLAIN_SMALL;
	while (text && *text) {
		size_t len = strcspn(text, ",");
		const struct mechanism *m = find(text, len);

		if (!m)
			return mp_fail(err,
			    "MSPROF_PLAIN: invalid value '%.*s' (0, 1, or a list of expressions, leaves, pages, threads)",
			    (int)len, text);
		*plain |= m->plain;
		text += len;
		text += *text == ',';
	}
	return 0;
}

int64_t job_run_frequency(const struct job_run *s)
{
	return options_has(s->options, OPTION_FREQUENCY) ? options_number(s->options, OPTION_FREQUENCY) : 0;
}

/* Pause between two polls of a lock. */
static void wait_for_other(void *user)
{
	const struct timespec poll = {.tv_nsec = 1000000000 / POLLS_PER_S};
	struct job_run *s = user;

	if (!s->said.waiting)
		message_info(s->options, "waiting for another msprof at work on this job (--no-wait fails instead)");
	s->said.waiting = true;
	nanosleep(&poll, NULL);
}

struct mp_wait job_run_wait(struct job_run *s)
{
	return (struct mp_wait){.polls = options_has(s->options, OPTION_NO_WAIT) ? 0 : PATIENCE_S * POLLS_PER_S,
	    .pause = wait_for_other,
	    .user = s};
}

int job_run_lock(struct job_run *s, int dirfd, const char *part, const char *label)
{
	const struct mp_wait wait = job_run_wait(s);
	struct mp_error err;

	if (mp_dir_lock(dirfd, part, "exporting", label, &wait, &err) >= 0)
		return 0;
	return message_failure(&err);
}

/* Whether the job has a database that an export would use as it is. */
static bool has_database(struct job_run *s, const struct mp_job *job)
{
	struct mp_error err;
	struct mp_db *db = NULL;
	bool fresh = false;
	int64_t gone = 0;

	if (mp_job_db_exists(job) && mp_job_db_open(&db, job, s->plain, &err) == 0 &&
	    mp_job_db_fresh(db, job, &s->layouts, job_run_frequency(s), &fresh, &err) == 0 && !fresh &&
	    mp_job_db_gone(db, job, &gone, &err))
		gone = 1;
	mp_db_close(db);
	return fresh || gone > 0;
}

/* With --output of an export nothing is written into the job: a database that it lacks is made beside the files. */
static int job_output_begin(struct job_run *s, struct mp_job *job)
{
	const char *dir = s->options->values[OPTION_ELSEWHERE];
	struct mp_error err;

	if (!dir || mp_job_write_below(job, dir, !has_database(s, job), &err) == 0)
		return 0;
	return message_failure(&err);
}

static bool is_writable(int dirfd)
{
	return faccessat(dirfd, ".", W_OK, 0) == 0;
}

bool job_output_is_writable(const struct mp_job *job)
{
	return is_writable(job->exports.dirfd);
}

int job_output_refuse_readonly(int dirfd, const char *path)
{
	if (is_writable(dirfd))
		return 0;
	message_error(
	    "cannot write into '%s': %s; exports go into the job: 'msprof export' with --output DIR writes elsewhere",
	    path, strerror(errno));
	return -1;
}

int job_output_clear(struct job_run *s, const struct mp_job *job, int status)
{
	const struct mp_wait wait = job_run_wait(s);
	struct mp_error err;

	if (status == EXIT_FAILED || !options_has(s->options, OPTION_CLEAR) ||
	    job->database.dirfd != job->exports.dirfd || !mp_job_db_remove(job, &wait, &err))
		return status;
	return message_failure(&err);
}

/* What the user says of each job. */
static struct mp_job_options job_options(const struct job_run *s, enum mp_family *family)
{
	const char *word = s->options->values[OPTION_FAMILY];

	return (struct mp_job_options){.frequency_mhz = job_run_frequency(s),
	    .top = s->wants.top      ? s->wants.top
		   : s->options->top ? s->options->top
				     : s->options->values[OPTION_DIR],
	    .family = word && mp_family_named(word, strlen(word), family) ? family : NULL,
	    .model = s->options->values[OPTION_MODEL_FILE]};
}

int job_run_worse(int a, int b)
{
	if (a == EXIT_FAILED || b == EXIT_FAILED)
		return EXIT_FAILED;
	return a > b ? a : b;
}

static void tell_refused(struct job_run *s, const char *path)
{
	char *real = s->refused ? realpath(path, NULL) : NULL;
	const char *slash = strrchr(real ? real : path, '/');

	if (s->refused)
		s->refused(s, slash ? slash + 1 : path);
	free(real);
}

/* For a directory that the user did not name, without the name of a job, the error says why it counts as a job. */
static void refuse_job(struct job_run *s, const char *path, const struct mp_error *why)
{
	const char *dir = s->options->values[OPTION_DIR], *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	if (strcmp(path, dir) == 0 || strncmp(name, "JOB", 3) == 0 || strncmp(name, "PROF_", 5) == 0)
		message_failure(why);
	else
		message_error(
		    "%s; it counts as a job because it lies in '%s' and has a directory 'data'", why->text, dir);
	tell_refused(s, path);
}

/* A program that crashed left its last events beside the data. */
static void recover_events(const char *top, const char *path)
{
	struct mp_error err;
	uint64_t events;

	if (mp_recover(top, path, &events, &err))
		message_warning("%s: the last events of the program that crashed are not read: %s", path, err.text);
}

static int each_job(struct job_run *s, int (*work)(struct job_run *s, const struct mp_job *job), struct mp_error *err)
{
	const char *dir = s->options->values[OPTION_DIR];
	enum mp_family family;
	const struct mp_job_options options = job_options(s, &family);
	struct mp_found found;
	int status = mp_job_find(&found, dir, &s->layouts, s->wants.deep, err) ? -1 : EXIT_OK;

	s->found.nested = found.nested;
	s->found.several = found.count > 1;
	s->found.paths = found.paths;
	s->found.count = found.count;
	for (size_t i = 0; i < found.count; i++) {
		bool skip = status < 0 || s->stop || (s->wants.takes && !s->wants.takes(s, i));
		struct mp_job *job;

		s->said.notice = s->said.notes = s->said.compat = false;
		if (!skip)
			recover_events(options.top, found.paths[i]);
		if (!skip && mp_job_open(&job, found.paths[i], &s->layouts, &options, err)) {
			refuse_job(s, found.paths[i], err);
			status = EXIT_FAILED;
		} else if (!skip) {
			status = job_run_worse(status, job_output_begin(s, job) ? EXIT_FAILED : work(s, job));
			mp_job_close(job);
		}
	}
	mp_found_free(&found);
	s->found.paths = NULL;
	return status;
}

int job_run_all(struct job_run *s, int (*work)(struct job_run *s, const struct mp_job *job))
{
	struct mp_error err;
	int status = budget_begin(BUDGET_MEMORY_MIB, BUDGET_BY_INPUT, &err) || plain_mode_read(&s->plain, &err) ||
			     confine(s->options, &err) ||
			     layouts_load(&s->layouts, s->options->values[OPTION_LAYOUTS], &err)
			 ? -1
			 : each_job(s, work, &err);

	if (status < 0) {
		message_failure(&err);
		if (s->refused)
			s->refused(s, NULL);
		status = EXIT_FAILED;
	}
	budget_end();
	mp_layouts_free(&s->layouts);
	return status;
}

int job_run_each(const struct options *options, int (*work)(struct job_run *s, const struct mp_job *job))
{
	return job_run_all(&(struct job_run){.options = options}, work);
}

/*
 * What a command says of a job, at its end and in the job's log: what is lost, in doubt or contradicts
 * itself, and the exit status that follows.
 */

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
	if (options_has(s->options, OPTION_STRICT))
		return message_error("'%s': %s", job->path, text);
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

/* A PROF directory of the host alone: what was launched has run somewhere, and is not here. */
static int tell_no_device(const struct job_run *s, const struct mp_job *job, struct mp_db *db, struct mp_error *err)
{
	int64_t devices, launched;

	if (job->family != MP_FAMILY_PROF)
		return 0;
	if (mp_db_number(db,
		"SELECT EXISTS (SELECT 1 FROM device) OR NOT EXISTS (SELECT 1 FROM source WHERE file GLOB 'host/*')", 0,
		&devices, err))
		return -1;
	if (devices)
		return 0;
	if (mp_db_number(db, "SELECT count(*) FROM task", 0, &launched, err))
		return -1;
	if (launched)
		message_warning("'%s': no device data was found, and %lld task%s launched", job->path,
		    (long long)launched, launched == 1 ? " was" : "s were");
	else
		message_info(s->options, "no device data was found in '%s'", job->path);
	return 0;
}

int job_run_verdict(struct job_run *s, const struct mp_job *job, struct mp_db *db)
{
	static char
	    told[PATH_MAX]; /* the job whose standing was told last: collect --all does several things with it */
	char standing[1024];
	struct mp_error err;
	int lost = tell_loss(s, job, db, &err), doubtful = lost < 0 ? -1 : tell_doubts(s, job, db, &err);

	if (doubtful < 0 || (strcmp(told, job->real_path) != 0 && tell_no_device(s, job, db, &err)) ||
	    mp_job_db_standing(db, standing, sizeof(standing), &err))
		return message_failure(&err);
	if (!s->tells.assumed && doubtful == EXIT_OK && standing[0] && strcmp(told, job->real_path) != 0)
		message_info(s->options, "standing: %s", standing);
	snprintf(told, sizeof(told), "%s", job->real_path);
	return job_run_worse(lost, doubtful);
}

int job_run_use(struct job_run *s, const struct mp_job *job, struct mp_db *db,
    int (*work)(struct job_run *s, const struct mp_job *job, struct mp_db *db, struct mp_error *err))
{
	struct mp_error err;
	int status;

	if (db && !work(s, job, db, &err)) {
		status = job_run_verdict(s, job, db);
	} else {
		status = !db                ? EXIT_FAILED
			 : s->tells.of_path ? message_failure_of(job->path, &err)
					    : message_failure(&err);
		if (s->refused)
			s->refused(s, job->name);
	}
	mp_db_close(db);
	return status;
}

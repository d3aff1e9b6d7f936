/* job_run.c: opens jobs, imports and opens their databases, and reports damage, for all commands that need a job. */
#include "job_run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/text.h"
#include "budget.h"
#include "dir_word.h"
#include "plain_mode.h"
#include "confine.h"
#include "recorder/recover.h"
#include "interrupt.h"
#include "job_output.h"
#include "layouts.h"
#include "progress.h"
#include "import/import.h"
#include "import/job_db.h"

enum { POLLS_PER_S = 20, PATIENCE_S = 60 }; /* with another msprof that makes no progress */

/* In MHz; 0: not given. */
static int64_t frequency_of(const struct job_run *s)
{
	return options_has(s->options, OPTION_FREQUENCY) ? options_number(s->options, OPTION_FREQUENCY) : 0;
}

/* What the user says of each job. */
static struct mp_job_options job_options(const struct job_run *s, enum mp_family *family)
{
	const char *word = s->options->values[OPTION_FAMILY];

	return (struct mp_job_options){.frequency_mhz = frequency_of(s),
	    .top = s->top ? s->top : s->options->values[OPTION_DIR],
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
static void recover_events(const char *path)
{
	struct mp_error err;
	uint64_t events;

	if (mp_recover(path, &events, &err))
		message_warning("%s: the last events of the program that crashed are not read: %s", path, err.text);
}

static int each_job(struct job_run *s, int (*work)(struct job_run *s, const struct mp_job *job), struct mp_error *err)
{
	const char *dir = s->options->values[OPTION_DIR];
	enum mp_family family;
	const struct mp_job_options options = job_options(s, &family);
	struct mp_found found;
	int status = mp_job_find(&found, dir, &s->layouts, s->deep, err) ? -1 : EXIT_OK;

	s->nested = found.nested;
	s->several = found.count > 1;
	s->paths = found.paths;
	s->count = found.count;
	for (size_t i = 0; i < found.count; i++) {
		bool skip = status < 0 || s->stop || (s->wants && !s->wants(s, i));
		struct mp_job *job;

		s->noticed = s->noted = false;
		if (!skip)
			recover_events(found.paths[i]);
		if (!skip && mp_job_open(&job, found.paths[i], &s->layouts, &options, err)) {
			refuse_job(s, found.paths[i], err);
			status = EXIT_FAILED;
		} else if (!skip) {
			status = job_run_worse(status, job_output_begin(s, job) ? EXIT_FAILED : work(s, job));
			mp_job_close(job);
		}
	}
	mp_found_free(&found);
	s->paths = NULL;
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

/* Print assumptions and missing data, once, after an import. */
static int print_notes(struct job_run *s, const struct mp_job *job, struct mp_db *db, struct mp_error *err)
{
	static const char sql[] = "SELECT kind, coalesce(file || ': ', '') || text"
				  " FROM note, temp.choice WHERE kind NOT IN ('odd', 'export', 'counters') LIMIT 20";
	const struct options *o = s->options;
	struct mp_query *q;
	int status;

	if (job_run_choose(s, job, db, err) || mp_query_open(&q, db, sql, sizeof(sql) - 1, err))
		return -1;
	while ((status = mp_query_next(q, err)) == 1) {
		struct mp_value kind = mp_text_of(mp_query_value(q, 0)), text = mp_text_of(mp_query_value(q, 1));

		if (s->tells_assumed && strncmp(kind.text, "assumed", kind.len) == 0)
			continue;
		if (strncmp(kind.text, "assumed", kind.len) == 0)
			message_info(o, "assumed: %.*s", (int)text.len, text.text);
		else
			message_warning("%.*s", (int)text.len, text.text);
	}
	mp_query_close(q);
	s->noted = true;
	return status;
}

/* Pause between two polls of a lock. */
static void wait_for_other(void *user)
{
	const struct timespec poll = {.tv_nsec = 1000000000 / POLLS_PER_S};
	struct job_run *s = user;

	if (!s->told)
		message_info(s->options, "waiting for another msprof at work on this job (--no-wait fails instead)");
	s->told = true;
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
	message_failure(&err);
	return -1;
}

static struct mp_import_options import_options(struct job_run *s, const struct mp_job *job, struct progress *p)
{
	struct mp_import_options o = {.frequency_mhz = frequency_of(s),
	    .plain = s->plain,
	    .tool_version = MSPROF_VERSION,
	    .wait = job_run_wait(s),
	    .part = interrupt_removes};

	if (progress_begin(p, options_has(s->options, OPTION_QUIET), "importing", job->name)) {
		o.progress = progress_update;
		o.progress_user = p;
	}
	return o;
}

/* Import the job, and open its database; 1 with `only_first` where another msprof has imported it meanwhile. */
static int import_job(struct job_run *s, const struct mp_job *job, bool only_first, struct mp_db **db)
{
	struct progress progress;
	struct mp_import_options o = import_options(s, job, &progress);
	struct mp_error err;
	int64_t raw_bytes = 0;
	int status;

	*db = NULL;
	o.opened = db;
	o.only_first = only_first;
	job_run_log(job, "Start analyzing data in \"%s\" ...", job->name);
	for (size_t i = 0; i < job->file_count; i++)
		raw_bytes += job->files[i].size;
	budget_database_begin(raw_bytes);
	status = mp_import(job, &s->layouts, &o, &err);
	budget_database_end();
	progress_end(&progress);
	if (status == 1 && only_first)
		return 1;
	if (!status)
		status = print_notes(s, job, *db, &err);
	if (status) {
		message_failure(&err);
		mp_db_close(*db);
		*db = NULL;
	}
	job_run_log(job, status ? "Analyzing data failed: %s" : "Analyzing data done%s", status ? err.text : "");
	return status;
}

struct mp_db *job_run_import(struct job_run *s, const struct mp_job *job)
{
	struct mp_db *db;

	import_job(s, job, false, &db);
	return db;
}

static struct mp_db *private_database(struct job_run *s, const struct mp_job *job)
{
	struct progress progress;
	struct mp_import_options o = import_options(s, job, &progress);
	struct mp_error err;
	struct mp_db *db;
	int status = mp_import_private(&db, job, &s->layouts, &o, &err);

	progress_end(&progress);
	if (status) {
		message_failure(&err);
		return NULL;
	}
	return db;
}

/* A database with data whose raw files are gone is replaced only by an explicit import. */
static bool keeps_more(struct mp_db *db, const struct mp_job *job)
{
	struct mp_error err;
	int64_t gone;

	if (mp_job_db_gone(db, job, &gone, &err)) {
		message_warning("%s", err.text);
		return true;
	}
	if (gone)
		message_warning(
		    "'%s': the raw files have changed, but %lld parsed files are gone: the parsed data is kept; "
		    "'msprof import' parses the remaining files",
		    job->path, (long long)gone);
	return gone > 0;
}

static bool can_import(const struct mp_job *job)
{
	bool raw = false;

	for (size_t i = 0; i < job->file_count; i++)
		raw = raw || job->files[i].state == MP_FILE_RAW;
	return raw && !mp_dir_is_link(job->database.dirfd, "sqlite");
}

/* Open the existing database: 1 if it is usable, 0 if an import is needed, -1 with the error printed. */
static int use_existing(struct job_run *s, const struct mp_job *job, bool may_write, struct mp_db **db)
{
	struct mp_error err;
	bool fresh = false;

	*db = NULL;
	if (!mp_job_db_exists(job))
		return 0;
	if (mp_job_db_open(db, job, s->plain, &err) ||
	    mp_job_db_fresh(*db, job, &s->layouts, frequency_of(s), &fresh, &err)) {
		mp_db_close(*db);
		*db = NULL;
		if (!mp_job_db_exists(job))
			return 0; /* another msprof has removed it */
		if (!may_write && !job->missing) {
			message_warning("%s; the raw data is parsed for this run", err.text);
			return 0;
		}
		message_error(
		    can_import(job) ? "%s ('msprof import -dir %s' makes a new database)" : "%s", err.text, job->path);
		return -1;
	}
	if (fresh || keeps_more(*db, job)) {
		if (mp_job_db_is_other(*db))
			message_info(s->options,
			    "'%s/sqlite/msprof.db' was made by another version of msprof: tables that it lacks are empty",
			    job->path);
		return 1;
	}
	mp_db_close(*db);
	*db = NULL;
	return 0;
}

struct mp_db *job_run_database(struct job_run *s, const struct mp_job *job, bool may_write)
{
	struct mp_db *db;
	int status;

	do { /* another msprof may have imported meanwhile */
		if (use_existing(s, job, may_write, &db))
			return db;
		if (!may_write)
			return private_database(s, job);
		if (!job_output_is_writable(job)) {
			message_warning("'%s' is read-only: its data is parsed for this run only", job->path);
			return private_database(s, job);
		}
		status = import_job(s, job, true, &db);
	} while (status > 0);
	return db;
}

int job_run_facts(struct job_run *s, struct mp_db *db, struct facts *facts, struct mp_error *err)
{
	const char *style = s->options->values[OPTION_STYLE];
	char value[16];

	if (mp_job_db_meta(db, "family", facts->family, sizeof(facts->family), err) ||
	    mp_job_db_meta(db, "inference", value, sizeof(value), err))
		return -1;
	if (!style) /* Ascend data has the names and titles of its generation */
		style = strcmp(facts->family, mp_family_name(MP_FAMILY_SVP)) == 0 ? "guide" : "vendor";
	facts->style = strcmp(style, "vendor") == 0 ? MP_STYLE_VENDOR : MP_STYLE_DEFAULT;
	facts->inference = strcmp(value, "0") != 0;
	return 0;
}

int job_run_choose(struct job_run *s, const struct mp_job *job, struct mp_db *db, struct mp_error *err)
{
	const struct options *o = s->options;
	char dir[DIR_WORD_MAX];
	const bool chosen = options_has(o, OPTION_MODEL_ID) || options_has(o, OPTION_ITERATION_ID) ||
			    options_has(o, OPTION_ITERATION_COUNT) || options_has(o, OPTION_PICTURE);
	const char *style = o->values[OPTION_STYLE], *format = o->values[OPTION_FORMAT];
	const struct mp_choice choice = {.job = job->name,
	    .label = job->label[0] ? job->label : NULL,
	    .dir = dir_word(dir, job->path),
	    .model_id = options_number(o, OPTION_MODEL_ID),
	    .iteration_id = options_number(o, OPTION_ITERATION_ID),
	    .iteration_count = options_number(o, OPTION_ITERATION_COUNT),
	    .chosen = chosen,
	    .step = options_has(o, OPTION_PICTURE)        ? options_number(o, OPTION_PICTURE)
		    : options_has(o, OPTION_ITERATION_ID) ? options_number(o, OPTION_ITERATION_ID)
							  : -1,
	    .each_step = chosen || options_has(o, OPTION_EACH) || options_has(o, OPTION_FILES) ||
			 options_has(o, OPTION_TABLE) || (format && strcmp(format, "table") != 0) ||
			 (style && strcmp(style, "vendor") == 0),
	    .grouping = options_has(o, OPTION_BY) ? o->values[OPTION_BY] : option_row(OPTION_BY)->standard};

	return mp_db_choose(db, &choice, err);
}

int job_run_notice(struct job_run *s, struct mp_db *db, const struct facts *facts, struct mp_error *err)
{
	int64_t records, calls, host_only;

	if (s->noticed)
		return 0;
	s->noticed = true;
	if (mp_db_number(db, "SELECT total_int(records) FROM source", 0, &records, err) ||
	    mp_db_number(db, "SELECT count(*) FROM source WHERE target = 'api_call' AND records > 0", 0, &calls, err) ||
	    mp_db_number(db, "SELECT count(*) FROM device WHERE collector = 'host'", 0, &host_only, err))
		return -1;
	if (host_only && !s->noted)
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

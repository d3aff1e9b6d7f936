/* job_run.c: finds and opens jobs for all commands that need one, waits for others that work on them, and decides where
 * their files go. */
#include "job_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/dir.h"
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

int plain_mode_read(unsigned *plain, struct mp_error *err)
{
	const char *text = getenv("MSPROF_PLAIN");

	*plain = 0;
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
	message_failure(&err);
	return -1;
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

/* What the user says of each job. */
static struct mp_job_options job_options(const struct job_run *s, enum mp_family *family)
{
	const char *word = s->options->values[OPTION_FAMILY];

	return (struct mp_job_options){.frequency_mhz = job_run_frequency(s),
	    .top = s->wants.top ? s->wants.top : s->options->values[OPTION_DIR],
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
	int status = mp_job_find(&found, dir, &s->layouts, s->wants.deep, err) ? -1 : EXIT_OK;

	s->found.nested = found.nested;
	s->found.several = found.count > 1;
	s->found.paths = found.paths;
	s->found.count = found.count;
	for (size_t i = 0; i < found.count; i++) {
		bool skip = status < 0 || s->stop || (s->wants.takes && !s->wants.takes(s, i));
		struct mp_job *job;

		s->said.notice = s->said.notes = false;
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

/* diff_sides.c: reads the sides of a comparison. Knows no result. */
#include "diff_sides.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/door.h"
#include "compare/baseline.h"
#include "compare/side.h"
#include "import/job_db.h"
#include "job_run.h"
#include "plain_mode.h"

/* Host and devices of a PROF directory are jobs of their own, but of one run: they share all but the last name. */
static bool is_same_run(const char *path, const char *before)
{
	const char *slash = strrchr(path, '/'), *old = strrchr(before, '/');

	if (!slash || !old || slash - path != old - before || strncmp(path, before, (size_t)(slash - path)) != 0)
		return false;
	return strncmp(slash + 1, "device_", 7) == 0 &&
	       (strcmp(old + 1, "host") == 0 || strncmp(old + 1, "device_", 7) == 0);
}

static int begin(struct mp_side *side, const struct job_run *s, struct mp_error *err)
{
	size_t runs = 1;

	for (size_t i = 1; i < s->count; i++)
		runs += !is_same_run(s->paths[i], s->paths[i - 1]);
	return mp_side_begin(side, runs, err);
}

/* The run of a job: those before it that are of runs of their own. */
static int run_of(const struct job_run *s, const char *path)
{
	int run = 0;

	for (size_t i = 1; i < s->count && strcmp(s->paths[i - 1], path) != 0; i++)
		run += !is_same_run(s->paths[i], s->paths[i - 1]);
	return run;
}

static int add_job(struct job_run *s, const struct mp_job *job)
{
	struct mp_side *side = s->user;
	struct facts facts;
	struct mp_error err;
	struct mp_db *db;
	int status;

	if (!side->runs && begin(side, s, &err)) {
		message_failure_of(s->options->values[OPTION_DIR], &err);
		s->stop = true;
		return EXIT_FAILED;
	}
	db = job_run_database(s, job, true);
	if (!db)
		return EXIT_FAILED;
	side->run = run_of(s, job->path);
	status = job_run_facts(s, db, &facts, &err) || mp_side_read(side, db, facts.family, &err) ? -1 : 0;
	if (status)
		message_failure_of(job->path, &err);
	status = status ? EXIT_FAILED : job_run_verdict(s, job, db);
	mp_db_close(db);
	return status;
}

static int read_jobs(struct mp_side *side, const struct options *options, const char *path)
{
	struct options of_side = *options;
	struct job_run s = {.options = &of_side, .user = side};

	of_side.values[OPTION_DIR] = path;
	return job_run_all(&s, add_job);
}

static int read_database(struct mp_side *side, const char *path, struct mp_error *err)
{
	char family[16];
	struct mp_db *db;
	unsigned plain;
	int status;

	if (plain_mode_read(&plain, err) || mp_side_begin(side, 1, err) || mp_job_db_open_path(&db, path, plain, err))
		return -1;
	status = mp_job_db_meta(db, "family", family, sizeof(family), err) || mp_side_read(side, db, family, err);
	mp_db_close(db);
	return status ? -1 : 0;
}

/* Whether the file begins like one of SQLite. */
static bool is_database(const char *path)
{
	static const char magic[] = "SQLite format 3";
	char begins[sizeof(magic)];
	int fd = mp_named_file(path, NULL);
	ssize_t got;

	if (fd < 0)
		return false; /* the error is that of a baseline */
	got = mp_file_read(fd, begins, sizeof(begins), 0);
	close(fd); /* only read */
	return got == (ssize_t)sizeof(begins) && memcmp(begins, magic, sizeof(magic)) == 0;
}

int diff_side_read(struct mp_side *side, const struct options *options, const char *path)
{
	struct mp_error err;
	struct stat st;

	*side = (struct mp_side){.runs = 0};
	if (stat(path, &st) != 0 || S_ISDIR(st.st_mode))
		return read_jobs(side, options, path);
	if (is_database(path) ? read_database(side, path, &err) : mp_baseline_read(side, path, &err)) {
		message_failure(&err);
		return EXIT_FAILED;
	}
	return EXIT_OK;
}

/* cmd_aggregate.c: msprof aggregate. A rank as a few KB, for msprof cluster. Takes the aggregates that are kept, or
 * makes and keeps them. */
#include "job_run.h"

#include <string.h>
#include <unistd.h>

#include "cluster/cluster.h"
#include "import/job_db.h"
#include "insight/advise.h"
#include "process.h"

int job_aggregates(struct mp_db *db, const struct mp_job *job, const char *family, struct mp_error *err)
{
	const struct mp_kept kept = {MP_AGGREGATE_TABLES, MSPROF_VERSION, interrupt_removes};

	if (mp_aggregate_open(db, err))
		return -1;
	if (mp_kept_load(db, job, &kept))
		return 0;
	if (mp_aggregate_fill(db, family, err))
		return -1;
	if (job_output_is_writable(job))
		mp_kept_store(db, job, &kept);
	return 0;
}

/* An aggregate is of one directory: print how many there are. */
static int refuse_several(struct job_run *s)
{
	message_error(
	    "an aggregate is of one PROF directory, and '%s' has %zu jobs; 'msprof cluster' takes them together",
	    s->options->values[OPTION_DIR], s->found.count);
	s->stop = true;
	return EXIT_FAILED;
}

/* Write to the descriptor that the caller of aggregate_to gave. */
static int write_to(int fd, struct mp_db *db, const char *name, int64_t limit, struct mp_error *err)
{
	struct mp_out *out;
	int status;

	if (mp_out_fd(&out, fd, "a temporary file", err))
		return -1;
	mp_out_limit(out, limit);
	status = mp_aggregate_write(db, name, out, err);
	if (status)
		mp_out_abort(out);
	else
		status = mp_out_commit(out, err);
	if (status && ftruncate(fd, 0))
		return -1; /* the text that was cut is refused when it is read */
	return status;
}

static int write_file(const char *path, struct mp_db *db, const char *name, int64_t limit, struct mp_error *err)
{
	struct whole_file file;

	if (whole_file_open(&file, path, MP_AGGREGATE_BEGIN, err))
		return -1;
	mp_out_limit(file.out, limit);
	return whole_file_close(&file, mp_aggregate_write(db, name, file.out, err), err);
}

static int write_aggregate(struct job_run *s, const struct mp_job *job, struct mp_db *db, struct mp_error *err)
{
	const int *fd = s->user;
	struct facts facts;
	int64_t bytes;

	if (job_run_facts(s, db, &facts, err))
		return -1;
	if (strcmp(facts.family, "prof") != 0)
		return mp_fail(
		    err, "'%s' is not a PROF directory of current Ascend cards: its ranks cannot be told", job->path);
	if (job_run_choose(s, job, db, err) || mp_db_size(db, &bytes, err) ||
	    job_aggregates(db, job, facts.family, err)) /* before the directory of the file is locked */
		return -1;
	if (fd)
		return write_to(*fd, db, job->name, budget_output(bytes), err);
	if (write_file(s->options->values[OPTION_AGGREGATE], db, job->name, budget_output(bytes), err))
		return -1;
	message_info(s->options, "wrote '%s'", s->options->values[OPTION_AGGREGATE]);
	return 0;
}

static int aggregate_job(struct job_run *s, const struct mp_job *job)
{
	return s->found.several ? refuse_several(s)
				: job_run_use(s, job, job_run_database(s, job, true), write_aggregate);
}

int aggregate_to(const struct options *options, const char *top, int fd)
{
	return job_run_all(&(struct job_run){.options = options, .wants.top = top, .user = &fd}, aggregate_job);
}

static int run_aggregate(const struct command *command, const struct options *options)
{
	(void)command;
	return job_run_each(options, aggregate_job);
}

const struct command command_aggregate = {
    .name = "aggregate",
    .summary = "write what a rank of a training is summed up to",
    .usages = {"[-dir] PROF [OPTION]..."},
    .needs = NEEDS_JOB,
    .options = {OPTIONS_PROF, TAKES(AGGREGATE)},
    .run = run_aggregate,
};

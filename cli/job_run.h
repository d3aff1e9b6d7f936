/*
 * job_run.h: from the options of a command to open jobs and their databases.
 *
 * A session holds the layouts; job_run_each opens one job after the other. What a command returns
 * for each job is combined: 1 before 3 before 0.
 */
#ifndef MSPROF_JOB_RUN_H
#define MSPROF_JOB_RUN_H

#include "command.h"
#include "raw/job.h"
#include "report/report.h"
#include "store/db.h"

struct job_run {
	const struct options *options;
	struct mp_layouts layouts;
	unsigned plain; /* fast paths that stay unused: bits of enum mp_plain */
	bool several;   /* jobs below -dir: say which one is at work */
	bool umask_said;
	bool told; /* that it waits for another msprof */
	bool stop; /* set it to skip the jobs that are left */
	void *user;
	/* Tell the command of a job that cannot be opened, after its error was printed; NULL as name: of all. May be
	 * NULL. */
	void (*refused)(struct job_run *s, const char *name);
};

/* Run `work` on every job below -dir; prints errors; returns the exit status. */
int job_run_each(const struct options *options, int (*work)(struct job_run *s, const struct mp_job *job));

/* The same for a session that has its options, and what of `user` and `refused` the command wants. */
int job_run_all(struct job_run *s, int (*work)(struct job_run *s, const struct mp_job *job));

/* Import the job, with progress; prints what was assumed. 0, or -1 with the error printed. */
int job_run_import(struct job_run *s, const struct mp_job *job);

/* Lock a directory of the job for an export, which is made in its file PART: 0, or -1 with the error printed. */
int job_run_lock(struct job_run *s, int dirfd, const char *part, const char *label);

/*
 * The job's database: the one that is there if it is fresh, else made anew; where `may_write` is false or the job is
 * read-only, a private one. NULL with the error printed.
 */
struct mp_db *job_run_database(struct job_run *s, const struct mp_job *job, bool may_write);

/* A job that cannot be written to is an error, printed with what to do: -1. */
int job_run_refuse_readonly(const struct mp_job *job);

/* Say what was lost; EXIT_DAMAGED (or EXIT_FAILED with --strict) if anything was, else EXIT_OK. */
int job_run_verdict(struct job_run *s, const struct mp_job *job, struct mp_db *db);

struct facts {
	char family[16];     /* "svp", "ascend910", ... */
	enum mp_style style; /* that the user asked for, else that of the family */
	bool inference;      /* there was one: else there is nothing to report */
};

/* What the database says of the job as a whole; -1 with err. */
int job_run_facts(struct job_run *s, struct mp_db *db, struct facts *facts, struct mp_error *err);

/* Tell reports which job, model and iterations the user chose. */
int job_run_choose(struct job_run *s, const struct mp_job *job, struct mp_db *db, struct mp_error *err);

/* Say what of the usual data is missing from the start: no inference, no device. */
int job_run_notice(struct job_run *s, struct mp_db *db, const struct facts *facts, struct mp_error *err);

/* One line to JOB/log/collection.log, in the shape of the vendor's. Best effort. */
void job_run_log(const struct mp_job *job, const char *fmt, ...) MP_PRINTF(2, 3);

#endif

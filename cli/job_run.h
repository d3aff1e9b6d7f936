/*
 * job_run.h: runs a command on each job below -dir, with layouts loaded and databases imported where needed.
 *
 * Jobs are opened one after the other. The worst exit status of all jobs counts.
 */
#ifndef MSPROF_JOB_RUN_H
#define MSPROF_JOB_RUN_H

#include "base/dir.h"
#include "command.h"
#include "raw/job.h"
#include "report/report.h"
#include "store/db.h"

struct mp_side;

struct job_run {
	const struct options *options;
	void *user; /* of the command */
	struct mp_layouts layouts;
	unsigned plain; /* fast paths that stay unused: bits of enum mp_plain */
	bool stop;      /* set by the command to skip the remaining jobs */
	/* Called for a job that cannot be opened or fails in job_run_use, after its error was printed; name NULL: no
	 * job can be opened. May be NULL. */
	void (*refused)(struct job_run *s, const char *name);
	struct job_wants { /* which jobs; set by the command */
		const char
		    *top;  /* the directory that the user named, where -dir was found; NULL: the user named -dir */
		bool deep; /* jobs may lie in directories of -dir */
		bool every_iteration; /* of a model that the user chose without one; else its first */
		bool (*takes)(struct job_run *s, size_t number); /* whether this process takes a job; NULL: all */
	} wants;
	struct job_tells {    /* what the output of the command tells by itself; set by the command */
		bool assumed; /* what is assumed of counters, and what contradicts that */
		bool where;   /* where data is lost or in doubt */
		bool of_path; /* errors of job_run_use begin with the path of the job */
	} tells;
	struct job_list {     /* the jobs below -dir, while they are run */
		bool nested;  /* they lie in directories of -dir */
		bool several; /* outputs name the job */
		char **paths;
		size_t count;
	} found;
	struct job_said {     /* what was printed, and is not printed again */
		bool waiting; /* that this process waits for another msprof */
		bool notes;   /* the notes of the current job */
		bool notice;  /* the messages of job_run_notice for the current job */
		bool compat;  /* the databases of job_run_compat for the current job: they were written, too */
	} said;
};

/* The worse of two exit statuses: 1 before 3 before 0. */
int job_run_worse(int a, int b);

/* Run `work` on each job below -dir; prints errors; returns the exit status. */
int job_run_each(const struct options *options, int (*work)(struct job_run *s, const struct mp_job *job));

/* The same for a job_run whose options, `user` and `refused` the caller has set. */
int job_run_all(struct job_run *s, int (*work)(struct job_run *s, const struct mp_job *job));

/* Import the job with progress, and print the assumptions. Returns its database, or NULL with the error printed. */
struct mp_db *job_run_import(struct job_run *s, const struct mp_job *job);

/* The frequency that the user gives in MHz; 0: none. */
int64_t job_run_frequency(const struct job_run *s);

/* How to wait for another msprof that works on a job. */
struct mp_wait job_run_wait(struct job_run *s);

/* Lock a directory of the job for an export that writes its file `part`; 0, or EXIT_FAILED with the error printed. */
int job_run_lock(struct job_run *s, int dirfd, const char *part, const char *label);

/*
 * Open the job's database: the existing one if it is fresh, else a new import. Where `may_write` is false or the job is
 * read-only, the import is private and temporary. NULL with the error printed.
 */
struct mp_db *job_run_database(struct job_run *s, const struct mp_job *job, bool may_write);

/*
 * Let `work` use the database of the job, which is closed; NULL: it could not be opened. Prints the error of `work`, or
 * what is damaged or missing. Returns the exit status.
 */
int job_run_use(struct job_run *s, const struct mp_job *job, struct mp_db *db,
    int (*work)(struct job_run *s, const struct mp_job *job, struct mp_db *db, struct mp_error *err));

/* Print what is damaged or missing: EXIT_DAMAGED (with --strict EXIT_FAILED); EXIT_OK if nothing is. */
int job_run_verdict(struct job_run *s, const struct mp_job *job, struct mp_db *db);

/*
 * With --compat-db write the databases of a PROF directory that other tools open, unless they would be removed again:
 * of the database of the job, which is there. 0, or -1 with err.
 */
int job_run_compat(struct job_run *s, const struct mp_job *job, struct mp_error *err);

struct facts {
	char family[16];     /* "svp", "ascend910", ... */
	enum mp_style style; /* of --style, else that of the family */
	bool inference;      /* the job has inferences; without one there is no report */
};

/* Read the facts of the job from its database; -1 with err. */
int job_run_facts(struct job_run *s, struct mp_db *db, struct facts *facts, struct mp_error *err);

/* Pass the chosen job, model and iterations to the reports. */
int job_run_choose(struct job_run *s, const struct mp_job *job, struct mp_db *db, struct mp_error *err);

/* Refuse a chosen model that the job does not have, and name those that it has; -1 with err. */
int job_run_check_model(struct job_run *s, struct mp_db *db, const char *family, struct mp_error *err);

/* Print, once a job, that the job has no inference or no device data. */
int job_run_notice(struct job_run *s, struct mp_db *db, const struct facts *facts, struct mp_error *err);

/* Append a line to JOB/log/collection.log, in the format of the vendor's tool. Failures are only warnings. */
void job_run_log(const struct mp_job *job, const char *fmt, ...) MP_PRINTF(2, 3);

/* Where the files of exports and the database of a job go: into the job, or with --output elsewhere. */

/* Whether exports can be written. */
bool job_output_is_writable(const struct mp_job *job);

/* -1 where exports cannot be written into a directory, with the error and a remedy printed. */
int job_output_refuse_readonly(int dirfd, const char *path);

/*
 * With --clear and a status that is no failure: remove the database, unless it is that of a job that stays as it is.
 * Returns the status.
 */
int job_output_clear(struct job_run *s, const struct mp_job *job, int status);

/* Load the embedded layouts, and those of `dir` unless it is NULL. The caller frees them, whatever happens. */
int layouts_load(struct mp_layouts *layouts, const char *dir, struct mp_error *err);

/* Set *plain to bits of enum mp_plain (store/db.h); -1: the variable is invalid. */
int plain_mode_read(unsigned *plain, struct mp_error *err);

/* Read what lies at the path into a side. Returns an exit status: EXIT_FAILED with the error printed, EXIT_DAMAGED
 * where data is lost. The side must be freed in all cases. */
int diff_side_read(struct mp_side *side, const struct options *options, const char *path);

/* The ranks of a training, and the sums of a job that cluster and publish take. */

/*
 * Finds the ranks below a directory, and sums them up in parallel.
 *
 * Ranks are PROF directories in TOP, or in directories of TOP, and aggregates in TOP (*.json that begin like one).
 * Links below TOP are not followed. What is summed up lies in a file without a name: nothing stays when the command is
 * killed.
 */

struct rank {
	char *path;   /* of a PROF directory, or of a file with an aggregate */
	bool is_file; /* files come first */
	/* The place and the size of the aggregate of a directory that is summed up; size 0: no aggregate. */
	int64_t at;
	size_t size;
	int64_t doc; /* of the aggregate in a cluster, from 1 on; 0: it is in none */
};

struct ranks {
	struct rank *items;
	size_t count;
	const char *top;
	int topfd, made; /* TOP, and the file with the aggregates that were made, or -1 */
};

/* Find the ranks of `top`. Returns 0, or -1 with err. Free with ranks_free in any case. */
int ranks_find(struct ranks *r, const char *top, struct mp_error *err);

/* Sum the jobs up, `at_a_time`, each in a process. Returns the worst exit status; errors are printed. */
int ranks_aggregate(struct ranks *r, const struct options *o, int at_a_time);

/*
 * Read the aggregate of a rank. Returns 0 and *text of *len bytes, which the caller frees, or NULL where none was made;
 * or -1 with err.
 */
int ranks_read(const struct ranks *r, const struct rank *rank, char **text, size_t *len, struct mp_error *err);

void ranks_free(struct ranks *r);

/* The options of a command of ranks for the job of one of them. */
struct options ranks_options(const struct rank *rank, const struct options *o);

/* Write the aggregate of the job of OPTION_DIR to the empty file `fd`, which stays so after an error. Below the
 * directory `top` links are not followed. */
int aggregate_to(const struct options *options, const char *top, int fd);

/* Make the tables of the aggregates in the job's open database, and keep them where the job may be written. 0, or -1
 * with err. */
int job_aggregates(struct mp_db *db, const struct mp_job *job, const char *family, struct mp_error *err);

/*
 * One trace of all ranks: an archive that Perfetto opens as one.
 *
 * The archive is a TAR file: a trace of the steps and collectives of all ranks, a trace of each rank whose PROF
 * directory is there, and a manifest that says which machine each of them is of. All have one clock. The process that
 * compares the ranks, which is confined, writes the first of them and a plan; processes of their own write those of
 * ranks. Functions return 0, or -1 with err.
 */

/* Files without a name, or -1: the trace of all ranks, and the plan: a struct mp_cluster_rank for each, whose doc is
 * the number of its item, from 0 on. */
struct cluster_trace {
	int all, plan;
};

/* Open the files. */
int cluster_trace_open(struct cluster_trace *t, struct mp_error *err);

/* Write what the options choose of a cluster into them. */
int cluster_trace_plan(const struct cluster_trace *t, struct mp_db *cluster, const struct ranks *ranks,
    const struct options *o, struct mp_error *err);

/* Write the archive that --trace names, `at_a_time` ranks in processes. Returns the exit status; errors are printed. */
int cluster_trace_write(
    const struct cluster_trace *t, const struct ranks *ranks, const struct options *o, int at_a_time);

void cluster_trace_close(struct cluster_trace *t);

#endif

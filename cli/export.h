/* export.h: the exports of one job, by their kinds, and what the user chooses of them. */
#ifndef MSPROF_EXPORT_H
#define MSPROF_EXPORT_H

#include <stdint.h>

#include "base/made.h"
#include "base/out.h"
#include "job_run.h"
#include "terminal.h"
#include "trace/trace.h"

struct export;

/* A kind of files that a command writes. */
struct export_kind {
	const struct command *command; /* the folder of its reports has the last word of its name */
	const char *dir;               /* the directory of its files in a job */
	bool is_beside; /* that directory is in a PROF directory, too, whose other exports have one place */
	/* Write a file of the current report, for a row of its `each`. 0, or -1 with err. */
	int (*write)(struct export *e, const struct mp_query *each, struct mp_out *out, struct mp_error *err);
	const char *ending; /* of the names of its files; NULL: what the format says */
	bool is_trace; /* events: with progress, a merged trace, layers, and the models and inferences of SS928 data */
	bool is_table; /* rows: what their counters are worth is told, and a list of the files is kept */
	bool is_whole; /* no choice of models or iterations applies */
	bool is_guarded;  /* files of other tools in its directory stay as they are */
	bool is_analysis; /* its reports become a database, too */
	/* Make tables that the reports read, which this connection alone has, and add reports. 0, or -1 with err; or
	 * NULL. */
	int (*prepare)(struct export *e, struct mp_error *err);
	/* Write more, behind the files of the reports. 0, or -1 with err; or NULL. */
	int (*finish)(struct export *e, struct mp_error *err);
};

/* So many files are synced one by one, each before its rename; more are synced together once all are there. */
enum { EXPORT_SYNCED_MAX = 64 };

/* An export replaces its own earlier files, and no table or trace of another tool. */
struct export_kept {
	int dirfd;           /* the caller's, as is the label of the directory */
	const char *label;   /* NULL: all files are replaced */
	bool lists;          /* the files are no traces, which are known without a list */
	struct mp_made made; /* the files of this export and of earlier ones */
	int64_t foreign;     /* files of other tools that are in the way */
	char first[512];
};

struct export
{
	struct export_kept kept;
	struct job_run *session;
	const struct mp_job *job;
	struct mp_db *db;
	struct mp_team team; /* `db` and more connections to the same database */
	struct facts facts;
	struct mp_reports reports;
	const struct mp_report *report; /* the current one of `reports` */
	int dirfd;
	const struct export_kind *kind;
	const char *name; /* "timeline": the last word of the command */
	const char *dir;  /* the directory of its files */
	char label[4096]; /* of that directory, for messages */
	bool json;
	bool empty; /* of CSV: cells of missing values */
	bool gzip;  /* JSON is compressed */
	struct progress progress;
	int64_t rows; /* an estimate, for progress */
	int64_t files, events, moved;
	bool analysed;          /* export_analysis has kept rows */
	struct mp_report again; /* of an analysis: the current report, which reads the kept rows */
};

/* Write the reports of a kind; prints errors; the exit status. */
int export_job(struct job_run *s, const struct mp_job *job, const struct export_kind *kind);

/* Export timeline and summary, and the database of a whole job, job by job; the exit status. */
int export_default(const struct options *options);

/* Write the files of the current report, a file for each row of its `each`. 0, or -1 with err. */
int export_report(struct export *e, struct mp_error *err);

/* Compute the current report of an analysis, and write its JSON unless only the database is wanted; then write the
 * database of those that have data. 0, or -1 with err. */
int export_analysis(struct export *e, struct mp_error *err);
int export_analysis_write(struct export *e, struct mp_error *err);

/* Keep the rows of a report of an analysis, which may be none, in a temporary table. 0, or -1 with err. */
int export_analysis_keep(struct export *e, const struct mp_report *report, struct mp_error *err);

/* Whether the user chooses a model, iterations or an inference. */
bool export_has_choice(const struct options *options);

/* The writers of kinds. */
int export_write_timeline(struct export *e, const struct mp_query *each, struct mp_out *out, struct mp_error *err);
int export_write_tables(struct export *e, const struct mp_query *each, struct mp_out *out, struct mp_error *err);
int export_write_stacks(struct export *e, const struct mp_query *each, struct mp_out *out, struct mp_error *err);

/* Write and commit a file of the current report. 0, or -1 with err. */
int export_file(struct export *e, const struct mp_query *each, struct mp_error *err);

/* The events of the current file, for its line of progress; `user` is the struct export. */
void export_progress(void *user, int64_t events);

/* Write the list of exports, and free it. 0, or -1 with err. */
int export_kept_end(struct export_kept *k, struct mp_error *err);

/* Whether a file of another tool is in the way of NAME, which is told; and keep in mind that NAME is written. */
bool export_kept_is_foreign(struct export_kept *k, const char *name);
int export_kept_add(struct export_kept *k, const char *name, struct mp_error *err);

/* Let a file that is written appear under its name, unless another tool's is there. Frees `out`. 0, or -1 with err. */
int export_kept_commit(struct export_kept *k, struct mp_out *out, const char *name, struct mp_error *err);

/* -1 with err where files of other tools were in the way; else 0. */
int export_kept_refuse(const struct export_kept *k, const char *path, struct mp_error *err);

/* Whether --from and --to are in order; else an error is printed. */
bool export_limits_check(const struct options *options);

/*
 * Tell the reports what the user chooses: a range of time, devices, models, iterations and layers; warn about choices
 * without effect. Error: a device, model or inference that the job does not have. 0, or -1 with err.
 */
int export_choose(struct export *e, struct mp_error *err);

/* After an export without files: -1 where the user chose a model or an iteration that does not exist. */
int export_check_choice(const struct export *e, struct mp_error *err);

/* The merged trace of a job as a file. */
struct trace_file {
	struct mp_db *db;
	const char *reports; /* the folder of its reports, and their family */
	const char *family;
	const char *stem; /* the name of the file without its ending */
	int dirfd;
	const char *label; /* the directory of the file, for messages */
	enum mp_trace_format format;
	bool gzip;                                   /* JSON is compressed */
	int threads;                                 /* that compress */
	const struct mp_timeline_progress *progress; /* or NULL */
	struct mp_timeline_stats stats;              /* result */
	char name[64];                               /* result: of the file */
};

/* Which merged trace is wanted beside the files of the timeline, or in place of them. */
struct trace_choice {
	bool merged, files; /* write the merged trace, and the files */
	enum mp_trace_format format;
};
struct trace_choice export_trace_choice(const struct options *options, const char *family);

/* Write the file, unless there is no event. Returns 1 when written, 0 without an event, -1 with err. */
int export_trace(struct trace_file *f, struct mp_error *err);

/*
 * Run `work` on each job below -dir like job_run_each, then write a trace for each process of our recorder with several
 * of these jobs, beside them or into --output: not where the user chose a part of the timeline. Returns the exit
 * status.
 */
int export_processes(const struct options *options, int (*work)(struct job_run *s, const struct mp_job *job));

#endif

/* collect_internal.h: a collection under way, for the files of this folder only. */
#ifndef MP_BOARD_COLLECT_INTERNAL_H
#define MP_BOARD_COLLECT_INTERNAL_H

#include "board/collection/collect.h"
#include "board/collection/mount.h"
#include "board/collection/remote_jobs.h"
#include "board/connection/script.h"
#include "board/transfer/pull.h"
#include "board/transfer/tree.h"

/* Files of msprof in the project's directory on the board; .msprof.source (claim.sh) stays. */
#define MP_COLLECT_PID ".msprof.pid"     /* group of the program; removed at its end (run_program.sh) */
#define MP_COLLECT_GROUP ".msprof.group" /* the same number, until the group is empty */
#define MP_COLLECT_STATS ".msprof.stats" /* samples of the board during the last run (board_stats.sh) */
#define MP_COLLECT_MOUNT ".msprof.mount" /* exists during the mount, see mount.h */

enum { MP_COLLECT_EXCLUDES = 128 };

struct mp_collect {
	const struct mp_collect_options *options;
	const struct mp_collect_events *events;
	/* this machine */
	char *main_dir, *project; /* real paths */
	const char *main_name;
	const char *main_rel; /* main_dir below project; "" for project itself */
	int projectfd;
	bool disagreed; /* consent was refused */
	const char *excludes[MP_COLLECT_EXCLUDES];
	size_t exclude_count;
	/* acl.json */
	struct mp_acl_json *acl;
	char *acl_rel;   /* path of acl.json below the project */
	bool acl_is_new; /* the project has no acl.json */
	/* the board */
	struct mp_board *board;
	struct mp_remote remote;
	char remote_dir[MP_REMOTE_PATH]; /* as requested */
	char real[MP_REMOTE_PATH];       /* remote_dir, absolute */
	char run_dir[MP_REMOTE_PATH];    /* where the program runs */
	char stats_file[MP_REMOTE_PATH]; /* MP_COLLECT_STATS, absolute, once a run or a resume asked for it */
	char job_dir[MP_REMOTE_PATH];    /* the output of acl.json, absolute; "" without an output */
	struct mp_pipe guard;
	char guard_what[512];
	int guard_stops;  /* unanswered stops */
	int64_t guard_id; /* process of the guard; before its start, of the guard of the resumed collection, or 0 */
	char guard_mark[MP_REMOTE_PATH]; /* its file on the board while it is at work: see guard.sh */
	char *mount_path;                /* directory of this machine that the board mounts; or NULL */
	struct mp_mount mount;
	/* the run */
	struct mp_pipe program;
	int64_t started_ms, stop_ms; /* stop_ms: time of the request to stop, or 0 */
	bool timed_out, not_run, stream_off;
	bool resumed;    /* a resume: the board may have samples of the run that was cut */
	bool warm_up;    /* the JOBs of the run under way are thrown away */
	int runs_left;   /* runs after the one under way; for a resume: that were not made */
	bool unfinished; /* a resume can fetch more */
	struct mp_remote_jobs earlier, jobs;
	size_t jobs_tried, jobs_failed; /* since the last list of JOBs; in a row */
	/* the transfer under way */
	char what[320];
	struct mp_watch watch;
	size_t notes;       /* number of notes so far */
	int interrupts_max; /* more interrupts stop what is under way */
	char **done;        /* names of JOBs */
	size_t done_count;
	unsigned outcome;
};

/* events.c: tell the caller, and ask. blame also adds the error to the outcome, as a lost connection if it is one. */
void mp_collect_say(struct mp_collect *c, enum mp_collect_note kind, const char *fmt, ...) MP_PRINTF(3, 4);
void mp_collect_blame(struct mp_collect *c, unsigned outcome, const struct mp_error *err);
int mp_collect_interrupts(const struct mp_collect *c);

/* Whether the program should end now: the user interrupted, or the time is over. */
bool mp_collect_should_stop(const struct mp_collect *c);

/*
 * Do something unusual only where --project names the project or a person agrees; otherwise fail with both texts: why
 * it is unusual, and the way out.
 */
int mp_collect_agree(struct mp_collect *c, const char *why, const char *way_out, struct mp_error *err);

/* Begin a transfer with this name for the progress; end it. */
void mp_collect_transfer_begin(struct mp_collect *c, const char *fmt, ...) MP_PRINTF(2, 3);
void mp_collect_transfer_end(struct mp_collect *c);

/* collect.c: take the board and find out what it can do. */
int mp_collect_probe(struct mp_collect *c, struct mp_board *board, struct mp_error *err);

/* End the guard; errors are told. */
void mp_collect_clear_up(struct mp_collect *c);

/* place.c: choose the directory on the board. */
int mp_collect_place_choose(struct mp_collect *c, struct mp_error *err);

/* With the lock held: fail if the directory belongs to another project; mark it as this project's. */
int mp_collect_place_claim(struct mp_collect *c, struct mp_error *err);

/* "DIR/NAME" for the project's directory on the board. */
int mp_collect_remote_path(
    const struct mp_collect *c, const char *name, char path[MP_REMOTE_PATH], struct mp_error *err);

/* acl.c: choose, read and validate acl.json; its text for the board. */
int mp_collect_acl_choose(struct mp_collect *c, const struct mp_tree *project, struct mp_error *err);
int mp_collect_acl_text(struct mp_collect *c, char **text, struct mp_error *err);

/* guard.c: take the lock and start the guard, which clears up. Its end also restores acl.json. */
int mp_collect_guard_start(struct mp_collect *c, struct mp_error *err);
int mp_collect_guard_stop(struct mp_collect *c, struct mp_error *err);   /* the program; returns before it ends */
int mp_collect_guard_settle(struct mp_collect *c, struct mp_error *err); /* the program; waits until it has ended */
int mp_collect_guard_end(struct mp_collect *c, struct mp_error *err);

/* Let the guard put acl.json into its place on the board; the project's own file is set aside. */
int mp_collect_acl_install(struct mp_collect *c, const char *text, struct mp_error *err);

/* output_mount.c: have the board mount mount_path, and say so. */
int mp_collect_mount(struct mp_collect *c, struct mp_error *err);

/* Whether outfd is the mounted directory: then what the board writes is here at once. */
bool mp_collect_mount_is_output(const struct mp_collect *c);

/* run.c: run the program until it ends or is stopped. Returns 0 when the program ran; the outcome has the rest. */
int mp_collect_program(struct mp_collect *c, struct mp_error *err);

/* Pass on the program's output; called by everything that waits. */
int mp_collect_pump(struct mp_collect *c, struct mp_error *err);

/*
 * board_stats.c: samples of the board. Whether the run under way has them; begin them before the program; put them into
 * a JOB on the board; remove them when each JOB has them. Only a broken connection is an error, all else a warning.
 */
bool mp_collect_stats_wanted(const struct mp_collect *c);
int mp_collect_stats_begin(struct mp_collect *c, struct mp_error *err);
void mp_collect_stats_place(struct mp_collect *c, const char *job);
void mp_collect_stats_end(struct mp_collect *c);

/* runs.c: run the program as often as asked for. Returns 0 when each run came to an end; the outcome has the rest. */
int mp_collect_runs(struct mp_collect *c, struct mp_error *err);

/*
 * jobs.c: list the JOBs that exist before the run; fetch finished slices during the run; fetch new JOBs after it, or
 * remove them from the board. What was fetched is not new any more. Only JOBs that were certainly created since the
 * list are changed or removed on the board.
 */
int mp_collect_jobs_before(struct mp_collect *c, struct mp_error *err);
int mp_collect_jobs_slices(struct mp_collect *c, struct mp_error *err);
void mp_collect_jobs_pull(struct mp_collect *c);
void mp_collect_jobs_discard(struct mp_collect *c);

/* For a resume: list the new JOBs; fetch those that the output directory lacks; fetch one, wherever its journal is
 * from. */
void mp_collect_jobs_look(struct mp_collect *c);
void mp_collect_jobs_rest(struct mp_collect *c);
void mp_collect_job_resume(struct mp_collect *c, const char *path);

/* record.c. Reading returns 0, 1 when there is no record or it is of another board, or -1. */
int mp_collect_record_write(struct mp_collect *c, struct mp_error *err);
int mp_collect_record_read(struct mp_collect *c, struct mp_error *err);
void mp_collect_record_remove(struct mp_collect *c);

/* dry_run.c: say what a collection would do. */
int mp_collect_dry_run(struct mp_collect *c, struct mp_error *err);

#endif

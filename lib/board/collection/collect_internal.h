/* collect_internal.h: a collection under way, for the files of this folder only. */
#ifndef MP_BOARD_COLLECT_INTERNAL_H
#define MP_BOARD_COLLECT_INTERNAL_H

#include "board/collection/collect.h"
#include "board/connection/pipe.h"
#include "board/transfer/remote.h"
#include "board/transfer/transfer.h"
#include "board/transfer/tree.h"

/*
 * The shell scripts of this folder, as texts by lib/board/embed.sh; each *.sh file says its arguments. Start one with
 * mp_script_argument and mp_script_body.
 */
extern const char mp_sh_board_stats[];
extern const char mp_sh_claim[];
extern const char mp_sh_guard[];
extern const char mp_sh_is_mounted[];
extern const char mp_sh_list_jobs[];
extern const char mp_sh_mount_nfs[];
extern const char mp_sh_place_stats[];
extern const char mp_sh_run_program[];
extern const char mp_sh_unmount[];

/*
 * Mounts a directory of this machine on the board by NFS, as in the vendor's guide:
 * mount -t nfs -o nolock,tcp SERVER:PATH ~/profiling
 *
 * SERVER is the address of this end of the SSH connection, which the board can reach; a name from /etc/hosts may be
 * 127.0.1.1. An existing mount is used and never unmounted. The guard of the collection unmounts, even if this process
 * dies. Owns no memory.
 */
struct mp_mount {
	char point[MP_REMOTE_PATH];  /* on the board, absolute; "" when nothing is mounted */
	char marker[MP_REMOTE_PATH]; /* a file on the board, there before the mount and as long as the mount */
	bool ours;                   /* mounted here, and to be unmounted */
};

/* Write "SERVER:PATH" for the board into source. */
int mp_mount_source(struct mp_board *board, const char *server_path, char *source, size_t size, struct mp_error *err);

/*
 * Write the server, in the syntax of mount, for an address of this machine ("" for the board itself). A loopback
 * address is an error unless the board is this machine; an address with a zone is always an error.
 */
int mp_mount_server(const char *own_address, bool board_is_here, char *server, size_t size, struct mp_error *err);

enum { MP_REMOTE_PLACES = 4 };

struct mp_remote_job {
	char *path;
	/* Device, inode and time of its directory; all 0 when unknown. A JOB that was only moved keeps them. */
	uint64_t device, inode;
	int64_t mtime_s;
	bool created; /* by mp_remote_jobs_subtract: it certainly came into being after the earlier list */
	bool tried;   /* a resume has tried to fetch it, and told what failed */
};

/* A directory that was searched; or the device of the directory that lacks it. */
struct mp_remote_place {
	char *path;
	uint64_t device;
};

/*
 * The JOB directories of a board, and which of them came since an earlier list.
 *
 * A list is whole: each of its directories was searched to the end, or is known not to exist. A search of which that
 * cannot be said is an error, because "not seen before" must never mean "not looked for". A list owns its paths; free
 * it with mp_remote_jobs_free (legal on a zeroed list). Paths are absolute and sorted; each occurs once.
 */
struct mp_remote_jobs {
	struct mp_remote_job *items;
	size_t count;
	struct mp_remote_place places[MP_REMOTE_PLACES];
	size_t place_count;
};

/* List all JOBs below at most MP_REMOTE_PLACES absolute paths. The watch may be NULL. */
int mp_remote_jobs_list(struct mp_remote_jobs *jobs, struct mp_board *board, const struct mp_remote *remote,
    const char *const *dirs, size_t dir_count, const struct mp_watch *watch, struct mp_error *err);

/* Read so many numbers with a blank behind each. Returns the text behind them, or NULL. */
const char *mp_remote_numbers(const char *text, int64_t *numbers, size_t count);

/* Append a JOB, or a place; the path is copied. */
int mp_remote_jobs_add(
    struct mp_remote_jobs *jobs, const struct mp_remote_job *job, const char *path, struct mp_error *err);
int mp_remote_jobs_add_place(struct mp_remote_jobs *jobs, const char *path, uint64_t device, struct mp_error *err);

/*
 * Remove from jobs all paths that earlier holds, and set `created` of those that are left: below a place that earlier
 * searched, on the device of then (not on a card that was mounted meanwhile), and no JOB of then under another name.
 * No clock is asked: that of a board may be wrong.
 */
int mp_remote_jobs_subtract(struct mp_remote_jobs *jobs, const struct mp_remote_jobs *earlier, struct mp_error *err);

/* Move all paths of jobs to another list, which has the places of jobs from then on. */
int mp_remote_jobs_move(struct mp_remote_jobs *to, struct mp_remote_jobs *jobs, struct mp_error *err);
void mp_remote_jobs_free(struct mp_remote_jobs *jobs);

/*
 * A program on the board, in a process group of its own. The number of the group is in two files, so that the guard can
 * stop the program with all its children, even after a cut of the connection.
 */
struct mp_remote_program {
	const char *dir;         /* the program's working directory */
	const char *const *argv; /* NULL-terminated; argv[0] with a '/' or found in PATH */
	const char *pid_file;    /* absolute: holds the number of the process group while the program runs */
	const char *group_file;  /* absolute: holds the same number, and stays: children may outlive the program */
	const char *mark;        /* absolute: the program begins only while this file is there */
	const char *stats_file;  /* absolute: for samples of the board, see board_stats.sh */
	bool stats;              /* take samples while the program runs, else remove stats_file */
};

/*
 * Start a program with umask 027; its streams and exit status are the pipe's, whose budget has no limits. The status is
 * 127 or 126, as from a shell, when the program cannot be run, and 100 when the directory does not exist.
 */
int mp_remote_program_start(struct mp_pipe *pipe, struct mp_board *board, const struct mp_remote *remote,
    const struct mp_remote_program *program, struct mp_error *err);

/* Files of msprof in the project's directory on the board; .msprof.source (claim.sh) stays. */
#define MP_COLLECT_PID ".msprof.pid"     /* group of the program; removed at its end (run_program.sh) */
#define MP_COLLECT_GROUP ".msprof.group" /* the same number, until the group is empty */
#define MP_COLLECT_STATS ".msprof.stats" /* samples of the board during the last run (board_stats.sh) */
#define MP_COLLECT_MOUNT ".msprof.mount" /* exists during the mount, see struct mp_mount */

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
	char failure[MP_REMOTE_PATH]; /* how the program failed; "" otherwise */
};

/* events.c: tell the caller, and ask. blame also adds the error to the outcome, as a lost connection if it is one. */
void mp_collect_say(struct mp_collect *c, enum mp_collect_note kind, const char *fmt, ...) MP_PRINTF(3, 4);
void mp_collect_blame(struct mp_collect *c, unsigned outcome, const struct mp_error *err);
/* How to go on with what is not here yet. */
void mp_collect_tell_rest(struct mp_collect *c);
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

/* mount.c: choose the directory on the board. */
int mp_collect_place_choose(struct mp_collect *c, struct mp_error *err);

/* With the lock held: fail if the directory belongs to another project; mark it as this project's. */
int mp_collect_place_claim(struct mp_collect *c, struct mp_error *err);

/* "DIR/NAME" for the project's directory on the board. */
int mp_collect_remote_path(
    const struct mp_collect *c, const char *name, char path[MP_REMOTE_PATH], struct mp_error *err);

/* plan.c: the text of acl.json for the board. */
int mp_collect_acl_text(struct mp_collect *c, char **text, struct mp_error *err);

/* guard.c: take the lock and start the guard, which clears up. Its end also restores acl.json. */
int mp_collect_guard_start(struct mp_collect *c, struct mp_error *err);
int mp_collect_guard_output(struct mp_collect *c, const char *path, struct mp_error *err); /* it may go if it is new */
int mp_collect_guard_stop(struct mp_collect *c, struct mp_error *err);   /* the program; returns before it ends */
int mp_collect_guard_settle(struct mp_collect *c, struct mp_error *err); /* the program; waits until it has ended */
int mp_collect_guard_end(struct mp_collect *c, struct mp_error *err);

/* Let the guard put acl.json into its place on the board; the project's own file is set aside. */
int mp_collect_acl_install(struct mp_collect *c, const char *text, struct mp_error *err);

/* mount.c: have the board mount mount_path, and say so. */
int mp_collect_mount(struct mp_collect *c, struct mp_error *err);

/* Whether outfd is the mounted directory: then what the board writes is here at once. */
bool mp_collect_mount_is_output(const struct mp_collect *c);

/* run.c: pass on the program's output; called by everything that waits. */
int mp_collect_pump(struct mp_collect *c, struct mp_error *err);

/*
 * Put the samples of the board into a JOB there; remove them when each JOB has them. Only a broken connection is an
 * error, all else a warning.
 */
void mp_collect_stats_place(struct mp_collect *c, const char *job);
void mp_collect_stats_end(struct mp_collect *c);

/* Run the program as often as asked for. Returns 0 when each run came to an end; the outcome has the rest. */
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

/* record.c. Reading returns 0, 1 when there is no record or it is of another board, or -1. */
int mp_collect_record_write(struct mp_collect *c, struct mp_error *err);
int mp_collect_record_read(struct mp_collect *c, struct mp_error *err);
void mp_collect_record_remove(struct mp_collect *c);

#endif

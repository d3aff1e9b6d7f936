/*
 * collect.h: a whole collection on a board: the project is pushed, acl.json written, the program run,
 * new JOBs pulled, and the board left as it was.
 *
 * mp_collect_prepare checks everything that needs no board. mp_collect_run does the rest and, whatever happens,
 * gives the board its acl.json back and leaves no process there; when the connection is cut a guard on the
 * board does both. Prints nothing: texts, the program's output and progress go to the caller's functions, which are
 * called by the thread that runs it. The options must outlive the collection; free it with mp_collect_free.
 */
#ifndef MP_BOARD_COLLECT_H
#define MP_BOARD_COLLECT_H

#include "board/connection/board.h"
#include "config/acl_json.h"

enum mp_collect_note {
	MP_COLLECT_INFO,
	MP_COLLECT_PLAN, /* a line of a dry run */
	MP_COLLECT_WARNING,
	MP_COLLECT_ERROR
};

/* How it tells its caller, and asks. Only progress and consent may be NULL. */
struct mp_collect_events {
	/* One line; it may hold bytes of foreign names: sanitise before a terminal. */
	void (*note)(void *user, enum mp_collect_note kind, const char *text);
	/* What the program writes, as it comes. */
	void (*output)(void *user, enum mp_stream stream, const void *bytes, size_t size);
	/* How often the user has asked to stop: at the second time everything is left at once. */
	int (*interrupts)(void *user);
	/* A transfer moves; what is "pushing" or "fetching JOBX". done < 0: it is over. */
	void (*progress)(void *user, const char *what, int64_t done, int64_t total, size_t files);
	/* Ask a person whether to go on; false where nobody can be asked. NULL: nobody. */
	bool (*consent)(void *user, const char *question);
	void *user;
};

struct mp_collect_options {
	const char *const *argv; /* the program's words, NULL-terminated; argv[0] is its path on this machine */
	const char *project;     /* on this machine; NULL: the parent of the program's directory, or where it lies if no
				    directory is named */
	const char *remote_dir;  /* on the board; NULL: ~/msprof/PROJECT */
	const char *acl_json;    /* on this machine; NULL: the only one in the project */
	const struct mp_acl_pair *overrides; /* for acl.json; ends with a NULL key; may be NULL */
	const char *const *excludes;
	size_t exclude_count;
	const char *mount;  /* a directory of this machine, served by NFS, for the board to write into; or NULL */
	int outfd;          /* where JOBs go */
	const char *output; /* its path, for messages */
	const char
	    *label;    /* a name for JOBs, without control characters, which goes into their file "label"; or NULL */
	int timeout_s; /* of the program; 0: none */
	bool checksum, stream, clean, dry_run;
	const struct mp_collect_events *events;
};

/* What became of it; several may be set. 0: all went well. */
enum {
	MP_COLLECT_LOST = 1,    /* the connection broke */
	MP_COLLECT_PROGRAM = 2, /* the program failed, could not be run, or was stopped by the time limit */
	MP_COLLECT_FAILED = 4,  /* something else failed, or no JOB appeared */
	MP_COLLECT_DAMAGED = 8, /* a JOB was fetched, but not all of it */
	MP_COLLECT_INTERRUPTED = 16
};

struct mp_collect;

/*
 * Check the program, the project, its acl.json. Warnings go to the events. 0, -1, or 1 where the project is hardly
 * meant (a home directory, a very large one), is not named by the options, and nobody agreed.
 */
int mp_collect_prepare(struct mp_collect **collect, const struct mp_collect_options *options, struct mp_error *err);

/* Do it all. What goes wrong is told by the events; the result is a set of the bits above. */
unsigned mp_collect_run(struct mp_collect *collect, struct mp_board *board);

/*
 * Go on with every JOB that has a journal in options->outfd and was begun from this board; argv and everything about
 * the project is not looked at. The result is as that of mp_collect_run, the JOBs are those of mp_collect_job.
 */
unsigned mp_collect_resume(
    struct mp_collect **collect, const struct mp_collect_options *options, struct mp_board *board);

/* The name of the at'th JOB that is now wholly in outfd; NULL after the last one. */
const char *mp_collect_job(const struct mp_collect *collect, size_t at);

/* NULL is fine. */
void mp_collect_free(struct mp_collect *collect);

#endif

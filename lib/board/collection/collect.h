/*
 * collect.h: a whole collection on a board: pushes the project, writes acl.json, runs the program once or several
 * times, pulls new JOBs, and restores the board.
 *
 * mp_collect_prepare checks everything that needs no board. mp_collect_run does the rest. In every case it restores
 * acl.json and leaves no process on the board; after a cut a guard on the board does both. Messages, the program's
 * output and progress go to callbacks, in the calling thread. The options must outlive the collection; free it with
 * mp_collect_free.
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

/* Callbacks of a collection. Only progress and consent may be NULL. */
struct mp_collect_events {
	/* One line of text. It may contain foreign names: sanitise it for a terminal. */
	void (*note)(void *user, enum mp_collect_note kind, const char *text);
	/* An error of the library, whose text may contain foreign names. */
	void (*failed)(void *user, const struct mp_error *err);
	/* Output of the program, as it arrives. */
	void (*output)(void *user, enum mp_board_stream stream, const void *bytes, size_t size);
	/* Returns how often the user has interrupted. The second interrupt ends everything at once. */
	int (*interrupts)(void *user);
	/* A transfer moves; what is "pushing" or "fetching JOBX". done < 0: the transfer is over. */
	void (*progress)(void *user, const char *what, int64_t done, int64_t total, size_t files);
	/* Ask the user whether to continue. Returns false without a user; NULL: no user. */
	bool (*consent)(void *user, const char *question);
	void *user;
};

struct mp_collect_options {
	const char *const *argv; /* the program's words, NULL-terminated; argv[0] is its path on this machine */
	const char *project; /* on this machine; NULL: the parent of the program's directory, or that directory itself
				if argv[0] names none */
	const char *remote_dir;              /* on the board; NULL: PLACES/PROJECT */
	const char *places;                  /* on the board; NULL: ~/msprof */
	const char *acl_json;                /* on this machine; NULL: the only one in the project */
	const struct mp_acl_pair *overrides; /* for acl.json; ends with a NULL key; may be NULL */
	const char *const *excludes;
	size_t exclude_count;
	const char *mount;  /* a directory of this machine, served by NFS, for the board to write into; or NULL */
	int outfd;          /* directory for JOBs */
	const char *output; /* its path, for messages */
	const char *label;  /* text for the file "label" of each JOB, without control characters; or NULL */
	int timeout_s;      /* time limit of each run of the program; 0: none */
	int repeat;         /* runs whose JOBs are fetched; 0 means 1 */
	int discard;        /* runs before them, whose JOBs are removed from the board */
	bool checksum, stream, clean, dry_run;
	int patience_percent; /* see mp_board_attend; 0: 100 */
	bool board_stats;     /* sample load, memory and temperatures of the board before, during and after each run */
	const struct mp_collect_events *events;
};

/* The outcome of a collection, as bits. 0: success. */
enum {
	MP_COLLECT_LOST = 1,    /* the connection broke */
	MP_COLLECT_PROGRAM = 2, /* the program failed, did not start, or was stopped by the time limit */
	MP_COLLECT_FAILED = 4,  /* another error, or no JOB appeared */
	MP_COLLECT_DAMAGED = 8, /* a JOB was fetched incompletely */
	MP_COLLECT_INTERRUPTED = 16
};

struct mp_collect;

/*
 * Check the program, the project and its acl.json. Warnings go to the callbacks. Returns 0, -1 on error, or 1 without
 * consent: an unusual project (a home directory, a very large one) needs consent unless the options name it.
 */
int mp_collect_prepare(struct mp_collect **collect, const struct mp_collect_options *options, struct mp_error *err);

/* Run the collection. Errors go to the callbacks. Returns the outcome. */
unsigned mp_collect_run(struct mp_collect *collect, struct mp_board *board);

/*
 * Continue a collection that was cut: fetch every JOB of this board that has a journal in options->outfd, or is new
 * since the record. argv and the options of the project are ignored. Returns the outcome.
 */
unsigned mp_collect_resume(
    struct mp_collect **collect, const struct mp_collect_options *options, struct mp_board *board);

/* How the program failed, for the last line of a collection; NULL: it did not. */
const char *mp_collect_failure(const struct mp_collect *collect);

/* The name of the at'th whole JOB in outfd; NULL after the last one. */
const char *mp_collect_job(const struct mp_collect *collect, size_t at);

/* Free the collection; NULL is legal. */
void mp_collect_free(struct mp_collect *collect);

#endif

/*
 * pipe.h: a command on the board as a pipe with blocking reads and writes.
 *
 * Every byte of a board comes through a pipe. A pipe has a budget, keeps the errors of the command for
 * messages, and asks before each read and during each wait whether to go on (mp_board_attend). Commands never block;
 * only the loop here waits for them. So a full stderr or a half-written list cannot deadlock a transfer. The pipe owns
 * its command; close the pipe with mp_pipe_close. One thread per board.
 */
#ifndef MP_BOARD_PIPE_H
#define MP_BOARD_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "board/connection/board.h"

enum mp_budget_kind {
	MP_BUDGET_SCRIPT,   /* a short script and its answer */
	MP_BUDGET_GUARD,    /* one question to the guard and its answer */
	MP_BUDGET_LISTING,  /* of a directory, and the sums of its files */
	MP_BUDGET_TRANSFER, /* of files, in either direction */
	MP_BUDGET_PROGRAM   /* the user's program: may run for ever, and print anything */
};

/* What the answers of a board may hold. */
enum {
	MP_BUDGET_ENTRIES = 1000000,      /* of a listing */
	MP_BUDGET_TREE_BYTES = 256 << 20, /* memory of a listing */
	MP_BUDGET_JOBS = 1000,            /* JOBs that one command fetches or removes */
	MP_BUDGET_JOBS_FAILED = 10        /* JOBs in a row that cannot be fetched */
};

/*
 * What a conversation with a board may cost: bytes, lines, time, and the lowest rate.
 *
 * A pipe takes each byte that it reads, and all time that it waits, from its budget. Each kind of conversation has a
 * row of limits in pipe.c. Only time in which this side waits for the board counts: the time of a slow disk here,
 * or of a stopped process, does not count. The patience of the board (board.h) stretches and shrinks all times. The
 * struct owns nothing; `board` and `what` are borrowed for messages.
 */
struct mp_budget {
	enum mp_budget_kind kind;
	const char *board, *what; /* "list 'DIR'": the words after "cannot" */
	int patience_percent;
	int64_t bytes_max; /* of the kind, unless the caller knows better */
	bool computes;     /* the board may compute for long before it answers: no lowest rate */
	int64_t bytes, lines;
	int64_t waited_ms, silent_ms;    /* altogether; since the last byte in either direction */
	int64_t window_ms, window_bytes; /* of the rate */
};

void mp_budget_begin(
    struct mp_budget *budget, enum mp_budget_kind kind, const char *board, const char *what, int patience_percent);

/* Take bytes that were read; bytes that were written; time that was waited. Returns -1 when the budget is exceeded. */
int mp_budget_take(struct mp_budget *budget, const void *bytes, size_t size, struct mp_error *err);
void mp_budget_sent(struct mp_budget *budget, size_t size);
int mp_budget_wait(struct mp_budget *budget, int64_t ms, struct mp_error *err);

/* Callbacks of a transfer. Each may be NULL. */
struct mp_watch {
	/* Something was left out; text says why. It may contain foreign names: sanitise it for a terminal. */
	void (*note)(void *user, const char *text);
	/* Called often, also while no bytes move. Returns false to stop the transfer with an error. */
	bool (*progress)(void *user, int64_t bytes_done, int64_t bytes_total, size_t files);
	void *user;
};

/* The progress of a transfer; the waiting loop passes it to watch->progress. */
struct mp_progress {
	const struct mp_watch *watch; /* or NULL */
	int64_t done, total;
	size_t files;
	int64_t told; /* bytes done at the last call */
};

struct mp_pipe {
	struct mp_board *board;
	struct mp_command *command;
	struct mp_progress *progress; /* or NULL */
	const char *feed;             /* borrowed input that is not yet written */
	size_t feed_left;
	struct mp_budget budget;
	bool input_ended, out_ended, err_ended, over;
	size_t complaint_len;
	char complaint[256]; /* the beginning of its stderr */
};

/*
 * Start a script. `what` is borrowed: the words after "cannot" in errors. progress may be NULL. The budget is that of a
 * short script, unless the caller chooses another one.
 */
int mp_pipe_open(struct mp_pipe *pipe, struct mp_board *board, const char *script, const char *what,
    struct mp_progress *progress, struct mp_error *err);

/* Start a subsystem of the server in the same way. */
int mp_pipe_open_subsystem(struct mp_pipe *pipe, struct mp_board *board, const char *name, const char *what,
    struct mp_progress *progress, struct mp_error *err);

/* Choose the budget for the following bytes; it begins anew. */
void mp_pipe_budget(struct mp_pipe *pipe, enum mp_budget_kind kind);

/* Set the whole input: the pipe writes it whenever the command reads, then ends it. The caller keeps the bytes until
 * the pipe is closed. */
void mp_pipe_feed(struct mp_pipe *pipe, const char *bytes, size_t size);

/* Read stdout. Returns the number of bytes, at least one; 0 at the end, -1 on error. */
ssize_t mp_pipe_read(struct mp_pipe *pipe, void *bytes, size_t size, struct mp_error *err);

/* Read a stream without waiting. Returns the number of bytes, 0 before bytes arrive, -2 at the end, -1 on error. */
ssize_t mp_pipe_peek(struct mp_pipe *pipe, enum mp_board_stream stream, void *bytes, size_t size, struct mp_error *err);

/* Write without waiting, like mp_command_write. */
ssize_t mp_pipe_send(struct mp_pipe *pipe, const void *bytes, size_t size, struct mp_error *err);

/* Write all bytes. */
int mp_pipe_write(struct mp_pipe *pipe, const void *bytes, size_t size, struct mp_error *err);

/* Wait for one turn of the connection and call the watch. */
int mp_pipe_wait(struct mp_pipe *pipe, bool want_write, struct mp_error *err);

/* End the input, drop the rest of the output, and take the exit status. */
int mp_pipe_finish(struct mp_pipe *pipe, int *status, struct mp_error *err);

/* Finish the pipe; an exit status other than 0 is an error with the first line of the command's stderr. */
int mp_pipe_succeed(struct mp_pipe *pipe, struct mp_error *err);

/* Append ": " and the first line of the command's stderr to the error, if there is one. Returns -1. */
int mp_pipe_blame(const struct mp_pipe *pipe, struct mp_error *err);

/* Put "board 'NAME': cannot WHAT: " before an error that does not name the board yet. Returns -1. */
int mp_pipe_attribute(const struct mp_pipe *pipe, struct mp_error *err);

/*
 * Run a short script to its end. out[size] receives the output, cut and NUL-terminated; *status receives the exit
 * status. The input is empty, and errors of the script are dropped.
 */
int mp_board_run(struct mp_board *board, const char *script, const char *what, char *out, size_t size, int *status,
    struct mp_error *err);

/*
 * Close the pipe. A running command sees the end of its input and has two seconds to end, because dropbear breaks the
 * connection when a writing command is closed. mp_pipe_drop closes without the wait, before the connection ends. Both
 * are legal on a zeroed pipe.
 */
void mp_pipe_close(struct mp_pipe *pipe);
void mp_pipe_drop(struct mp_pipe *pipe);

/* Call the watch when enough bytes have moved, or `now`. Returns -1 with an error when the watch stops the transfer. */
int mp_progress_tell(struct mp_progress *progress, bool now, struct mp_error *err);

/* Give the watch a formatted note. */
void mp_watch_note(const struct mp_watch *watch, const char *fmt, ...) MP_PRINTF(2, 3);

/*
 * A short shell script under construction: fixed code, and foreign texts as quoted words. And a command line,
 * split into words.
 *
 * A script is a command in a directory, or an embedded .sh file with its arguments. Scripts stay below dropbear's limit
 * for one command (9000 bytes); long texts, such as lists of names, go through the command's input instead. The buffer
 * is fixed and needs no allocation. An overflow is kept, and mp_script_check reports it at the end.
 */

struct mp_script {
	size_t len;
	bool overflow;
	char text[8192];
};

/* Make the script empty. */
void mp_script_start(struct mp_script *script);

/* Append shell code: never anything that came from a user, a board or a file. */
void mp_script_code(struct mp_script *script, const char *code);

/* Append any text, as one quoted shell word. */
void mp_script_word(struct mp_script *script, const char *text);

void mp_script_number(struct mp_script *script, int64_t number);

/* Append "cd DIR || exit 100;" for a directory on the board; a leading "~/" is the home directory. */
void mp_script_enter(struct mp_script *script, const char *dir);

/*
 * An embedded .sh file: append its arguments to an empty script, then the text of the file. A directory argument may
 * begin with "~/", or be relative.
 */
void mp_script_argument(struct mp_script *script, const char *text);
void mp_script_directory_argument(struct mp_script *script, const char *dir);
void mp_script_body(struct mp_script *script, const char *file_text);

/* The whole script of a file with these arguments, of which the last is NULL. */
void mp_script_make(struct mp_script *script, const char *file_text, const char *const *arguments);

/* Returns -1 when the script did not fit. */
int mp_script_check(const struct mp_script *script, struct mp_error *err);

/*
 * Split text at blanks and line ends; '...', "..." and \ quote. *words receives a NULL-terminated array of texts; free
 * it with mp_argv_free. An open quote, or a text without words, is an error.
 */
int mp_argv_split(char ***words, size_t *count, const char *text, struct mp_error *err);

/* Free the words; NULL is legal. */
void mp_argv_free(char **words);

#endif

/*
 * pipe.h: a command on the board used as a pipe: blocking reads and
 * writes with a limit on silence, its errors collected for messages, and a
 * caller who may stop it.
 *
 * mp_board's commands never block by themselves; here is the one loop that waits
 * for them, so that a full stderr or a half-written list can never deadlock a transfer.
 * The pipe owns its command; close it with mp_pipe_close. One thread per board.
 */
#ifndef MP_BOARD_PIPE_H
#define MP_BOARD_PIPE_H

#include "board/connection/board.h"

/* How a transfer tells its caller, and asks whether to go on. Each may be NULL. */
struct mp_watch {
	/* Something that was left out and why. The text may hold bytes of foreign names: sanitise before a terminal. */
	void (*note)(void *user, const char *text);
	/* Called often, also while nothing moves; false stops the transfer with an error. */
	bool (*progress)(void *user, int64_t bytes_done, int64_t bytes_total, size_t files);
	void *user;
};

/* What has moved so far; handed to watch->progress by the loop that waits. */
struct mp_progress {
	const struct mp_watch *watch; /* or NULL */
	int64_t done, total;
	size_t files;
	int64_t told; /* bytes at the last call */
};

struct mp_pipe {
	struct mp_board *board;
	struct mp_command *command;
	struct mp_progress *progress; /* or NULL */
	const char *what;             /* for messages: "list 'DIR'" */
	const char *feed;             /* borrowed input still to be written */
	size_t feed_left;
	int idle_ms; /* the longest silence; 60 s unless changed after opening */
	bool input_ended, out_ended, err_ended, over;
	size_t complaint_len;
	char complaint[256]; /* the beginning of its stderr */
};

/* Start script. `what` is borrowed: the words after "cannot" in errors. progress may be NULL. */
int mp_pipe_open(struct mp_pipe *pipe, struct mp_board *board, const char *script, const char *what,
    struct mp_progress *progress, struct mp_error *err);

/* The same for a subsystem of the server. */
int mp_pipe_open_subsystem(struct mp_pipe *pipe, struct mp_board *board, const char *name, const char *what,
    struct mp_progress *progress, struct mp_error *err);

/* Input that is written whenever the command takes it, then ended. The bytes stay the caller's until the pipe is
 * closed. */
void mp_pipe_feed(struct mp_pipe *pipe, const char *bytes, size_t size);

/* At least one byte of stdout, 0 at its end, -1 on error. */
ssize_t mp_pipe_read(struct mp_pipe *pipe, void *bytes, size_t size, struct mp_error *err);

/* As much of stdout as fits and is there now, 0 for nothing, -2 at its end, -1 on error. Never waits. */
ssize_t mp_pipe_peek(struct mp_pipe *pipe, void *bytes, size_t size, struct mp_error *err);

/* Write all of it. */
int mp_pipe_write(struct mp_pipe *pipe, const void *bytes, size_t size, struct mp_error *err);

/* Wait for one turn of the connection and ask the watch. *quiet_since_ms is 0 after any byte; too long a silence is an
 * error. */
int mp_pipe_wait(struct mp_pipe *pipe, bool want_write, int64_t *quiet_since_ms, struct mp_error *err);

/* End its input, drop the rest of its output, and take the exit status. */
int mp_pipe_finish(struct mp_pipe *pipe, int *status, struct mp_error *err);

/* As mp_pipe_finish; any exit status but 0 is an error with the command's own words. */
int mp_pipe_succeed(struct mp_pipe *pipe, struct mp_error *err);

/* Append ": " and the first line of the command's stderr to the error, when there is any. Returns -1. */
int mp_pipe_blame(const struct mp_pipe *pipe, struct mp_error *err);

/*
 * Free; a command that still runs is told that its input ended, and has two seconds to end: dropbear breaks the whole
 * connection when a command is closed that still writes. Legal on a zeroed pipe.
 * mp_pipe_drop does not wait: for when the connection ends as well.
 */
void mp_pipe_close(struct mp_pipe *pipe);
void mp_pipe_drop(struct mp_pipe *pipe);

/* Tell the watch, when enough has moved or `now`. -1 with an error when the caller wants to stop. */
int mp_progress_tell(struct mp_progress *progress, bool now, struct mp_error *err);

/* Tell the watch a note, formatted. */
void mp_watch_note(const struct mp_watch *watch, const char *fmt, ...) MP_PRINTF(2, 3);

#endif

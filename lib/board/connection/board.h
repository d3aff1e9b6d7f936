/*
 * board.h: a machine that runs commands for us: a board behind SSH, or this one.
 *
 * A connection runs shell commands; each is a stream with input, output, errors
 * and an exit status, the same over SSH and locally, so that everything above
 * (push, run, pull) is written once. Only files of board/ see libssh.
 * One thread per connection. Errors name the host ("board 'root@10.0.0.2:22': ...").
 * Passwords live in struct mp_secret only: locked in memory, kept out of core
 * files, wiped by mp_secret_wipe; never in messages, arguments or the environment.
 */
#ifndef MP_BOARD_BOARD_H
#define MP_BOARD_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct mp_secret {
	char *text;  /* NUL-terminated, or NULL */
	size_t size; /* of the mapping */
};

/* Copy text; what s held is wiped. *s must have been zeroed or set before. */
int mp_secret_set(struct mp_secret *s, const char *text, size_t len, struct mp_error *err);
void mp_secret_wipe(struct mp_secret *s);

/* The most that an ini may have. */
enum { MP_INI_SIZE = 64 * 1024 };

/* What an ini file says (board_ini.c). Texts are owned; free with mp_board_config_free. */
struct mp_board_config {
	char *ip, *username;
	int port;      /* 22 when absent */
	int timeout_s; /* a peer that is silent so long counts as gone; 30 when absent */
	struct mp_secret pwd;
	char *key;               /* private key file, or NULL */
	char *host_key;          /* "SHA256:..." to be pinned, or NULL */
	char *remote_dir;        /* or NULL */
	bool readable_by_others; /* the file's mode gives it away */
};

/*
 * Read PATH, which must end in .ini or .conf: section [ssh_config]; ip and username are required, the others optional.
 * A value reaches verbatim to the end of its line (blanks around it are cut). Errors name
 * file, line, key and reason. Any name of another section or key is an error.
 */
int mp_board_ini_read(struct mp_board_config *config, const char *path, struct mp_error *err);
void mp_board_config_free(struct mp_board_config *config);

/* How the library asks its user; any of them may be NULL: then the answer is no. */
struct mp_board_ask {
	/* An unknown host: accept this fingerprint? */
	bool (*accept_host)(void *user, const char *host, const char *sha256);
	/* A password; 0, or -1 when there is none. The prompt is safe to show. */
	int (*password)(void *user, const char *prompt, struct mp_secret *secret);
	/* Something the user should know though the connection stands. */
	void (*warn)(void *user, const char *text);
	void *user;
	bool accept_new; /* take an unknown host key without asking */
};

enum mp_board_failure { /* why mp_board_connect failed, for exit statuses and hints */
	MP_BOARD_FINE,
	MP_BOARD_UNREACHABLE,
	MP_BOARD_REFUSED,
	MP_BOARD_HOST_UNKNOWN,
	MP_BOARD_HOST_CHANGED,
	MP_BOARD_AUTHENTICATION,
	MP_BOARD_BROKEN /* the connection broke, or the protocol did */
};

struct mp_board;

/*
 * Connect within 10 s, check the host key against known_hosts (or config->host_key), authenticate: agent, key, pwd,
 * prompt. Nothing is taken from ssh_config. An accepted host key is written to ~/.ssh/known_hosts. ask may be NULL.
 */
int mp_board_connect(struct mp_board **board, const struct mp_board_config *config, const struct mp_board_ask *ask,
    enum mp_board_failure *failure, struct mp_error *err);

/* This machine as the board: commands run through /bin/sh in a process group of their own. */
int mp_board_local(struct mp_board **board, struct mp_error *err);

/* Close and free. Commands that are still open are closed; they remain to be freed with mp_command_close. */
void mp_board_close(struct mp_board *board);

bool mp_board_is_local(const struct mp_board *board);

/* Monotonic milliseconds. */
int64_t mp_board_now_ms(void);

/* The address of this end of the connection, as the board sees it (getsockname); "" when local. */
int mp_board_own_address(const struct mp_board *board, char *text, size_t size, struct mp_error *err);

/* "root@10.0.0.2:22" or "this machine" */
const char *mp_board_name(const struct mp_board *board);

/* Whether the connection is known to be broken. A peer that falls silent counts as broken after the
 * timeout of the ini, while somebody waits. */
bool mp_board_is_broken(const struct mp_board *board);

/*
 * Whether a command may be started ahead while another may end. Not with dropbear: it closes a channel that has no
 * command yet when any other command ends at that moment.
 */
bool mp_board_may_overlap(const struct mp_board *board);

/*
 * A running command. Several may run at once on one board: one thread reads them all in turn, and waits for any.
 * A command that nobody reads is held back by flow control; it does not hold up the others.
 */
struct mp_command;

enum mp_stream { MP_STDOUT, MP_STDERR };

/* Start `sh -c script` on the board. Quoted, it may have 9,000 bytes for dropbear, else 128 KiB. */
int mp_command_start(struct mp_command **command, struct mp_board *board, const char *script, struct mp_error *err);

/* Start a subsystem of the SSH server, such as "sftp", as if it were a command. This machine has none. */
int mp_command_start_subsystem(
    struct mp_command **command, struct mp_board *board, const char *name, struct mp_error *err);

/*
 * Write up to size bytes to its input; bytes taken (0: not now, wait with mp_command_wait), or -1.
 * -1 also when a command does not read any more; whether the board is broken tells the two apart.
 */
ssize_t mp_command_write(struct mp_command *command, const void *bytes, size_t size, struct mp_error *err);

/* No more input. */
int mp_command_end_input(struct mp_command *command, struct mp_error *err);

/* Bytes read; 0: nothing now; -1: error; -2: end of that stream. */
ssize_t mp_command_read(
    struct mp_command *command, enum mp_stream stream, void *bytes, size_t size, struct mp_error *err);

/*
 * Wait until something may be read (or, with want_write, written), at most timeout_ms; sooner when a signal comes.
 * Also returns once when another command of the board has news: read them all before waiting again. 0 or -1.
 */
int mp_command_wait(struct mp_command *command, bool want_write, int timeout_ms, struct mp_error *err);

/*
 * 1 when both streams have been read to their end and the command is over: then *status is the exit status, or 128+n
 * when signal n killed it. 0: not yet. -1: error.
 */
int mp_command_finish(struct mp_command *command, int *status, struct mp_error *err);

/* Close and free; a command that still runs loses its streams. */
void mp_command_close(struct mp_command *command);

/*
 * Run a short script to its end within timeout_ms: stdout into out[size] (terminated, cut), exit status into *status.
 * Its input is empty, its errors are dropped.
 */
int mp_board_run(struct mp_board *board, const char *script, char *out, size_t size, int timeout_ms, int *status,
    struct mp_error *err);

/*
 * Append text to the script dst, of length `at`, as one single-quoted shell word. Returns the new length; never more
 * than size-1 (then *overflow is set; it is never cleared).
 */
size_t mp_shell_quote(char *dst, size_t size, size_t at, const char *text, bool *overflow);

#endif

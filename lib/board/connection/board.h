/*
 * board.h: a machine that runs commands: a board over SSH, or this machine.
 *
 * A connection runs shell commands. A command is a stream with input, output, errors and an exit status. The interface
 * is the same over SSH and locally, so the callers (push, run, pull) are written once. Only this folder includes
 * libssh. One thread uses a connection. Errors name the host ("board 'root@10.0.0.2:22': ..."). Passwords are only in
 * struct mp_secret: locked in memory, excluded from core files, wiped by mp_secret_wipe. Messages, arguments and the
 * environment never contain a password.
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

/* Copy text into *s and wipe the old secret. *s is zeroed, or holds a secret. */
int mp_secret_set(struct mp_secret *s, const char *text, size_t len, struct mp_error *err);
void mp_secret_wipe(struct mp_secret *s);

/* The maximum size of an ini file in bytes. */
enum { MP_INI_SIZE = 64 * 1024 };

/* The settings of an ini file (board_ini.c). The struct owns its texts; free with mp_board_config_free. */
struct mp_board_config {
	char *ip, *username;
	int port;      /* 22 when absent */
	int timeout_s; /* a peer that is silent for this time is gone; 30 when absent */
	struct mp_secret pwd;
	char *key;               /* private key file, or NULL */
	char *host_key;          /* the only accepted host key, "SHA256:...", or NULL */
	char *remote_dir;        /* or NULL */
	bool readable_by_others; /* by the mode of the file */
};

/*
 * Read the ini file at path, which must end in .ini or .conf. The only section is [ssh_config]. ip and username are
 * required, the other keys optional. A value is the rest of its line without surrounding blanks. Unknown sections and
 * keys are errors. Errors name file, line, key and reason.
 */
int mp_board_ini_read(struct mp_board_config *config, const char *path, struct mp_error *err);
void mp_board_config_free(struct mp_board_config *config);

/* How the library asks the user. A function that is NULL answers no. */
struct mp_board_ask {
	/* Returns whether to accept the fingerprint of an unknown host. */
	bool (*accept_host)(void *user, const char *host, const char *sha256);
	/* Ask for a password. Returns 0, or -1 without one. The prompt is safe to show. */
	int (*password)(void *user, const char *prompt, struct mp_secret *secret);
	/* Tell the user about a problem that does not end the connection. */
	void (*warn)(void *user, const char *text);
	/* Whether the user does not want to wait any longer. */
	bool (*interrupted)(void *user);
	void *user;
	bool accept_new; /* take an unknown host key without asking */
};

enum mp_board_failure { /* why mp_board_connect failed; for exit statuses and hints */
	MP_BOARD_FINE,
	MP_BOARD_UNREACHABLE,
	MP_BOARD_REFUSED,
	MP_BOARD_HOST_UNKNOWN,
	MP_BOARD_HOST_CHANGED,
	MP_BOARD_AUTHENTICATION,
	MP_BOARD_BROKEN /* the connection broke, or the protocol failed */
};

/* Like mp_fail, about a board: its name is the first value. */
#define mp_fail_board(err, fmt, ...) mp_fail_kind(err, MP_ERROR_BOARD, "board '%s': " fmt, __VA_ARGS__)

struct mp_board;

/*
 * Connect within 10 s, check the host key against known_hosts or config->host_key, and log in by agent, key, pwd or
 * prompt. OpenSSH's ssh_config is ignored. An accepted host key is written to ~/.ssh/known_hosts. ask may be NULL.
 */
int mp_board_connect(struct mp_board **board, const struct mp_board_config *config, const struct mp_board_ask *ask,
    enum mp_board_failure *failure, struct mp_error *err);

/*
 * Use this machine as the board: /bin/sh runs each command in a process group of its own. in_child, if it is not NULL,
 * is called in each child before its shell: only calls that are safe after a fork.
 */
int mp_board_local(struct mp_board **board, void (*in_child)(void), struct mp_error *err);

enum mp_board_wish {
	MP_BOARD_GO_ON,
	MP_BOARD_STOP, /* the conversation ends with an error, and the board is cleaned up */
	MP_BOARD_LEAVE /* everything ends at once; nothing more is said to the board */
};

/*
 * Have all conversations with the board ask `wish` before each read, and at least five times a second while they wait.
 * patience_percent stretches the times of struct mp_budget; it is 100 before.
 */
void mp_board_attend(struct mp_board *board, enum mp_board_wish (*wish)(void *user), void *user, int patience_percent);
enum mp_board_wish mp_board_wish(const struct mp_board *board);
int mp_board_patience(const struct mp_board *board);

/* Close and free the board, and close its open commands. The caller still frees them with mp_command_close. */
void mp_board_close(struct mp_board *board);

bool mp_board_is_local(const struct mp_board *board);

/* The monotonic clock in milliseconds. */
int64_t mp_board_now_ms(void);

/* The address of this end of the connection (getsockname); "" for this machine. */
int mp_board_own_address(const struct mp_board *board, char *text, size_t size, struct mp_error *err);

/* "root@10.0.0.2:22" or "this machine" */
const char *mp_board_name(const struct mp_board *board);

/* Whether the connection is known to be broken. While a command waits, a peer that is silent for the timeout of the ini
 * breaks the connection. */
bool mp_board_is_broken(const struct mp_board *board);

/*
 * Whether a command may start while another command may end. Not with dropbear: when a command ends, dropbear closes
 * any channel that has no command yet.
 */
bool mp_board_may_overlap(const struct mp_board *board);

/*
 * A running command. A board may run several commands at once: one thread reads them in turn and waits for any of them.
 * Flow control holds back a command that nobody reads; other commands continue.
 */
struct mp_command;

enum mp_board_stream { MP_STDOUT, MP_STDERR };

/* Start `sh -c script` on the board. The quoted script may have 9,000 bytes for dropbear, otherwise 128 KiB. */
int mp_command_start(struct mp_command **command, struct mp_board *board, const char *script, struct mp_error *err);

/* Start a subsystem of the SSH server, such as "sftp", like a command. This machine has no subsystems. */
int mp_command_start_subsystem(
    struct mp_command **command, struct mp_board *board, const char *name, struct mp_error *err);

/*
 * Write up to size bytes to the input. Returns the number of bytes taken, 0 when the caller must wait with
 * mp_command_wait, -1 on error. A command that has stopped reading is an error, too; mp_board_is_broken tells the two
 * apart.
 */
ssize_t mp_command_write(struct mp_command *command, const void *bytes, size_t size, struct mp_error *err);

/* End the input. */
int mp_command_end_input(struct mp_command *command, struct mp_error *err);

/* Returns the number of bytes read, 0 before bytes arrive, -1 on error, -2 at the end of the stream. */
ssize_t mp_command_read(
    struct mp_command *command, enum mp_board_stream stream, void *bytes, size_t size, struct mp_error *err);

/*
 * Wait at most timeout_ms until the caller can read or, with want_write, write. A signal ends the wait. News of another
 * command ends the wait once: read all commands before the next wait. Returns 0, or -1 on error.
 */
int mp_command_wait(struct mp_command *command, bool want_write, int timeout_ms, struct mp_error *err);

/*
 * Returns 1 when the command has ended and both streams were read to their end, 0 before, -1 on error. *status is the
 * exit status, or 128+n when signal n killed the command.
 */
int mp_command_finish(struct mp_command *command, int *status, struct mp_error *err);

/* Close and free the command; a running command loses its streams. */
void mp_command_close(struct mp_command *command);

/*
 * Append text to the script dst, of length `at`, as one single-quoted shell word. Returns the new length, at most
 * size-1. Sets *overflow when the word does not fit, and never clears it.
 */
size_t mp_shell_quote(char *dst, size_t size, size_t at, const char *text, bool *overflow);

#endif

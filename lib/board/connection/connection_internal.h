/*
 * connection_internal.h: the board and its commands, for the files of this folder only.
 *
 * A board has a kind: functions that start a command, move its bytes and end it. board.c calls the functions of the
 * kind; command_ssh.c and command_local.c are the kinds. The struct of a kind begins with struct mp_command.
 */
#ifndef MP_BOARD_CONNECTION_INTERNAL_H
#define MP_BOARD_CONNECTION_INTERNAL_H

#ifndef MSPROF_WITHOUT_SSH
#include <libssh/libssh.h>
#include <libssh/callbacks.h>
#endif

#include "board/connection/board.h"

/* The functions of the same names in board.h, for one kind. */
struct mp_command_kind {
	size_t size; /* of the kind's struct */
	bool local;  /* commands run on this machine */
	int (*start)(struct mp_command *command, const char *script, struct mp_error *err);
	int (*start_subsystem)(struct mp_command *command, const char *name, struct mp_error *err);
	ssize_t (*write)(struct mp_command *command, const void *bytes, size_t size, struct mp_error *err);
	int (*end_input)(struct mp_command *command, struct mp_error *err);
	ssize_t (*read)(
	    struct mp_command *command, enum mp_board_stream stream, void *bytes, size_t size, struct mp_error *err);
	int (*wait)(struct mp_command *command, bool want_write, int timeout_ms, struct mp_error *err);
	int (*finish)(struct mp_command *command, int *status, struct mp_error *err);
	void (*close)(struct mp_command *command); /* frees all but the struct; may be called twice */
	/* of the board; NULL where there is nothing to do */
	void (*hang_up)(struct mp_board *board); /* may be called twice */
	int (*own_address)(const struct mp_board *board, char *text, size_t size, struct mp_error *err);
};

extern const struct mp_command_kind mp_command_ssh; /* not in a build without SSH */
extern const struct mp_command_kind mp_command_local;

struct mp_command {
	struct mp_board *board; /* NULL once the board is closed */
	const struct mp_command_kind *kind;
	struct mp_command *next;
};

/* The state of heartbeat.c. */
struct mp_pulse {
	uint64_t heard_bytes;       /* bytes received until heard_ms */
	int64_t heard_ms, asked_ms; /* asked_ms: time of a question that must be answered, or 0 */
	int64_t question_ms;        /* time of the latest question, or 0 */
	uint64_t question_bytes;    /* bytes sent before it */
	uint64_t arrived_bytes;     /* bytes sent before the latest question that was answered */
	uint64_t ahead_bytes;       /* so many more may be under way */
};

struct mp_board {
	const struct mp_command_kind *kind;
	char name[320];
	struct mp_command *commands;            /* open commands */
	enum mp_board_wish (*wish)(void *user); /* or NULL */
	void *wish_user;
	int patience_percent;   /* 0: 100 */
	void (*in_child)(void); /* of this machine; or NULL */
	bool broken;
	char why_broken[256]; /* the first reason: later failures follow from it */
#ifndef MSPROF_WITHOUT_SSH
	int timeout_s; /* of silence */
	ssh_session session;
	ssh_event event;
	struct ssh_counter_struct traffic, packets;
	struct mp_pulse pulse;
#endif
};

/* Make *s zeroed memory of at least size bytes. */
int mp_secret_room(struct mp_secret *s, size_t size, struct mp_error *err);

/* Mark the connection as broken, and fail with the first reason. Returns -1. */
int mp_board_lost(struct mp_board *board, const char *reason, struct mp_error *err);

#ifndef MSPROF_WITHOUT_SSH
/* What libssh says about the last failure, which may be nothing: then what is known of the connection. Never "". */
const char *mp_ssh_reason(ssh_session session);

/*
 * heartbeat.c: begin; after each read of the socket, notice a silent peer; the bytes that may be sent now, because not
 * too many are under way.
 */
void mp_ssh_heartbeat_begin(struct mp_board *board);
int mp_ssh_heartbeat(struct mp_board *board, struct mp_error *err);
uint64_t mp_ssh_room_ahead(const struct mp_board *board);
#endif

/* How often a wait for the board looks for an interrupt. */
enum { MP_LOOK_MS = 200 };

bool mp_board_interrupted(const struct mp_board_ask *ask);

/* The functions of the SSH kind in connect.c. */
void mp_ssh_hang_up(struct mp_board *board);
int mp_ssh_own_address(const struct mp_board *board, char *text, size_t size, struct mp_error *err);

/* Check the server's key (hostkey.c). */
int mp_board_check_host(struct mp_board *board, const struct mp_board_config *config, const struct mp_board_ask *ask,
    enum mp_board_failure *failure, struct mp_error *err);

/*
 * Log in (auth.c). *agent_spoiled tells that the server hung up because the agent offered too many keys: another
 * connection without the agent may succeed.
 */
int mp_board_log_in(struct mp_board *board, const struct mp_board_config *config, const struct mp_board_ask *ask,
    bool with_agent, bool *agent_spoiled, enum mp_board_failure *failure, struct mp_error *err);

#endif

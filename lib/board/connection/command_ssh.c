/*
 * command_ssh.c: commands as channels of an SSH session. Callbacks of libssh update the state here. Bytes stay in
 * libssh's buffers until they are read, and its windows hold back the board. Only the wait blocks. The code here must
 * not know the meaning of the bytes.
 */
#include "board/connection/connection_internal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum {
	LINE_MAX_ANY = 128 * 1024 - 1, /* the longest argument on Linux */
	LINE_MAX_DROPBEAR = 9000,      /* its MAX_CMD_LEN; dropbear hangs up on more */
	START_MS = 30000,
	BEAT_MS = 500,
	PUMP_MAX = 64,
	WRITE_MAX = 256 * 1024,
	WINDOW_FIRST = 65536, /* more than the first window of libssh, 64000 */
	REFUSED = 1           /* the board is alive but does not start the command */
};

struct ssh_command {
	struct mp_command base;
	ssh_channel channel;
	struct ssh_channel_callbacks_struct callbacks;
	uint32_t buffered[2]; /* bytes of stdout and stderr in libssh */
	bool fresh[2];        /* bytes came since the last read or report */
	bool told[2];         /* the caller knows the end of the stream */
	bool ended;           /* no more data will come */
	bool closed;          /* no other message will come, either */
	bool has_status;
	int status;
};

static int on_data(ssh_session session, ssh_channel channel, void *data, uint32_t len, int is_stderr, void *user)
{
	struct ssh_command *c = user;

	(void)session;
	(void)channel;
	(void)data;
	c->buffered[is_stderr ? MP_STDERR : MP_STDOUT] = len;
	c->fresh[is_stderr ? MP_STDERR : MP_STDOUT] = true;
	return 0; /* no bytes taken */
}

static void on_eof(ssh_session session, ssh_channel channel, void *user)
{
	struct ssh_command *c = user;

	(void)session;
	(void)channel;
	c->ended = true;
	c->fresh[MP_STDOUT] = c->fresh[MP_STDERR] = true;
}

static void on_close(ssh_session session, ssh_channel channel, void *user)
{
	struct ssh_command *c = user;

	on_eof(session, channel, user);
	c->closed = true;
}

static void on_status(ssh_session session, ssh_channel channel, int status, void *user)
{
	struct ssh_command *c = user;

	(void)session;
	(void)channel;
	c->status = status & 0xff;
	c->has_status = true;
}

static void on_signal(ssh_session session, ssh_channel channel, const char *name, int core, const char *text,
    const char *lang, void *user)
{
	/* names of RFC 4254, 6.10 */
	static const struct {
		const char *name;
		int number;
	} signals[] = {{"ABRT", SIGABRT}, {"ALRM", SIGALRM}, {"FPE", SIGFPE}, {"HUP", SIGHUP}, {"ILL", SIGILL},
	    {"INT", SIGINT}, {"KILL", SIGKILL}, {"PIPE", SIGPIPE}, {"QUIT", SIGQUIT}, {"SEGV", SIGSEGV},
	    {"TERM", SIGTERM}, {"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"BUS", SIGBUS}, {"TRAP", SIGTRAP},
	    {"SYS", SIGSYS}, {"XCPU", SIGXCPU}, {"XFSZ", SIGXFSZ}};
	int number = 127; /* unknown signal */

	(void)core;
	(void)text;
	(void)lang;
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		if (strcmp(signals[i].name, name) == 0)
			number = signals[i].number;
	on_status(session, channel, 128 + number, user);
}

static int broke(struct mp_board *board, struct mp_error *err)
{
	return mp_board_lost(board, mp_ssh_reason(board->session), err);
}

/*
 * Let libssh handle the bytes of the socket, at most a few KiB. Returns 1 when there were bytes, 0 when not, -1 when
 * the connection is broken. Only ssh_is_connected shows an end that libssh met within another call.
 */
static int pump(struct mp_board *board, struct mp_error *err)
{
	int rc;

	if (board->broken)
		return broke(board, err);
	rc = ssh_event_dopoll(board->event, 0);
	if (rc == SSH_ERROR || !ssh_is_connected(board->session))
		return broke(board, err);
	return rc == SSH_AGAIN ? 0 : 1;
}

/* Wait for the socket and handle its bytes. Returns 1 when a signal interrupts, 0 otherwise, -1 on error. */
static int await(struct mp_board *board, int timeout_ms, struct mp_error *err)
{
	bool pending = (ssh_get_poll_flags(board->session) & SSH_WRITE_PENDING) != 0;
	struct pollfd p = {.fd = ssh_get_fd(board->session), .events = POLLIN};
	int n;

	if (pending)
		p.events |= POLLOUT;
	n = poll(&p, 1, timeout_ms < BEAT_MS ? timeout_ms : BEAT_MS);
	if (n < 0 && errno == EINTR)
		return 1;
	if (pump(board, err) < 0)
		return -1;
	return mp_ssh_heartbeat(board, err);
}

/* Wait during a start while libssh returns SSH_AGAIN. Returns 0 to continue, -1 on error. */
static int again(struct mp_board *board, int64_t deadline, struct mp_error *err)
{
	int64_t left = deadline - mp_board_now_ms();

	if (left <= 0)
		return mp_fail_board(err, "does not start a command within %d s", board->name, START_MS / 1000);
	if (mp_board_wish(board) != MP_BOARD_GO_ON)
		return mp_fail(err, "interrupted");
	return await(board, (int)left, err) < 0 ? -1 : 0;
}

/* The login shell may not be a POSIX shell. */
static char *command_line(const char *script)
{
	static const char prefix[] = "exec /bin/sh -c ";
	size_t size = sizeof(prefix) + 4 * strlen(script) + 2;
	char *text = malloc(size);
	bool overflow = false;

	if (text) {
		memcpy(text, prefix, sizeof(prefix));
		mp_shell_quote(text, size, sizeof(prefix) - 1, script, &overflow);
	}
	return text;
}

/*
 * Widen the window of a channel before its command begins. libssh starts with a small window and widens it at the first
 * data, even if the channel is closed by then. dropbear, which has forgotten the channel, then ends the connection. A
 * read of more bytes than the window has widens it; there is nothing to read yet.
 */
static int widen_window(struct ssh_command *c, struct mp_error *err)
{
	char *nothing = malloc(WINDOW_FIRST);
	int n;

	if (!nothing)
		return mp_fail_memory(err, "a command");
	n = ssh_channel_read_timeout(c->channel, nothing, WINDOW_FIRST, 0, 0);
	free(nothing);
	return n == SSH_ERROR ? broke(c->base.board, err) : 0;
}

static int make_channel(struct ssh_command *c, struct mp_error *err)
{
	c->channel = ssh_channel_new(c->base.board->session);
	if (!c->channel)
		return mp_fail_memory(err, "a command");
	c->callbacks.userdata = c;
	c->callbacks.channel_data_function = on_data;
	c->callbacks.channel_eof_function = on_eof;
	c->callbacks.channel_close_function = on_close;
	c->callbacks.channel_exit_status_function = on_status;
	c->callbacks.channel_exit_signal_function = on_signal;
	ssh_callbacks_init(&c->callbacks);
	if (ssh_set_channel_callbacks(c->channel, &c->callbacks) != SSH_OK)
		return mp_fail_memory(err, "a command");
	return 0;
}

/* Open a channel and request a command or a subsystem. Returns 0, -1, or REFUSED, where the caller sets the error. */
static int open_channel(struct ssh_command *c, int (*request)(ssh_channel channel, const char *text), const char *text,
    struct mp_error *err)
{
	struct mp_board *board = c->base.board;
	int64_t deadline = mp_board_now_ms() + START_MS;
	int rc;

	if (board->broken)
		return broke(board, err);
	if (make_channel(c, err))
		return -1;
	while ((rc = ssh_channel_open_session(c->channel)) == SSH_AGAIN)
		if (again(board, deadline, err))
			return -1;
	if (rc == SSH_OK) {
		if (widen_window(c, err))
			return -1;
		while ((rc = request(c->channel, text)) == SSH_AGAIN) {
			/* see mp_board_may_overlap; libssh would wait for ever */
			if (c->closed)
				return mp_fail_board(err, "closed a command before it began", board->name);
			if (again(board, deadline, err))
				return -1;
		}
	}
	if (rc == SSH_OK)
		return 0;
	if (ssh_get_error_code(board->session) == SSH_FATAL || !ssh_is_connected(board->session))
		return broke(board, err);
	return REFUSED;
}

static bool is_dropbear(const struct mp_board *board)
{
	const char *server = ssh_get_serverbanner(board->session);

	return server && strstr(server, "dropbear");
}

bool mp_board_may_overlap(const struct mp_board *board)
{
	return mp_board_is_local(board) || !is_dropbear(board);
}

static int check_size(struct mp_board *board, size_t size, struct mp_error *err)
{
	size_t most = is_dropbear(board) ? LINE_MAX_DROPBEAR : LINE_MAX_ANY;

	if (size <= most)
		return 0;
	return mp_fail_board(err, "a command of %zu bytes is too long, it takes %zu", board->name, size, most);
}

static int start(struct mp_command *command, const char *script, struct mp_error *err)
{
	struct mp_board *board = command->board;
	char *line = command_line(script);
	int status;

	if (!line)
		return mp_fail_memory(err, "a command");
	status = check_size(board, strlen(line), err);
	if (!status)
		status = open_channel((struct ssh_command *)command, ssh_channel_request_exec, line, err);
	if (status == REFUSED)
		status = mp_fail_board(err, "refuses a command of %zu bytes: %s", board->name, strlen(line),
		    mp_ssh_reason(board->session));
	free(line);
	return status;
}

static int start_subsystem(struct mp_command *command, const char *name, struct mp_error *err)
{
	struct mp_board *board = command->board;
	int status = open_channel((struct ssh_command *)command, ssh_channel_request_subsystem, name, err);

	if (status == REFUSED)
		status = mp_fail_board(err, "has no %s server: %s", board->name, name, mp_ssh_reason(board->session));
	return status;
}

static bool may_write(const struct ssh_command *c)
{
	return ssh_channel_window_size(c->channel) > 0 && mp_ssh_room_ahead(c->base.board) > 0 &&
	       !(ssh_get_poll_flags(c->base.board->session) & SSH_WRITE_PENDING);
}

static ssize_t write_input(struct mp_command *command, const void *bytes, size_t size, struct mp_error *err)
{
	struct ssh_command *c = (struct ssh_command *)command;
	struct mp_board *board = command->board;
	uint32_t window;
	int n;

	/* libssh queues all it cannot send at once: write only into an empty queue, so that the queue stays short. */
	if ((board->broken || !may_write(c)) && (pump(board, err) < 0 || mp_ssh_heartbeat(board, err)))
		return -1;
	if (c->closed)
		return mp_fail_board(err, "the command reads no more", board->name);
	if (!size || !may_write(c))
		return 0;
	window = ssh_channel_window_size(c->channel);
	if (size > WRITE_MAX)
		size = WRITE_MAX;
	if (size > mp_ssh_room_ahead(board))
		size = (size_t)mp_ssh_room_ahead(board);
	n = ssh_channel_write(c->channel, bytes, size < window ? (uint32_t)size : window);
	if (n >= 0)
		return n;
	if (c->closed && ssh_is_connected(board->session))
		return mp_fail_board(err, "the command reads no more", board->name);
	return broke(board, err);
}

static int end_input(struct mp_command *command, struct mp_error *err)
{
	struct ssh_command *c = (struct ssh_command *)command;

	if (command->board->broken)
		return broke(command->board, err);
	if (c->closed)
		return 0;
	return ssh_channel_send_eof(c->channel) == SSH_OK ? 0 : broke(command->board, err);
}

static ssize_t read_stream(
    struct mp_command *command, enum mp_board_stream stream, void *bytes, size_t size, struct mp_error *err)
{
	struct ssh_command *c = (struct ssh_command *)command;
	uint32_t want;
	int n;

	c->fresh[stream] = false;
	/* libssh reads few bytes at a time: a packet needs several pumps, without a wait in between. */
	for (int i = 0; i < PUMP_MAX && !c->buffered[stream] && !c->ended; i++) {
		int rc = pump(command->board, err);

		if (rc < 0)
			return -1;
		if (rc == 0)
			break;
	}
	if (!c->buffered[stream]) {
		c->told[stream] = c->ended;
		return c->ended ? -2 : 0;
	}
	want = size < c->buffered[stream] ? (uint32_t)size : c->buffered[stream];
	n = ssh_channel_read_nonblocking(c->channel, bytes, want, stream == MP_STDERR);
	if (n < 0)
		return broke(command->board, err);
	c->buffered[stream] -= (uint32_t)n;
	return n;
}

static bool has_something(const struct ssh_command *c, bool want_write)
{
	for (enum mp_board_stream s = MP_STDOUT; s <= MP_STDERR; s++)
		if (c->buffered[s] || (c->ended && !c->told[s]))
			return true;
	if (c->told[MP_STDOUT] && c->told[MP_STDERR] && (c->has_status || c->closed))
		return true;
	return want_write && may_write(c);
}

/* Whether another command got bytes. Reported once, so that a command that nobody reads causes no busy loop. */
static bool others_have_news(struct ssh_command *own)
{
	bool news = false;

	for (struct mp_command *m = own->base.board->commands; m; m = m->next) {
		struct ssh_command *c = (struct ssh_command *)m;

		if (c == own)
			continue;
		news |= c->fresh[MP_STDOUT] || c->fresh[MP_STDERR];
		c->fresh[MP_STDOUT] = c->fresh[MP_STDERR] = false;
	}
	return news;
}

static int wait_ready(struct mp_command *command, bool want_write, int timeout_ms, struct mp_error *err)
{
	struct ssh_command *c = (struct ssh_command *)command;
	struct mp_board *board = command->board;
	int64_t deadline = mp_board_now_ms() + timeout_ms;
	int64_t left = timeout_ms;
	int rc = 0;

	if (board->broken)
		return broke(board, err);
	while (!has_something(c, want_write) && !others_have_news(c) && left > 0 && rc == 0) {
		rc = await(board, (int)left, err);
		left = deadline - mp_board_now_ms();
	}
	return rc < 0 ? -1 : 0;
}

static int finish(struct mp_command *command, int *status, struct mp_error *err)
{
	struct ssh_command *c = (struct ssh_command *)command;

	if (!c->told[MP_STDOUT] || !c->told[MP_STDERR])
		return 0;
	if (!c->has_status && !c->closed && pump(command->board, err) < 0)
		return -1;
	if (c->has_status) {
		*status = c->status;
		return 1;
	}
	if (c->closed)
		return mp_fail_board(err, "the command ended without an exit status", command->board->name);
	return 0;
}

static void close_channel(struct mp_command *command)
{
	struct ssh_command *c = (struct ssh_command *)command;

	if (!c->channel)
		return;
	/* libssh may keep the channel until the board closes it, too. */
	ssh_remove_channel_callbacks(c->channel, &c->callbacks);
	ssh_channel_free(c->channel);
	c->channel = NULL;
}

const struct mp_command_kind mp_command_ssh = {sizeof(struct ssh_command), false, start, start_subsystem, write_input,
    end_input, read_stream, wait_ready, finish, close_channel, mp_ssh_hang_up, mp_ssh_own_address};

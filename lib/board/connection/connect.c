/*
 * connect.c: makes and ends the connection to a board. The code here connects the socket before libssh gets it, so that
 * the wait is limited and the socket stays nonblocking. It knows no commands.
 */
#include "board/connection/connection_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CONNECT_MS = 10000 };

/*
 * AES-GCM comes first: with AES instructions, as on 64-bit ARM boards, it is several times as fast as ChaCha20. A board
 * without AES-GCM (dropbear) uses ChaCha20 or AES-CTR.
 */
static const char ciphers[] = "aes128-gcm@openssh.com,aes256-gcm@openssh.com,chacha20-poly1305@openssh.com,"
			      "aes128-ctr,aes256-ctr";

/* Wait for a started connect. Returns 0, or -1 with errno. */
static int connect_wait(int fd, int64_t deadline, const struct mp_board_ask *ask)
{
	struct pollfd p = {.fd = fd, .events = POLLOUT};
	int code = 0;
	socklen_t len = sizeof(code);

	for (;;) {
		int64_t left = deadline - mp_board_now_ms();
		int n = poll(&p, 1, left < MP_LOOK_MS ? (int)(left > 0 ? left : 0) : MP_LOOK_MS);

		if (n > 0)
			break;
		if (n < 0 && errno != EINTR)
			return -1;
		errno = mp_board_interrupted(ask) ? EINTR : ETIMEDOUT;
		if (errno == EINTR || left <= 0)
			return -1;
	}
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &len))
		return -1;
	errno = code;
	return code ? -1 : 0;
}

static int connect_one(const struct addrinfo *a, int64_t deadline, const struct mp_board_ask *ask)
{
	int fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, a->ai_protocol);
	int one = 1;
	int code;

	if (fd < 0)
		return -1;
	if ((!connect(fd, a->ai_addr, a->ai_addrlen) || errno == EINPROGRESS) && !connect_wait(fd, deadline, ask)) {
		/* Window adjustments are small packets that must not wait. */
		(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
		return fd;
	}
	code = errno;
	close(fd);
	errno = code;
	return -1;
}

/* Returns a connected nonblocking socket, or -1 with *failure. */
static int dial(const char *name, const struct mp_board_config *config, const struct mp_board_ask *ask,
    int64_t deadline, enum mp_board_failure *failure, struct mp_error *err)
{
	const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
	struct addrinfo *list = NULL;
	char port[16];
	int fd = -1;
	int code;

	*failure = MP_BOARD_UNREACHABLE;
	snprintf(port, sizeof(port), "%d", config->port);
	code = getaddrinfo(config->ip, port, &hints, &list);
	if (code)
		return mp_fail_board(
		    err, "cannot be reached: %s", name, code == EAI_SYSTEM ? strerror(errno) : gai_strerror(code));
	for (const struct addrinfo *a = list; a && fd < 0; a = a->ai_next)
		fd = connect_one(a, deadline, ask);
	code = errno;
	freeaddrinfo(list);
	errno = code;
	if (fd >= 0)
		return fd;
	if (errno == EINTR)
		return mp_fail_board(err, "the connection was interrupted", name);
	if (errno == ETIMEDOUT)
		return mp_fail_board(err, "cannot be reached: no answer within %d s", name, CONNECT_MS / 1000);
	if (errno != ECONNREFUSED)
		return mp_fail_errno(err, "board '%s': cannot be reached", name);
	*failure = MP_BOARD_REFUSED;
	return mp_fail_board(err, "connection refused: no SSH server on port %d", name, config->port);
}

/* Use $HOME/.ssh/known_hosts; quote the percent signs that libssh would expand. */
static int set_known_hosts(ssh_session session)
{
	const struct passwd *user = NULL;
	const char *home = getenv("HOME");
	char path[4096];
	size_t at = 0;

	if (!home || *home != '/') {
		user = getpwuid(getuid());
		home = user ? user->pw_dir : NULL;
	}
	if (!home || strlen(home) > sizeof(path) / 2 - 32)
		return SSH_ERROR;
	for (; *home; home++) {
		if (*home == '%')
			path[at++] = '%';
		path[at++] = *home;
	}
	snprintf(path + at, sizeof(path) - at, "/.ssh/known_hosts");
	return ssh_options_set(session, SSH_OPTIONS_KNOWNHOSTS, path);
}

static int set_options(ssh_session session, const struct mp_board_config *config, int fd, long timeout_s)
{
	unsigned port = (unsigned)config->port;
	bool no = false;
	int quiet = SSH_LOG_NOLOG;

	/* ssh_config is for other programs; the ini file is complete. */
	return ssh_options_set(session, SSH_OPTIONS_PROCESS_CONFIG, &no) ||
	       ssh_options_set(session, SSH_OPTIONS_LOG_VERBOSITY, &quiet) ||
	       ssh_options_set(session, SSH_OPTIONS_HOST, config->ip) ||
	       ssh_options_set(session, SSH_OPTIONS_PORT, &port) ||
	       ssh_options_set(session, SSH_OPTIONS_USER, config->username) ||
	       ssh_options_set(session, SSH_OPTIONS_CIPHERS_C_S, ciphers) ||
	       ssh_options_set(session, SSH_OPTIONS_CIPHERS_S_C, ciphers) ||
	       ssh_options_set(session, SSH_OPTIONS_TIMEOUT, &timeout_s) || set_known_hosts(session) ||
	       ssh_options_set(session, SSH_OPTIONS_FD, &fd);
}

void mp_ssh_hang_up(struct mp_board *board)
{
	if (board->event) {
		ssh_event_remove_session(board->event, board->session);
		ssh_event_free(board->event);
	}
	if (board->session) {
		if (board->broken)
			ssh_silent_disconnect(board->session);
		else
			ssh_disconnect(board->session);
		ssh_free(board->session);
	}
	board->event = NULL;
	board->session = NULL;
}

/* A blocking libssh would not look at interrupts. */
static int exchange_keys(struct mp_board *board, const struct mp_board_ask *ask, int64_t deadline, struct mp_error *err)
{
	int rc;

	ssh_set_blocking(board->session, 0);
	while ((rc = ssh_connect(board->session)) == SSH_AGAIN) {
		struct pollfd p = {.fd = ssh_get_fd(board->session), .events = POLLIN};

		if (mp_board_interrupted(ask))
			return mp_fail_board(err, "the connection was interrupted", board->name);
		if (mp_board_now_ms() > deadline)
			return mp_fail_board(
			    err, "no SSH connection: no answer within %d s", board->name, CONNECT_MS / 1000);
		(void)poll(&p, 1, MP_LOOK_MS);
	}
	if (rc == SSH_OK)
		return 0;
	/* libssh owns the socket by now, and closes it with the session */
	return mp_fail_board(err, "no SSH connection: %s%s", board->name, mp_ssh_reason(board->session),
	    ssh_get_serverbanner(board->session) ? "" : "; what answers there may be no SSH server: check the port");
}

/* Connect and exchange keys, within one deadline. */
static int shake_hands(struct mp_board *board, const struct mp_board_config *config, const struct mp_board_ask *ask,
    enum mp_board_failure *failure, struct mp_error *err)
{
	int64_t deadline = mp_board_now_ms() + CONNECT_MS;
	int fd = dial(board->name, config, ask, deadline, failure, err);
	long timeout_s;

	if (fd < 0)
		return -1;
	*failure = MP_BOARD_BROKEN;
	timeout_s = (long)(deadline - mp_board_now_ms()) / 1000 + 1;
	board->session = ssh_new();
	if (!board->session || set_options(board->session, config, fd, timeout_s)) {
		close(fd);
		return mp_fail_board(err, "cannot set up SSH: %s", board->name,
		    board->session ? mp_ssh_reason(board->session) : "out of memory");
	}
	return exchange_keys(board, ask, deadline, err);
}

/* From now on neither the session blocks nor the socket, which libssh made blocking. */
static int set_nonblocking(struct mp_board *board, struct mp_error *err)
{
	int fd = ssh_get_fd(board->session);
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK))
		return mp_fail_errno(err, "board '%s': cannot set up its socket", board->name);
	mp_ssh_heartbeat_begin(board);
	board->event = ssh_event_new();
	if (!board->event || ssh_event_add_session(board->event, board->session) != SSH_OK)
		return mp_fail_memory(err, "a connection");
	return 0;
}

static int open_session(struct mp_board *board, const struct mp_board_config *config, const struct mp_board_ask *ask,
    bool with_agent, bool *agent_spoiled, enum mp_board_failure *failure, struct mp_error *err)
{
	*agent_spoiled = false;
	if (shake_hands(board, config, ask, failure, err) || set_nonblocking(board, err) ||
	    mp_board_check_host(board, config, ask, failure, err))
		return -1;
	return mp_board_log_in(board, config, ask, with_agent, agent_spoiled, failure, err);
}

int mp_board_connect(struct mp_board **board, const struct mp_board_config *config, const struct mp_board_ask *ask,
    enum mp_board_failure *failure, struct mp_error *err)
{
	static const struct mp_board_ask nobody;
	struct mp_board *b = calloc(1, sizeof(*b));
	bool spoiled;

	*board = NULL;
	*failure = MP_BOARD_BROKEN;
	if (!b)
		return mp_fail_memory(err, "a connection");
	b->kind = &mp_command_ssh;
	b->timeout_s = config->timeout_s;
	snprintf(b->name, sizeof(b->name), "%s@%s:%d", config->username, config->ip, config->port);
	if (!ask)
		ask = &nobody;
	if (open_session(b, config, ask, true, &spoiled, failure, err)) {
		mp_ssh_hang_up(b);
		spoiled = spoiled && (config->key || config->pwd.text || ask->password);
		if (!spoiled || mp_board_interrupted(ask) ||
		    open_session(b, config, ask, false, &spoiled, failure, err)) {
			mp_board_close(b);
			return -1;
		}
	}
	err->text[0] = '\0'; /* of the first try, with the agent */
	*failure = MP_BOARD_FINE;
	*board = b;
	return 0;
}

int mp_ssh_own_address(const struct mp_board *board, char *text, size_t size, struct mp_error *err)
{
	static const char mapped[] = "::ffff:"; /* an IPv4 address on an IPv6 socket */
	char whole[NI_MAXHOST] = "";
	struct sockaddr_storage own;
	socklen_t len = sizeof(own);
	int code;

	if (getsockname(ssh_get_fd(board->session), (struct sockaddr *)&own, &len))
		return mp_fail_errno(err, "board '%s': the address of this machine is unknown", board->name);
	code = getnameinfo((struct sockaddr *)&own, len, whole, sizeof(whole), NULL, 0, NI_NUMERICHOST);
	if (code)
		return mp_fail_board(
		    err, "the address of this machine is unknown: %s", board->name, gai_strerror(code));
	snprintf(text, size, "%s", strncmp(whole, mapped, sizeof(mapped) - 1) ? whole : whole + sizeof(mapped) - 1);
	return 0;
}

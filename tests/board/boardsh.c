/*
 * boardsh.c: the board library on its own, for tests: runs a script on a board (or here) and relays its streams.
 * Exit status: the script's; 100 + enum mp_board_failure when there is no connection; 99 when it broke later.
 */
#include "board/connection/board.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_SIZE = 256 * 1024, WAIT_MS = 200, LOST = 99, NO_CONNECTION = 100 };

struct relay {
	struct mp_command *command;
	bool has_input; /* stdin is relayed */
	char *input;
	size_t at, len;
	char *bytes;
};

static bool accept_host(void *user, const char *host, const char *sha256)
{
	(void)user;
	fprintf(stderr, "boardsh: unknown host %s %s\n", host, sha256);
	return getenv("BOARDSH_ACCEPT") != NULL;
}

/* A replacement for a person who types. */
static int password(void *user, const char *prompt, struct mp_secret *secret)
{
	const char *typed = getenv("BOARDSH_TYPED");
	struct mp_error err;

	(void)user;
	fprintf(stderr, "boardsh: prompt: %s\n", prompt);
	return typed ? mp_secret_set(secret, typed, strlen(typed), &err) : -1;
}

static void warn(void *user, const char *text)
{
	(void)user;
	fprintf(stderr, "boardsh: warning: %s\n", text);
}

static int put(int fd, const char *bytes, size_t size)
{
	while (size) {
		ssize_t n = write(fd, bytes, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		bytes += n;
		size -= (size_t)n;
	}
	return 0;
}

/* Move the available input. Returns 0, or -1; *blocked: the board accepts no more now. */
static int feed(struct relay *r, int timeout_ms, bool *blocked, struct mp_error *err)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	ssize_t n;

	*blocked = false;
	if (!r->has_input)
		return 0;
	if (r->at == r->len) {
		if (poll(&p, 1, timeout_ms) <= 0)
			return 0;
		n = read(STDIN_FILENO, r->input, BUFFER_SIZE);
		if (n <= 0) {
			r->has_input = false;
			return mp_command_end_input(r->command, err);
		}
		r->at = 0;
		r->len = (size_t)n;
	}
	n = mp_command_write(r->command, r->input + r->at, r->len - r->at, err);
	if (n < 0)
		return -1;
	r->at += (size_t)n;
	*blocked = r->at < r->len;
	return 0;
}

static int drain(struct relay *r, enum mp_board_stream stream, int fd, bool *moved, struct mp_error *err)
{
	ssize_t n = mp_command_read(r->command, stream, r->bytes, BUFFER_SIZE, err);

	if (n == -1)
		return -1;
	if (n <= 0)
		return 0;
	*moved = true;
	return put(fd, r->bytes, (size_t)n) ? mp_fail_errno(err, "cannot write") : 0;
}

static int relay(struct relay *r, int *status, struct mp_error *err)
{
	bool moved = true;

	for (;;) {
		int idle_ms = moved ? 0 : 2; /* no single call waits for both stdin and the board */
		bool blocked;
		int over;

		moved = false;
		if (feed(r, idle_ms, &blocked, err) || drain(r, MP_STDOUT, STDOUT_FILENO, &moved, err))
			return -1;
		if (moved)
			continue;
		if (drain(r, MP_STDERR, STDERR_FILENO, &moved, err))
			return -1;
		over = mp_command_finish(r->command, status, err);
		if (over)
			return over < 0 ? -1 : 0;
		if (!moved && (!r->has_input || blocked) && mp_command_wait(r->command, blocked, WAIT_MS, err))
			return -1;
	}
}

static int run(struct mp_board *board, const char *script, int *status, struct mp_error *err)
{
	struct relay r = {.has_input = true, .input = malloc(BUFFER_SIZE), .bytes = malloc(BUFFER_SIZE)};
	int result = -1;

	if (!r.input || !r.bytes)
		mp_fail_memory(err, "buffers");
	else if (!mp_command_start(&r.command, board, script, err))
		result = relay(&r, status, err);
	mp_command_close(r.command);
	free(r.input);
	free(r.bytes);
	return result;
}

static int open_board(struct mp_board **board, const char *ini, bool accept_new, struct mp_error *err)
{
	const struct mp_board_ask ask = {accept_host, password, warn, NULL, NULL, accept_new};
	enum mp_board_failure failure = MP_BOARD_FINE;
	struct mp_board_config config;
	int status = 0;

	if (!ini)
		return mp_board_local(board, NULL, err) ? LOST : 0;
	if (mp_board_ini_read(&config, ini, err))
		return LOST;
	if (mp_board_connect(board, &config, &ask, &failure, err))
		status = NO_CONNECTION + (int)failure;
	mp_board_config_free(&config);
	return status;
}

int main(int argc, char **argv)
{
	const char *ini = NULL;
	const char *script = NULL;
	bool accept_new = false;
	struct mp_board *board = NULL;
	struct mp_error err = {.text = ""};
	char address[64];
	int status;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--accept-new") == 0)
			accept_new = true;
		else if (strcmp(argv[i], "--ini") == 0 && i + 1 < argc)
			ini = argv[++i];
		else
			script = argv[i];
	}
	if (!script) {
		fputs("usage: boardsh [--ini FILE [--accept-new]] SCRIPT\n", stderr);
		return 2;
	}
	status = open_board(&board, ini, accept_new, &err);
	if (!status && strcmp(script, ":address") == 0) {
		if (!mp_board_own_address(board, address, sizeof(address), &err))
			printf("%s %s\n", mp_board_name(board), address);
	} else if (!status && run(board, script, &status, &err)) {
		status = LOST;
	}
	mp_board_close(board);
	if (*err.text)
		fprintf(stderr, "boardsh: %s\n", err.text);
	return status;
}

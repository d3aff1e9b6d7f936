/*
 * sftp_line.c: carries the bytes of sftp: to the server's program as a command, or over the
 * subsystem channel where the server is part of sshd. Never blocks but in the wait.
 */
#include <libssh/libssh.h>
#include <stdio.h>
#include <string.h>

#include "board/board_internal.h"
#include "board/remote_script.h"
#include "board/sftp_internal.h"

enum { START_MS = 20000, SILENCE_MS = 60000, TURN_MS = 200, WRITE_MAX = 256 * 1024, TAKE_MAX = 64, DISMISS_MS = 2000 };

static int lost(struct mp_sftp_line *line, struct mp_error *err)
{
	return mp_board_lost(line->board, ssh_get_error(mp_board_session(line->board)), err);
}

static bool is_pending(const struct mp_sftp_line *line)
{
	return (ssh_get_poll_flags(line->board->session) & SSH_WRITE_PENDING) != 0;
}

static int wait_socket(struct mp_sftp_line *line, struct mp_error *err)
{
	return mp_board_await(line->board, TURN_MS, err) < 0 ? -1 : 0;
}

static int open_channel(struct mp_sftp_line *line, struct mp_error *err)
{
	ssh_session session = mp_board_session(line->board);
	int64_t deadline = mp_board_now_ms() + START_MS;
	ssh_channel channel = ssh_channel_new(session);
	bool opened = false;
	int rc;

	if (!channel)
		return mp_fail_memory(err, "an sftp channel");
	line->channel = channel;
	for (;;) {
		rc = opened ? ssh_channel_request_subsystem(channel, "sftp") : ssh_channel_open_session(channel);
		if (rc == SSH_OK && opened)
			return 0;
		if (rc == SSH_OK)
			opened = true;
		else if (rc != SSH_AGAIN)
			return mp_fail(err, "board '%s': has no sftp server: %s", mp_board_name(line->board),
			    ssh_get_error(session));
		else if (mp_board_now_ms() > deadline)
			return mp_fail(err, "board '%s': sftp does not start within %d s", mp_board_name(line->board),
			    START_MS / 1000);
		else if (wait_socket(line, err))
			return -1;
	}
}

int mp_sftp_line_open(struct mp_sftp_line *line, struct mp_board *board, const struct mp_remote *remote,
    struct mp_progress *progress, struct mp_error *err)
{
	struct mp_script script;

	*line = (struct mp_sftp_line){.board = board, .progress = progress};
	if (!remote->sftp_server[0]) {
		if (mp_board_is_local(board))
			return mp_fail(err, "board '%s': has no sftp server", mp_board_name(board));
		return open_channel(line, err);
	}
	mp_script_start(&script);
	mp_script_code(&script, "umask 027; exec ");
	mp_script_word(&script, remote->sftp_server);
	if (mp_script_check(&script, err))
		return -1;
	return mp_pipe_open(&line->pipe, board, script.text, "talk to its sftp server", progress, err);
}

static ssize_t read_channel(struct mp_sftp_line *line, void *bytes, size_t size, struct mp_error *err)
{
	char waste[1024];
	int n = 0;

	/* libssh takes few bytes at a time: a packet needs several rounds. */
	for (int i = 0; i < TAKE_MAX; i++) {
		n = ssh_channel_read_nonblocking(line->channel, bytes, (uint32_t)size, 0);
		if (n != 0 && n != SSH_AGAIN)
			break;
		if (ssh_channel_is_eof(line->channel) || ssh_channel_is_closed(line->channel))
			return -2;
		n = mp_board_pump(line->board, err);
		if (n <= 0)
			break;
		n = 0;
	}
	if (n == SSH_EOF)
		return -2;
	if (n < 0)
		return lost(line, err);
	if (n == 0) /* what it complains of would fill the window */
		(void)ssh_channel_read_nonblocking(line->channel, waste, sizeof(waste), 1);
	return n;
}

ssize_t mp_sftp_line_read(struct mp_sftp_line *line, void *bytes, size_t size, struct mp_error *err)
{
	ssize_t n = line->channel ? read_channel(line, bytes, size, err) : mp_pipe_peek(&line->pipe, bytes, size, err);

	if (n > 0)
		line->quiet_since_ms = 0;
	return n;
}

static ssize_t write_channel(struct mp_sftp_line *line, const void *bytes, size_t size, struct mp_error *err)
{
	uint32_t window;
	int n;

	/* What libssh cannot send at once it would queue: send only into an empty queue. */
	if (is_pending(line) && mp_board_pump(line->board, err) < 0)
		return -1;
	window = ssh_channel_window_size(line->channel);
	if (is_pending(line) || window == 0)
		return 0;
	if (size > WRITE_MAX)
		size = WRITE_MAX;
	n = ssh_channel_write(line->channel, bytes, size < window ? (uint32_t)size : window);
	return n >= 0 ? n : lost(line, err);
}

ssize_t mp_sftp_line_write(struct mp_sftp_line *line, const void *bytes, size_t size, struct mp_error *err)
{
	ssize_t n;

	if (line->channel)
		n = write_channel(line, bytes, size, err);
	else
		n = mp_command_write(line->pipe.command, bytes, size, err);
	if (n > 0)
		line->quiet_since_ms = 0;
	return n < 0 && !line->channel ? mp_pipe_blame(&line->pipe, err) : n;
}

int mp_sftp_line_wait(struct mp_sftp_line *line, bool want_write, struct mp_error *err)
{
	int64_t now = mp_board_now_ms();

	if (!line->channel)
		return mp_pipe_wait(&line->pipe, want_write, &line->quiet_since_ms, err);
	if (line->quiet_since_ms == 0)
		line->quiet_since_ms = now;
	if (now - line->quiet_since_ms > SILENCE_MS)
		return mp_fail(err, "board '%s': the sftp server is silent for %d s", mp_board_name(line->board),
		    SILENCE_MS / 1000);
	if (mp_progress_tell(line->progress, true, err))
		return -1;
	return wait_socket(line, err);
}

/* As mp_pipe_close: the server ends when its input does. */
static void dismiss(struct mp_sftp_line *line)
{
	int64_t deadline = mp_board_now_ms() + DISMISS_MS;
	struct mp_error ignored;
	char waste[4096];

	if (mp_board_is_broken(line->board) || ssh_channel_send_eof(line->channel) != SSH_OK)
		return;
	while (mp_board_now_ms() < deadline && read_channel(line, waste, sizeof(waste), &ignored) >= 0)
		if (mp_progress_tell(line->progress, true, &ignored) || wait_socket(line, &ignored))
			return;
}

void mp_sftp_line_close(struct mp_sftp_line *line)
{
	if (line->channel) {
		dismiss(line);
		ssh_channel_free(line->channel);
	}
	line->channel = NULL;
	mp_pipe_close(&line->pipe);
}

/*
 * pipe.c: the loop that waits for a command: it reads, writes, feeds the input, keeps stderr and measures silence.
 * The code here does not know the meaning of the bytes.
 */
#include "board/connection/pipe.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { TURN_MS = 200, IDLE_MS = 60000, DRAIN_MAX = 16 << 20, DISMISS_MS = 2000, TELL_BYTES = 64 * 1024 };

int mp_progress_tell(struct mp_progress *progress, bool now, struct mp_error *err)
{
	const struct mp_watch *watch = progress ? progress->watch : NULL;

	if (!watch || !watch->progress || (!now && progress->done - progress->told < TELL_BYTES))
		return 0;
	progress->told = progress->done;
	if (watch->progress(watch->user, progress->done, progress->total, progress->files))
		return 0;
	return mp_fail(err, "interrupted");
}

void mp_watch_note(const struct mp_watch *watch, const char *fmt, ...)
{
	char text[512];
	va_list args;

	if (!watch || !watch->note)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	watch->note(watch->user, text);
}

int mp_pipe_open(struct mp_pipe *pipe, struct mp_board *board, const char *script, const char *what,
    struct mp_progress *progress, struct mp_error *err)
{
	*pipe = (struct mp_pipe){.board = board, .progress = progress, .what = what, .idle_ms = IDLE_MS};
	return mp_command_start(&pipe->command, board, script, err);
}

int mp_pipe_open_subsystem(struct mp_pipe *pipe, struct mp_board *board, const char *name, const char *what,
    struct mp_progress *progress, struct mp_error *err)
{
	*pipe = (struct mp_pipe){.board = board, .progress = progress, .what = what, .idle_ms = IDLE_MS};
	return mp_command_start_subsystem(&pipe->command, board, name, err);
}

void mp_pipe_feed(struct mp_pipe *pipe, const char *bytes, size_t size)
{
	pipe->feed = bytes;
	pipe->feed_left = size;
}

/* Keep the first bytes of stderr, and read the rest, too: otherwise the command would block. */
static int collect_complaint(struct mp_pipe *pipe, struct mp_error *err)
{
	char bytes[1024];

	while (!pipe->err_ended) {
		ssize_t n = mp_command_read(pipe->command, MP_STDERR, bytes, sizeof(bytes), err);
		size_t room = sizeof(pipe->complaint) - 1 - pipe->complaint_len;

		if (n == -1)
			return -1;
		if (n == 0)
			return 0;
		if (n == -2) {
			pipe->err_ended = true;
			return 0;
		}
		if (room > (size_t)n)
			room = (size_t)n;
		memcpy(pipe->complaint + pipe->complaint_len, bytes, room);
		pipe->complaint_len += room;
	}
	return 0;
}

static int feed_some(struct mp_pipe *pipe, struct mp_error *err)
{
	if (!pipe->feed || pipe->input_ended)
		return 0;
	while (pipe->feed_left) {
		ssize_t n = mp_command_write(pipe->command, pipe->feed, pipe->feed_left, err);

		if (n < 0)
			return -1;
		if (n == 0)
			return 0;
		pipe->feed += n;
		pipe->feed_left -= (size_t)n;
	}
	pipe->input_ended = true;
	return mp_command_end_input(pipe->command, err);
}

int mp_pipe_wait(struct mp_pipe *pipe, bool want_write, int64_t *quiet_since_ms, struct mp_error *err)
{
	int64_t now = mp_board_now_ms();

	if (*quiet_since_ms == 0)
		*quiet_since_ms = now;
	if (collect_complaint(pipe, err) || mp_progress_tell(pipe->progress, true, err))
		return -1;
	if (now - *quiet_since_ms >= pipe->idle_ms)
		return mp_fail(err, "board '%s': no data moved for %d s, cannot %s", mp_board_name(pipe->board),
		    pipe->idle_ms / 1000, pipe->what);
	return mp_command_wait(pipe->command, want_write || pipe->feed_left > 0, TURN_MS, err);
}

ssize_t mp_pipe_peek(struct mp_pipe *pipe, void *bytes, size_t size, struct mp_error *err)
{
	ssize_t n;

	if (pipe->out_ended)
		return -2;
	if (feed_some(pipe, err))
		return -1;
	n = mp_command_read(pipe->command, MP_STDOUT, bytes, size, err);
	if (n == -2)
		pipe->out_ended = true;
	return n;
}

ssize_t mp_pipe_read(struct mp_pipe *pipe, void *bytes, size_t size, struct mp_error *err)
{
	int64_t quiet_since_ms = 0;

	for (;;) {
		ssize_t n = mp_pipe_peek(pipe, bytes, size, err);

		if (n > 0 || n == -1)
			return n;
		if (n == -2)
			return 0;
		if (mp_pipe_wait(pipe, false, &quiet_since_ms, err))
			return -1;
	}
}

int mp_pipe_write(struct mp_pipe *pipe, const void *bytes, size_t size, struct mp_error *err)
{
	const char *at = bytes;
	char waste[4096];
	int64_t quiet_since_ms = 0;

	while (size) {
		ssize_t n = mp_command_write(pipe->command, at, size, err);

		if (n < 0) {
			struct mp_error ignored;

			collect_complaint(pipe, &ignored);
			return mp_pipe_blame(pipe, err);
		}
		at += n;
		size -= (size_t)n;
		if (n) {
			quiet_since_ms = 0;
			continue;
		}
		n = mp_pipe_peek(pipe, waste, sizeof(waste), err);
		if (n == -1)
			return -1;
		if (n <= 0 && mp_pipe_wait(pipe, true, &quiet_since_ms, err))
			return mp_pipe_blame(pipe, err);
	}
	return 0;
}

int mp_pipe_finish(struct mp_pipe *pipe, int *status, struct mp_error *err)
{
	char waste[16384];
	size_t dropped = 0;
	int64_t quiet_since_ms = 0;
	int ended;

	if (!pipe->input_ended && !pipe->feed) {
		pipe->input_ended = true;
		if (mp_command_end_input(pipe->command, err))
			return -1;
	}
	while (!pipe->out_ended) {
		ssize_t n = mp_pipe_read(pipe, waste, sizeof(waste), err);

		if (n < 0)
			return -1;
		dropped += (size_t)n;
		if (dropped > DRAIN_MAX)
			return mp_fail(
			    err, "board '%s': endless output, cannot %s", mp_board_name(pipe->board), pipe->what);
	}
	pipe->feed_left = 0; /* the command did not read the rest */
	for (;;) {
		if (collect_complaint(pipe, err))
			return -1;
		ended = mp_command_finish(pipe->command, status, err);
		if (ended < 0)
			return -1;
		if (ended) {
			pipe->over = true;
			return 0;
		}
		if (mp_pipe_wait(pipe, false, &quiet_since_ms, err))
			return -1;
	}
}

int mp_pipe_blame(const struct mp_pipe *pipe, struct mp_error *err)
{
	size_t len = strlen(err->text), end = 0;

	while (end < pipe->complaint_len && pipe->complaint[end] != '\n')
		end++;
	if (end == 0 || len + 3 >= sizeof(err->text))
		return -1;
	memcpy(err->text + len, ": ", 3);
	mp_sanitise(err->text + len + 2, sizeof(err->text) - len - 2, pipe->complaint, end);
	return -1;
}

int mp_pipe_succeed(struct mp_pipe *pipe, struct mp_error *err)
{
	int status = 0;

	if (mp_pipe_finish(pipe, &status, err))
		return -1;
	if (status == 0)
		return 0;
	mp_fail(err, "board '%s': cannot %s (exit status %d)", mp_board_name(pipe->board), pipe->what, status);
	return mp_pipe_blame(pipe, err);
}

/* Drop the bytes that a stream has now. Returns their number, or -1. */
static ssize_t waste_stream(struct mp_pipe *pipe, enum mp_stream stream, struct mp_error *err)
{
	char waste[16384];
	size_t all = 0;
	ssize_t n;

	while ((n = mp_command_read(pipe->command, stream, waste, sizeof(waste), err)) > 0 && all < DRAIN_MAX)
		all += (size_t)n;
	return n == -1 ? -1 : (ssize_t)all;
}

/* Let the command end, even when the user stops the transfer: the cleanup still needs the connection. */
static void dismiss(struct mp_pipe *pipe)
{
	int64_t deadline = mp_board_now_ms() + DISMISS_MS;
	struct mp_error ignored;
	size_t all = 0;
	int status;

	if (mp_board_is_broken(pipe->board) || mp_command_end_input(pipe->command, &ignored))
		return;
	while (mp_board_now_ms() < deadline && all < DRAIN_MAX) {
		ssize_t out = waste_stream(pipe, MP_STDOUT, &ignored);

		if (out < 0 || waste_stream(pipe, MP_STDERR, &ignored) < 0 ||
		    mp_command_finish(pipe->command, &status, &ignored) ||
		    mp_command_wait(pipe->command, false, TURN_MS, &ignored))
			return;
		all += (size_t)out;
	}
}

void mp_pipe_close(struct mp_pipe *pipe)
{
	if (pipe->command && !pipe->over)
		dismiss(pipe);
	mp_pipe_drop(pipe);
}

void mp_pipe_drop(struct mp_pipe *pipe)
{
	if (pipe->command)
		mp_command_close(pipe->command);
	pipe->command = NULL;
}

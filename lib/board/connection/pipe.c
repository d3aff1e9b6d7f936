/*
 * pipe.c: the loop that waits for a command: it reads, writes, feeds the input, keeps stderr and takes from the budget;
 * the table of all limits, and what is left of them. The code here does not know the meaning of the bytes.
 */
#include "board/connection/pipe.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "board/connection/board.h"

/* One wait is shorter than this; more is time in which this process was stopped. */
enum { WAIT_MAX_MS = 1000, MIB = 1 << 20 };

/*
 * The answer to a short script is a list of JOBs at most. Within a transfer the caller adds the listed sizes to
 * bytes_max. The lowest rates let a link of 2 KB/s pass that also carries a program's output; a listing by sftp over a
 * slow link has few bytes for each round trip.
 */
static const struct {
	int64_t bytes, lines; /* 0: any number */
	int silent_s, all_s;  /* 0: for ever */
	int rate, rate_s;     /* at least `rate` bytes a second, measured over rate_s; 0: any */
} limits[] = {
    [MP_BUDGET_SCRIPT] = {8 * MIB, 200000, 0, 120, 0, 0},
    [MP_BUDGET_GUARD] = {4096, 16, 0, 60, 0, 0},
    [MP_BUDGET_LISTING] = {1024 * MIB, 8000000, 600, 6 * 3600, 16, 120},
    [MP_BUDGET_TRANSFER] = {256 * MIB, 0, 60, 0, 256, 60},
    [MP_BUDGET_PROGRAM] = {0, 0, 0, 0, 0, 0},
};

void mp_budget_begin(
    struct mp_budget *budget, enum mp_budget_kind kind, const char *board, const char *what, int patience_percent)
{
	*budget = (struct mp_budget){.kind = kind,
	    .board = board,
	    .what = what,
	    .patience_percent = patience_percent,
	    .bytes_max = limits[kind].bytes};
}

static void count_lines(struct mp_budget *budget, const char *at, size_t size)
{
	const char *end = at + size;

	while (at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
		budget->lines++;
		at++;
	}
}

int mp_budget_take(struct mp_budget *budget, const void *bytes, size_t size, struct mp_error *err)
{
	int64_t lines = limits[budget->kind].lines;

	budget->silent_ms = 0;
	budget->window_bytes += (int64_t)size;
	budget->bytes += (int64_t)size;
	if (budget->bytes_max && budget->bytes > budget->bytes_max)
		return mp_fail_board(err, "cannot %s: it sends more than %lld bytes; look at what prints there",
		    budget->board, budget->what, (long long)budget->bytes_max);
	if (!lines)
		return 0;
	count_lines(budget, bytes, size);
	if (budget->lines <= lines)
		return 0;
	return mp_fail_board(err, "cannot %s: it sends more than %lld lines; look at what prints there", budget->board,
	    budget->what, (long long)lines);
}

void mp_budget_sent(struct mp_budget *budget, size_t size)
{
	budget->silent_ms = 0;
	budget->window_bytes += (int64_t)size;
}

/* Whether ms are more than a time of the table, which may be 0. */
static bool exceeds(const struct mp_budget *budget, int64_t ms, int limit_s)
{
	return limit_s && ms >= (int64_t)limit_s * 10 * budget->patience_percent;
}

static int seconds(const struct mp_budget *budget, int limit_s)
{
	return (int)((int64_t)limit_s * budget->patience_percent / 100);
}

#define ADVICE "; for a slow board set MSPROF_BOARD_PATIENCE to more than %d"

int mp_budget_wait(struct mp_budget *budget, int64_t ms, struct mp_error *err)
{
	enum mp_budget_kind kind = budget->kind;
	int percent = budget->patience_percent;
	bool slow;

	if (ms > WAIT_MAX_MS)
		ms = WAIT_MAX_MS;
	budget->waited_ms += ms;
	budget->silent_ms += ms;
	budget->window_ms += ms;
	if (exceeds(budget, budget->silent_ms, limits[kind].silent_s))
		return mp_fail_board(err, "no data moved for %d s, cannot %s" ADVICE, budget->board,
		    seconds(budget, limits[kind].silent_s), budget->what, percent);
	if (exceeds(budget, budget->waited_ms, limits[kind].all_s))
		return mp_fail_board(err, "cannot %s within %d s" ADVICE, budget->board, budget->what,
		    seconds(budget, limits[kind].all_s), percent);
	if (!exceeds(budget, budget->window_ms, limits[kind].rate_s))
		return 0;
	slow = !budget->computes && budget->window_bytes * 1000 < budget->window_ms * limits[kind].rate;
	budget->window_ms = budget->window_bytes = 0;
	if (!slow)
		return 0;
	return mp_fail_board(err, "cannot %s: fewer than %d bytes a second moved for %d s" ADVICE, budget->board,
	    budget->what, limits[kind].rate, seconds(budget, limits[kind].rate_s), percent);
}

enum { TURN_MS = 200, READS_A_TURN = 32, DRAIN_MAX = 16 << 20, DISMISS_MS = 2000, TELL_BYTES = 64 * 1024 };

int mp_progress_tell(struct mp_progress *progress, bool now, struct mp_error *err)
{
	const struct mp_watch *watch = progress ? progress->watch : NULL;

	if (!watch || !watch->progress || (!now && progress->done - progress->told < TELL_BYTES))
		return 0;
	progress->told = progress->done;
	if (watch->progress(watch->user, progress->done, progress->total, progress->files))
		return 0;
	return mp_fail_kind(err, MP_ERROR_INTERRUPTED, "interrupted");
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

static void begin(struct mp_pipe *pipe, struct mp_board *board, const char *what, struct mp_progress *progress)
{
	*pipe = (struct mp_pipe){.board = board, .progress = progress};
	pipe->budget.what = what;
	mp_pipe_budget(pipe, MP_BUDGET_SCRIPT);
}

int mp_pipe_open(struct mp_pipe *pipe, struct mp_board *board, const char *script, const char *what,
    struct mp_progress *progress, struct mp_error *err)
{
	begin(pipe, board, what, progress);
	return mp_command_start(&pipe->command, board, script, err);
}

int mp_pipe_open_subsystem(struct mp_pipe *pipe, struct mp_board *board, const char *name, const char *what,
    struct mp_progress *progress, struct mp_error *err)
{
	begin(pipe, board, what, progress);
	return mp_command_start_subsystem(&pipe->command, board, name, err);
}

void mp_pipe_budget(struct mp_pipe *pipe, enum mp_budget_kind kind)
{
	mp_budget_begin(
	    &pipe->budget, kind, mp_board_name(pipe->board), pipe->budget.what, mp_board_patience(pipe->board));
}

void mp_pipe_feed(struct mp_pipe *pipe, const char *bytes, size_t size)
{
	pipe->feed = bytes;
	pipe->feed_left = size;
}

/* Whoever runs the program asks, too, and reads its output while others ask. */
static int ask(const struct mp_pipe *pipe, struct mp_error *err)
{
	if (pipe->budget.kind == MP_BUDGET_PROGRAM || mp_board_wish(pipe->board) == MP_BOARD_GO_ON)
		return 0;
	return mp_fail_kind(err, MP_ERROR_INTERRUPTED, "interrupted");
}

ssize_t mp_pipe_peek(struct mp_pipe *pipe, enum mp_board_stream stream, void *bytes, size_t size, struct mp_error *err)
{
	bool *ended = stream == MP_STDOUT ? &pipe->out_ended : &pipe->err_ended;
	ssize_t n;

	if (*ended)
		return -2;
	if (ask(pipe, err))
		return -1;
	n = mp_command_read(pipe->command, stream, bytes, size, err);
	if (n == -2)
		*ended = true;
	return n > 0 && mp_budget_take(&pipe->budget, bytes, (size_t)n, err) ? -1 : n;
}

ssize_t mp_pipe_send(struct mp_pipe *pipe, const void *bytes, size_t size, struct mp_error *err)
{
	ssize_t n = mp_command_write(pipe->command, bytes, size, err);

	if (n > 0)
		mp_budget_sent(&pipe->budget, (size_t)n);
	return n;
}

/* Keep the first bytes of stderr, and read the rest, too: otherwise the command would block. */
static int collect_complaint(struct mp_pipe *pipe, struct mp_error *err)
{
	char bytes[1024];

	for (int i = 0; i < READS_A_TURN; i++) {
		ssize_t n = mp_pipe_peek(pipe, MP_STDERR, bytes, sizeof(bytes), err);
		size_t room = sizeof(pipe->complaint) - 1 - pipe->complaint_len;

		if (n <= 0)
			return n == -1 ? -1 : 0;
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
		ssize_t n = mp_pipe_send(pipe, pipe->feed, pipe->feed_left, err);

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

int mp_pipe_wait(struct mp_pipe *pipe, bool want_write, struct mp_error *err)
{
	int64_t began_ms;

	if (ask(pipe, err) || collect_complaint(pipe, err) || mp_progress_tell(pipe->progress, true, err))
		return -1;
	began_ms = mp_board_now_ms();
	if (mp_command_wait(pipe->command, want_write || pipe->feed_left > 0, TURN_MS, err))
		return -1;
	return mp_budget_wait(&pipe->budget, mp_board_now_ms() - began_ms, err);
}

ssize_t mp_pipe_read(struct mp_pipe *pipe, void *bytes, size_t size, struct mp_error *err)
{
	for (;;) {
		ssize_t n = pipe->out_ended        ? -2
			    : feed_some(pipe, err) ? -1
						   : mp_pipe_peek(pipe, MP_STDOUT, bytes, size, err);

		if (n > 0 || n == -1)
			return n;
		if (n == -2)
			return 0;
		if (mp_pipe_wait(pipe, false, err))
			return -1;
	}
}

int mp_pipe_write(struct mp_pipe *pipe, const void *bytes, size_t size, struct mp_error *err)
{
	const char *at = bytes;
	char waste[4096];

	while (size) {
		ssize_t n = mp_pipe_send(pipe, at, size, err);

		if (n < 0) {
			struct mp_error ignored;

			collect_complaint(pipe, &ignored);
			return mp_pipe_blame(pipe, err);
		}
		at += n;
		size -= (size_t)n;
		if (n)
			continue;
		n = mp_pipe_peek(pipe, MP_STDOUT, waste, sizeof(waste), err);
		if (n == -1)
			return -1;
		if (n <= 0 && mp_pipe_wait(pipe, true, err))
			return mp_pipe_blame(pipe, err);
	}
	return 0;
}

int mp_pipe_finish(struct mp_pipe *pipe, int *status, struct mp_error *err)
{
	char waste[16384];
	int ended;

	if (!pipe->input_ended && !pipe->feed) {
		pipe->input_ended = true;
		if (mp_command_end_input(pipe->command, err))
			return -1;
	}
	while (!pipe->out_ended)
		if (mp_pipe_read(pipe, waste, sizeof(waste), err) < 0)
			return -1;
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
		if (mp_pipe_wait(pipe, false, err))
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

int mp_pipe_attribute(const struct mp_pipe *pipe, struct mp_error *err)
{
	struct mp_error inner = *err;

	if (inner.kind == MP_ERROR_BOARD || inner.kind == MP_ERROR_INTERRUPTED)
		return -1;
	return mp_fail_because(
	    err, &inner, "board '%s': cannot %s: %s", mp_board_name(pipe->board), pipe->budget.what, inner.text);
}

int mp_pipe_succeed(struct mp_pipe *pipe, struct mp_error *err)
{
	int status = 0;

	if (mp_pipe_finish(pipe, &status, err))
		return -1;
	if (status == 0)
		return 0;
	mp_fail_board(err, "cannot %s (exit status %d)", mp_board_name(pipe->board), pipe->budget.what, status);
	return mp_pipe_blame(pipe, err);
}

int mp_board_run(struct mp_board *board, const char *script, const char *what, char *out, size_t size, int *status,
    struct mp_error *err)
{
	struct mp_pipe pipe;
	size_t len = 0;
	ssize_t n = 1;
	int result;

	out[0] = '\0';
	if (mp_pipe_open(&pipe, board, script, what, NULL, err))
		return -1;
	mp_pipe_feed(&pipe, "", 0);
	while (n > 0 && len < size - 1) {
		n = mp_pipe_read(&pipe, out + len, size - 1 - len, err);
		len += n > 0 ? (size_t)n : 0;
	}
	out[len] = '\0';
	result = n < 0 ? -1 : mp_pipe_finish(&pipe, status, err);
	mp_pipe_close(&pipe);
	return result;
}

/* Drop the bytes that a stream has now, beyond any budget. Returns their number, or -1. */
static ssize_t waste_stream(struct mp_pipe *pipe, enum mp_board_stream stream, struct mp_error *err)
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
	while (mp_board_now_ms() < deadline && all < DRAIN_MAX && mp_board_wish(pipe->board) != MP_BOARD_LEAVE) {
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

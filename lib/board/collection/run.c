/* run.c: runs the program on the board to its end: by itself, by the user, or by the time limit. */
#include "board/collection/collect_internal.h"

#include <stdlib.h>
#include <string.h>

#include "board/collection/remote_program.h"

enum { TURN_MS = 200, STREAM_MS = 2000, READS_A_TURN = 32, GIVE_UP_MS = 12000, WORDS_MAX = 1024 };

int mp_collect_pump(struct mp_collect *c, struct mp_error *err)
{
	char bytes[16384];

	for (int s = MP_STDOUT; s <= MP_STDERR; s++) {
		for (int i = 0; i < READS_A_TURN; i++) {
			ssize_t n = mp_pipe_peek(&c->program, (enum mp_stream)s, bytes, sizeof(bytes), err);

			if (n == -1)
				return -1;
			if (n <= 0)
				break;
			c->events->output(c->events->user, (enum mp_stream)s, bytes, (size_t)n);
		}
	}
	return 0;
}

static int start(struct mp_collect *c, struct mp_error *err)
{
	const char *words[WORDS_MAX + 2];
	char pid_file[MP_REMOTE_PATH], group_file[MP_REMOTE_PATH], path[512];
	const struct mp_remote_program program = {
	    c->run_dir, words, pid_file, group_file, c->guard_mark, c->stats_file, mp_collect_stats_wanted(c)};
	size_t n = 0;

	if (mp_collect_remote_path(c, MP_COLLECT_PID, pid_file, err) ||
	    mp_collect_remote_path(c, MP_COLLECT_GROUP, group_file, err))
		return -1;
	if (strlen(c->main_name) + 3 > sizeof(path))
		return mp_fail(err, "the name of the program is too long");
	strcat(strcpy(path, "./"), c->main_name);
	words[n++] = path;
	for (const char *const *w = c->options->argv + 1; *w; w++) {
		if (n == WORDS_MAX + 1)
			return mp_fail(err, "more than %d words for the program", WORDS_MAX);
		words[n++] = *w;
	}
	words[n] = NULL;
	c->started_ms = mp_board_now_ms();
	return mp_remote_program_start(&c->program, c->board, &c->remote, &program, err);
}

static int stop(struct mp_collect *c, struct mp_error *err)
{
	c->stop_ms = mp_board_now_ms();
	c->timed_out = mp_collect_interrupts(c) == 0;
	if (c->timed_out)
		mp_collect_say(
		    c, MP_COLLECT_WARNING, "the program did not end within %d s: it is stopped", c->options->timeout_s);
	else
		mp_collect_say(c, MP_COLLECT_WARNING,
		    "the program is stopped, and its data fetched (interrupt again to leave at once)");
	return mp_collect_guard_stop(c, err);
}

/* Returns 1 with the exit status, 0 when the output of a stopped program does not end, -1 on error. */
static int wait_for_end(struct mp_collect *c, int *status, struct mp_error *err)
{
	int64_t streamed_ms = mp_board_now_ms();
	int ended;

	while ((ended = mp_command_finish(c->program.command, status, err)) == 0) {
		if (mp_collect_pump(c, err) || (!c->stop_ms && mp_collect_should_stop(c) && stop(c, err)))
			return -1;
		if (mp_collect_interrupts(c) > 1)
			return mp_fail(err, "left at once; the board cleans up alone");
		if (c->stop_ms && mp_board_now_ms() - c->stop_ms > GIVE_UP_MS * mp_board_patience(c->board) / 100)
			return 0;
		if (c->options->stream && !c->warm_up && !c->stream_off && !c->stop_ms &&
		    mp_board_now_ms() - streamed_ms >= STREAM_MS) {
			if (mp_collect_jobs_slices(c, err))
				return -1;
			streamed_ms = mp_board_now_ms();
		}
		if (mp_command_wait(c->program.command, false, TURN_MS, err))
			return -1;
	}
	return ended;
}

static void evaluate(struct mp_collect *c, int ended, int status)
{
	if (c->stop_ms) {
		c->outcome |= c->timed_out ? MP_COLLECT_PROGRAM : MP_COLLECT_INTERRUPTED;
		if (!ended)
			mp_collect_say(c, MP_COLLECT_WARNING,
			    "the program was stopped, but another process keeps its output open");
		return;
	}
	if (status == 0) {
		mp_collect_say(c, MP_COLLECT_INFO, "the program ended after %lld s",
		    (long long)(mp_board_now_ms() - c->started_ms) / 1000);
		return;
	}
	c->outcome |= MP_COLLECT_PROGRAM;
	c->not_run = status == 126 || status == 127;
	if (c->not_run)
		mp_collect_say(
		    c, MP_COLLECT_ERROR, "'%s' cannot be run on the board (exit status %d)", c->main_name, status);
	else if (status > 128 && status < 128 + 65)
		mp_collect_say(c, MP_COLLECT_ERROR, "'%s' was killed by signal %d (exit status %d)", c->main_name,
		    status - 128, status);
	else
		mp_collect_say(c, MP_COLLECT_ERROR, "'%s' failed with exit status %d", c->main_name, status);
}

int mp_collect_program(struct mp_collect *c, struct mp_error *err)
{
	int ended, status = 0;

	if (mp_collect_stats_begin(c, err) || start(c, err))
		return -1;
	c->interrupts_max = 1; /* the first one ends the program */
	ended = wait_for_end(c, &status, err);
	mp_pipe_drop(&c->program);
	if (ended < 0)
		return -1;
	evaluate(c, ended, status);
	/* stop children that outlived the program: they might still write to the JOB */
	return mp_collect_guard_settle(c, err);
}

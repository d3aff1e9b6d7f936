/*
 * run.c: runs the program on the board to its end: by itself, by the user, or by the time limit; as often as asked for.
 * What each run made is fetched, or thrown away.
 *
 * Samples of the board grow in a file of the project's directory there, before, during and after a run. They begin
 * here, go on beside the program (run_program.sh), and are put into each JOB of the run before it is fetched: so they
 * come with its other files, also after a cut. A run without samples is a whole run: what fails then is a warning.
 */
#include "board/collection/collect_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board/connection/pipe.h"

int mp_remote_program_start(struct mp_pipe *pipe, struct mp_board *board, const struct mp_remote *remote,
    const struct mp_remote_program *program, struct mp_error *err)
{
	struct mp_script script;

	mp_script_start(&script);
	mp_script_directory_argument(&script, program->dir);
	mp_script_argument(&script, program->pid_file);
	mp_script_argument(&script, program->group_file);
	mp_script_argument(&script, program->mark);
	mp_script_argument(&script, remote->setsid ? "setsid" : "group");
	mp_script_argument(&script, program->stats_file);
	mp_script_argument(&script, program->stats ? mp_sh_board_stats : "");
	for (const char *const *word = program->argv; *word; word++)
		mp_script_argument(&script, *word);
	mp_script_body(&script, mp_sh_run_program);
	*pipe = (struct mp_pipe){0};
	if (mp_script_check(&script, err) || mp_pipe_open(pipe, board, script.text, "run the program", NULL, err))
		return -1;
	mp_pipe_budget(pipe, MP_BUDGET_PROGRAM);
	return 0;
}

static bool stats_wanted(const struct mp_collect *c)
{
	return c->options->board_stats && !c->warm_up;
}

/* Run a script whose answer does not matter. Returns 0, or -1 with err. */
static int run(struct mp_collect *c, const struct mp_script *script, const char *what, struct mp_error *err)
{
	char answer[64];
	int status;

	if (mp_script_check(script, err) ||
	    mp_board_run(c->board, script->text, what, answer, sizeof(answer), &status, err))
		return -1;
	return status ? mp_fail(err, "exit status %d", status) : 0;
}

static void warn(struct mp_collect *c, const char *what, const struct mp_error *err)
{
	mp_collect_say(c, MP_COLLECT_WARNING, "%s: %s", what, err->text);
}

static int begin_stats(struct mp_collect *c, struct mp_error *err)
{
	struct mp_script script;

	if (mp_collect_remote_path(c, MP_COLLECT_STATS, c->stats_file, err))
		return -1;
	if (!stats_wanted(c))
		return 0;
	mp_script_make(&script, mp_sh_board_stats, (const char *const[]){"", c->stats_file, "before", NULL});
	if (run(c, &script, "write the first samples", err) == 0)
		return 0;
	if (mp_board_is_broken(c->board))
		return -1;
	warn(c, "cannot sample the board", err);
	return 0;
}

/* Give the samples to a JOB on the board; without a JOB remove them. Returns 0, or -1 with err. */
static int place(struct mp_collect *c, const char *job, struct mp_error *err)
{
	struct mp_script script;

	if (mp_collect_remote_path(c, MP_COLLECT_STATS, c->stats_file, err))
		return -1;
	mp_script_make(&script, mp_sh_place_stats, (const char *const[]){c->stats_file, job, NULL});
	return run(c, &script, "move the samples", err);
}

/* A broken connection is noticed by what follows, which tells it. */
static void try_place(struct mp_collect *c, const char *job, const char *what)
{
	struct mp_error err;

	if (!stats_wanted(c) && !(c->resumed && c->real[0]))
		return;
	if (place(c, job, &err) && !mp_board_is_broken(c->board))
		warn(c, what, &err);
}

void mp_collect_stats_place(struct mp_collect *c, const char *job)
{
	try_place(c, job, "cannot put the samples of the board into the JOB");
}

void mp_collect_stats_end(struct mp_collect *c)
{
	try_place(c, NULL, "cannot remove the samples from the board");
}

enum { TURN_MS = 200, STREAM_MS = 2000, READS_A_TURN = 32, GIVE_UP_MS = 12000, WORDS_MAX = 1024 };

int mp_collect_pump(struct mp_collect *c, struct mp_error *err)
{
	char bytes[16384];

	for (int s = MP_STDOUT; s <= MP_STDERR; s++) {
		for (int i = 0; i < READS_A_TURN; i++) {
			ssize_t n = mp_pipe_peek(&c->program, (enum mp_board_stream)s, bytes, sizeof(bytes), err);

			if (n == -1)
				return -1;
			if (n <= 0)
				break;
			c->events->output(c->events->user, (enum mp_board_stream)s, bytes, (size_t)n);
		}
	}
	return 0;
}

static int start(struct mp_collect *c, struct mp_error *err)
{
	const char *words[WORDS_MAX + 2];
	char pid_file[MP_REMOTE_PATH], group_file[MP_REMOTE_PATH], path[512];
	const struct mp_remote_program program = {
	    c->run_dir, words, pid_file, group_file, c->guard_mark, c->stats_file, stats_wanted(c)};
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
	c->not_run = status == 126 || status == 127;
	if (!c->not_run)
		mp_collect_say(c, MP_COLLECT_INFO, "the program ended after %lld s",
		    (long long)(mp_board_now_ms() - c->started_ms) / 1000);
	if (status == 0)
		return;
	c->outcome |= MP_COLLECT_PROGRAM;
	if (c->not_run)
		snprintf(c->failure, sizeof(c->failure), "'%s' cannot be run on the board (exit status %d)",
		    c->main_name, status);
	else if (status > 128 && status < 128 + 65)
		snprintf(c->failure, sizeof(c->failure), "'%s' was killed by signal %d (exit status %d)", c->main_name,
		    status - 128, status);
	else
		snprintf(c->failure, sizeof(c->failure), "'%s' failed with exit status %d", c->main_name, status);
}

/* Run the program until it ends or is stopped. Returns 0 when the program ran; the outcome has the rest. */
static int run_once(struct mp_collect *c, struct mp_error *err)
{
	int ended, status = 0;

	if (begin_stats(c, err) || start(c, err))
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

/* A run of several, or the only one. */
struct turn {
	const char *kind;
	int at, of;
	int after; /* runs that are still to be made */
	bool only; /* there is no other run and no warm-up */
};

static void tell_begin(struct mp_collect *c, const struct turn *t)
{
	if (t->only)
		mp_collect_say(c, MP_COLLECT_INFO, "running '%s' in '%s'", c->main_name, c->run_dir);
	else
		mp_collect_say(c, MP_COLLECT_INFO, "%s %d of %d: running '%s' in '%s'", t->kind, t->at, t->of,
		    c->main_name, c->run_dir);
}

/* JOBs since `first` are of a run that failed or was stopped: a comparison would take them for samples. */
static void tell_failed(struct mp_collect *c, const struct turn *t, size_t first)
{
	for (size_t i = first; i < c->done_count; i++)
		mp_collect_say(c, MP_COLLECT_WARNING, "%s is of a run that failed: it is not a sample", c->done[i]);
	if (t->after)
		mp_collect_say(c, MP_COLLECT_WARNING, "%s %d of %d did not succeed: %d further run%s not made", t->kind,
		    t->at, t->of, t->after, t->after == 1 ? " is" : "s are");
	else
		mp_collect_say(c, MP_COLLECT_WARNING, "%s %d of %d did not succeed", t->kind, t->at, t->of);
}

/* Files that were left out of a JOB end no repetition. */
static bool failed(const struct mp_collect *c)
{
	return (c->outcome & ~(unsigned)MP_COLLECT_DAMAGED) != 0;
}

/* Returns 0 when another run may follow, 1 when none should, -1 when the program did not run to its end. */
static int take_turn(struct mp_collect *c, const struct turn *t, struct mp_error *err)
{
	size_t first = c->done_count;

	if (c->done_count && mp_collect_interrupts(c) > 0) {
		c->outcome |= MP_COLLECT_INTERRUPTED;
		return 1;
	}
	tell_begin(c, t);
	if (run_once(c, err))
		return -1;
	if (c->warm_up && !failed(c))
		mp_collect_jobs_discard(c);
	else
		mp_collect_jobs_pull(c);
	if (!failed(c))
		return 0;
	if (!t->only)
		tell_failed(c, t, first);
	return 1;
}

int mp_collect_runs(struct mp_collect *c, struct mp_error *err)
{
	const int warm_ups = c->options->discard, runs = c->options->repeat > 1 ? c->options->repeat : 1;
	int status = 0;

	c->warm_up = true;
	for (int i = 1; i <= warm_ups && !status; i++)
		status = take_turn(c, &(struct turn){"warm-up", i, warm_ups, warm_ups - i + runs, false}, err);
	c->warm_up = false;
	for (int i = 1; i <= runs && !status; i++) {
		c->runs_left = runs - i;
		if (mp_collect_record_write(c, err))
			return -1;
		status = take_turn(c, &(struct turn){"run", i, runs, runs - i, runs == 1 && !warm_ups}, err);
		if (status < 0)
			c->unfinished = true;
	}
	return status < 0 ? -1 : 0;
}

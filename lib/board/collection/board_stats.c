/*
 * board_stats.c: samples of the board before, during and after a run.
 *
 * The samples grow in a file of the project's directory on the board. They begin here, go on beside the program
 * (run_program.sh), and are put into each JOB of the run before it is fetched: so they come with its other files, also
 * after a cut. A run without samples is a whole run: what fails here is a warning.
 */
#include "board/collection/collect_internal.h"

#include <string.h>

#include "board/collection/collection_sh.h"

bool mp_collect_stats_wanted(const struct mp_collect *c)
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

int mp_collect_stats_begin(struct mp_collect *c, struct mp_error *err)
{
	struct mp_script script;

	if (mp_collect_remote_path(c, MP_COLLECT_STATS, c->stats_file, err))
		return -1;
	if (!mp_collect_stats_wanted(c))
		return 0;
	mp_script_start(&script);
	mp_script_argument(&script, "");
	mp_script_argument(&script, c->stats_file);
	mp_script_argument(&script, "before");
	mp_script_body(&script, mp_sh_board_stats);
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
	mp_script_start(&script);
	mp_script_argument(&script, c->stats_file);
	if (job)
		mp_script_argument(&script, job);
	mp_script_body(&script, mp_sh_place_stats);
	return run(c, &script, "move the samples", err);
}

/* A broken connection is noticed by what follows, which tells it. */
static void try_place(struct mp_collect *c, const char *job, const char *what)
{
	struct mp_error err;

	if (!mp_collect_stats_wanted(c) && !(c->resumed && c->real[0]))
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

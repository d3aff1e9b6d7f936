/* resume.c: continues after a cut: first JOBs with a journal, then JOBs that the program made and nobody fetched. */
#include "board/collection/collect_internal.h"

#include <stdlib.h>
#include <string.h>

#include "board/transfer/journal.h"

static void resume_one(struct mp_collect *c, const char *name)
{
	struct mp_journal journal;
	struct mp_error err;
	int status = mp_journal_read(&journal, c->options->outfd, name, &err);

	if (status < 0)
		mp_collect_blame(c, MP_COLLECT_FAILED, &err);
	if (status)
		return;
	if (strcmp(journal.host, mp_board_name(c->board)) == 0) {
		mp_collect_job_resume(c, journal.job);
	} else {
		c->outcome |= MP_COLLECT_FAILED;
		mp_collect_say(c, MP_COLLECT_ERROR, "%s belongs to '%s', not to '%s'", name, journal.host,
		    mp_board_name(c->board));
	}
	mp_journal_free(&journal);
}

static void resume_journals(struct mp_collect *c, size_t *count)
{
	struct mp_error err;
	char **names = NULL;

	if (mp_journal_list(c->options->outfd, &names, count, &err)) {
		*count = 0;
		mp_collect_blame(c, MP_COLLECT_FAILED, &err);
		return;
	}
	for (size_t i = 0; i < *count; i++) {
		if (!(c->outcome & (MP_COLLECT_LOST | MP_COLLECT_INTERRUPTED)))
			resume_one(c, names[i]);
		free(names[i]);
	}
	free(names);
}

/* Start the guard and the mount again. The record is written again because it names the guard. */
static int return_to(struct mp_collect *c, struct mp_error *err)
{
	if (mp_collect_guard_start(c, err))
		return -1;
	if (c->mount_path && mp_collect_mount(c, err)) {
		mp_collect_say(
		    c, MP_COLLECT_INFO, "JOBs of this collection are in '%s' on this machine", c->mount_path);
		return -1;
	}
	return mp_collect_record_write(c, err);
}

static void resume_all(struct mp_collect *c)
{
	struct mp_error err;
	size_t count = 0;
	int record = mp_collect_record_read(c, &err);

	if (record < 0 || (record == 0 && return_to(c, &err))) {
		mp_collect_blame(c, MP_COLLECT_FAILED, &err);
		mp_collect_clear_up(c);
		return;
	}
	if (record == 0)
		mp_collect_jobs_look(c);
	resume_journals(c, &count);
	if (record == 0 && !(c->outcome & (MP_COLLECT_LOST | MP_COLLECT_INTERRUPTED)))
		mp_collect_jobs_rest(c);
	if (record == 0 && c->runs_left && !c->outcome)
		mp_collect_say(c, MP_COLLECT_WARNING,
		    "the last %d run%s not made: msprof collect --repeat %d --output '%s' makes %s", c->runs_left,
		    c->runs_left == 1 ? " was" : "s were", c->runs_left, c->options->output,
		    c->runs_left == 1 ? "it" : "them");
	if (!c->done_count && !c->outcome)
		mp_collect_say(c, MP_COLLECT_INFO, "nothing to resume: no unfinished JOB there");
	mp_collect_clear_up(c);
	if (record == 0 && !(c->outcome & ~(unsigned)MP_COLLECT_DAMAGED))
		mp_collect_record_remove(c);
}

unsigned mp_collect_resume(
    struct mp_collect **collect, const struct mp_collect_options *options, struct mp_board *board)
{
	struct mp_collect *c = calloc(1, sizeof(*c));
	struct mp_error err;

	*collect = c;
	if (!c)
		return MP_COLLECT_FAILED;
	c->options = options;
	c->events = options->events;
	c->projectfd = -1;
	c->resumed = true;
	if (mp_collect_probe(c, board, &err))
		mp_collect_blame(c, MP_COLLECT_LOST, &err);
	else
		resume_all(c);
	mp_pipe_drop(&c->guard);
	return c->outcome;
}

/*
 * jobs.c: finds the JOBs that the program made, fetches them, and removes them from the board if asked to. Continues
 * after a cut: first JOBs with a journal, then JOBs that the program made and nobody fetched.
 */
#include "board/collection/collect_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "board/transfer/transfer.h"

static int list(struct mp_collect *c, struct mp_remote_jobs *jobs, struct mp_error *err)
{
	const char *dirs[] = {c->real, c->run_dir, c->job_dir};

	return mp_remote_jobs_list(jobs, c->board, &c->remote, dirs, c->job_dir[0] ? 3 : 2, &c->watch, err);
}

int mp_collect_jobs_before(struct mp_collect *c, struct mp_error *err)
{
	const struct mp_collect_options *o = c->options;

	if (!c->remote.list && (o->clean || o->stream || o->discard))
		return mp_fail_board(err,
		    "has no stat, which tells new JOBs from earlier ones: nothing can be removed there by "
		    "--clean, --stream or --discard",
		    mp_board_name(c->board));
	if (!list(c, &c->earlier, err))
		return 0;
	if (!mp_board_is_broken(c->board) && !mp_collect_interrupts(c))
		mp_collect_say(c, MP_COLLECT_INFO,
		    "hint: earlier JOBs must be known before the program runs: the user of the board must be able to "
		    "read every directory there");
	return -1;
}

static int list_new(struct mp_collect *c, struct mp_error *err)
{
	mp_remote_jobs_free(&c->jobs);
	c->jobs_tried = c->jobs_failed = 0;
	if (!list(c, &c->jobs, err) && !mp_remote_jobs_subtract(&c->jobs, &c->earlier, err))
		return 0;
	mp_remote_jobs_free(&c->jobs);
	return -1;
}

/* A board may name JOBs without number, and each costs several conversations. Says why no other is tried. */
static bool tried_enough(struct mp_collect *c)
{
	struct mp_error err;

	if (c->jobs_tried < MP_BUDGET_JOBS && c->jobs_failed < MP_BUDGET_JOBS_FAILED)
		return false;
	c->unfinished = true;
	if (c->jobs_failed >= MP_BUDGET_JOBS_FAILED)
		mp_fail_board(&err, "has %zu new JOBs, and %d in a row cannot be fetched: no other is tried",
		    mp_board_name(c->board), c->jobs.count, MP_BUDGET_JOBS_FAILED);
	else
		mp_fail_board(&err,
		    "has %zu new JOBs, and a command fetches %d at most: move the others, or fetch them "
		    "with --resume",
		    mp_board_name(c->board), c->jobs.count, MP_BUDGET_JOBS);
	mp_collect_blame(c, MP_COLLECT_FAILED, &err);
	return true;
}

/* A JOB that may have been there before the list is neither changed nor removed, whoever made it. */
static void tell_stays(struct mp_collect *c, const char *job, const char *why)
{
	c->outcome |= MP_COLLECT_DAMAGED;
	mp_collect_say(c, MP_COLLECT_WARNING, "'%s' stays on the board, because %s", job, why);
}

#define MAY_BE_OLDER "it may be older than this collection"

static const char *name_of(const char *job)
{
	const char *slash = strrchr(job, '/');

	return slash ? slash + 1 : job;
}

/* A board writes a name again where a model is loaded again; then its marker tells of the second file alone. */
static void tell_again(struct mp_collect *c, const char *name, const struct mp_pull_result *r)
{
	if (!r->again)
		return;
	c->outcome |= MP_COLLECT_DAMAGED;
	mp_collect_say(c, MP_COLLECT_WARNING,
	    "%s: %zu file%s written again after --stream had removed %s; the first ones are kept as NAME.before.N",
	    name, r->again, r->again == 1 ? " was" : "s were", r->again == 1 ? "it" : "them");
}

/* A failed round does not stop the program: everything is fetched at its end. */
int mp_collect_jobs_slices(struct mp_collect *c, struct mp_error *err)
{
	const struct mp_pull_options options = {.checksum = true, .watch = &c->watch};
	struct mp_pull_result result;
	int status = list_new(c, err);

	for (size_t i = 0; !status && i < c->jobs.count && i < MP_BUDGET_JOBS && !mp_collect_should_stop(c); i++) {
		const char *path = c->jobs.items[i].path;

		if (!c->jobs.items[i].created)
			continue;
		mp_collect_transfer_begin(c, "streaming %s", name_of(path));
		status = mp_pull_slices(c->board, &c->remote, path, c->options->outfd, &options, &result, err);
		mp_collect_transfer_end(c);
		tell_again(c, name_of(path), &result);
		if (!status && result.files)
			mp_collect_say(c, MP_COLLECT_INFO, "%s: %zu file%s fetched and removed from the board",
			    name_of(path), result.files, result.files == 1 ? "" : "s");
	}
	if (!status || mp_board_is_broken(c->board))
		return status;
	if (!mp_collect_should_stop(c)) {
		c->stream_off = true;
		mp_collect_say(c, MP_COLLECT_WARNING, "no further streaming: %s", err->text);
	}
	return 0;
}

/* Its inode may be that of another JOB from now on. */
static int remove_job(struct mp_collect *c, struct mp_remote_job *job, struct mp_error *err)
{
	struct mp_script script;
	struct mp_pipe pipe;
	char what[512];
	int status;

	snprintf(what, sizeof(what), "remove '%.400s'", job->path);
	mp_script_start(&script);
	mp_script_code(&script, "exec rm -rf -- ");
	mp_script_word(&script, job->path);
	if (mp_script_check(&script, err) || mp_pipe_open(&pipe, c->board, script.text, what, NULL, err))
		return -1;
	status = mp_pipe_succeed(&pipe, err);
	mp_pipe_close(&pipe);
	if (!status)
		job->inode = 0;
	return status;
}

/* Remove only JOBs of this collection that it fetched whole: a JOB that was here before was not compared. */
static int remove_fetched(
    struct mp_collect *c, struct mp_remote_job *job, const struct mp_pull_result *r, struct mp_error *err)
{
	if (r->already)
		return 0;
	if (r->refused)
		tell_stays(c, job->path, "it was not fetched whole");
	else if (c->remote.sha256sum && !r->summed)
		tell_stays(c, job->path, "not all of its sums could be compared");
	else if (!job->created)
		tell_stays(c, job->path, MAY_BE_OLDER);
	else
		return remove_job(c, job, err);
	return 0;
}

static int remember(struct mp_collect *c, const char *name, struct mp_error *err)
{
	if (!mp_vec_room(c->done, c->done_count, 1))
		return mp_fail_memory(err, "the list of JOBs");
	c->done[c->done_count] = strdup(name);
	if (!c->done[c->done_count])
		return mp_fail_memory(err, "the list of JOBs");
	c->done_count++;
	return 0;
}

static void tell_pulled(struct mp_collect *c, const char *name, const struct mp_pull_result *r)
{
	if (r->already && mp_collect_mount_is_output(c)) {
		mp_collect_say(c, MP_COLLECT_INFO, "%s came through the mount", name);
		return;
	}
	if (r->already) {
		mp_collect_say(c, MP_COLLECT_WARNING, "'%s' exists here already, and was not fetched again", name);
		return;
	}
	mp_collect_say(c, MP_COLLECT_INFO, "fetched %s: %zu file%s, %lld bytes%s", name, r->files + r->kept,
	    r->files + r->kept == 1 ? "" : "s", (long long)r->bytes, r->summed ? ", sums compared" : "");
	if (c->options->checksum && !r->summed)
		mp_collect_say(c, MP_COLLECT_WARNING, "%s: not all sums could be compared, only sizes and times", name);
	tell_again(c, name, r);
	if (r->refused) {
		c->outcome |= MP_COLLECT_DAMAGED;
		mp_collect_say(
		    c, MP_COLLECT_WARNING, "%s: %zu name%s left out", name, r->refused, r->refused == 1 ? "" : "s");
	}
}

static void pull(struct mp_collect *c, struct mp_remote_job *job)
{
	const struct mp_pull_options options = {
	    .checksum = true, .sync = c->options->clean, .label = c->options->label, .watch = &c->watch};
	const char *name = name_of(job->path);
	struct mp_pull_result result;
	struct mp_error err;
	int status;

	if (job->created)
		mp_collect_stats_place(c, job->path);
	mp_collect_transfer_begin(c, "fetching %s", name);
	status = mp_pull_job(c->board, &c->remote, job->path, c->options->outfd, &options, &result, &err);
	mp_collect_transfer_end(c);
	c->jobs_tried++;
	c->jobs_failed = status ? c->jobs_failed + 1 : 0;
	if (status) {
		c->unfinished = true;
		mp_collect_blame(c, MP_COLLECT_FAILED, &err);
		return;
	}
	tell_pulled(c, name, &result);
	if (remember(c, name, &err) || (c->options->clean && remove_fetched(c, job, &result, &err)))
		mp_collect_blame(c, MP_COLLECT_FAILED, &err);
}

static void tell_none(struct mp_collect *c)
{
	if (!c->acl->settings.on) {
		mp_collect_say(c, MP_COLLECT_INFO, "no JOB appeared: the switch is off");
		return;
	}
	if (c->not_run) {
		mp_collect_say(c, MP_COLLECT_INFO, "no JOB appeared: the program did not run");
		return;
	}
	if (c->failure[0]) {
		mp_collect_say(c, MP_COLLECT_INFO, "no JOB appeared: the program failed");
		return;
	}
	c->outcome |= MP_COLLECT_FAILED;
	mp_collect_say(c, MP_COLLECT_ERROR,
	    "Failed to generate JOB, please check whether the profiling function is "
	    "enabled in the board project, or try again.");
	mp_collect_say(c, MP_COLLECT_INFO,
	    "hint: the program runs in '%s' and must pass the path of '%s/%s' to svp_acl_init; with NULL or an "
	    "empty path nothing is collected",
	    c->run_dir, c->real, c->acl_rel);
	mp_collect_say(
	    c, MP_COLLECT_INFO, "hint: convert the model with --online_model_type=2; otherwise there is no data");
	mp_collect_say(c, MP_COLLECT_INFO, "hint: switch AIISP off; otherwise there is no JOB");
	mp_collect_say(c, MP_COLLECT_INFO, "hint: the output directory '%s' must exist and be writable for the program",
	    c->job_dir[0] ? c->job_dir : c->run_dir);
}

void mp_collect_jobs_pull(struct mp_collect *c)
{
	struct mp_error err;

	/* a further interrupt stops the list and the transfers */
	c->interrupts_max = mp_collect_interrupts(c);
	if (list_new(c, &err)) {
		c->unfinished = true;
		mp_collect_blame(c, MP_COLLECT_FAILED, &err);
		return;
	}
	if (!c->jobs.count)
		tell_none(c);
	for (size_t i = 0; i < c->jobs.count && !(c->outcome & MP_COLLECT_LOST); i++) {
		if (mp_collect_interrupts(c) > c->interrupts_max) {
			c->unfinished = true;
			return;
		}
		if (tried_enough(c))
			return;
		pull(c, &c->jobs.items[i]);
	}
	mp_collect_stats_end(c);
	if (mp_remote_jobs_move(&c->earlier, &c->jobs, &err))
		mp_collect_blame(c, MP_COLLECT_FAILED, &err);
}

/* JOBs that stay are no samples: from now on they count as earlier ones. */
static int discard(struct mp_collect *c, struct mp_error *err)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->jobs.count; i++) {
		struct mp_remote_job *job = &c->jobs.items[i];

		if (!job->created) {
			tell_stays(c, job->path, MAY_BE_OLDER);
		} else if (remove_job(c, job, err)) {
			return -1;
		} else {
			mp_collect_say(
			    c, MP_COLLECT_INFO, "%s of the warm-up is removed from the board", name_of(job->path));
			free(job->path);
			continue;
		}
		c->jobs.items[kept++] = *job;
	}
	c->jobs.count = kept;
	return mp_remote_jobs_move(&c->earlier, &c->jobs, err);
}

void mp_collect_jobs_discard(struct mp_collect *c)
{
	struct mp_error err;

	if (list_new(c, &err)) {
		mp_collect_blame(c, MP_COLLECT_FAILED, &err);
		mp_collect_say(c, MP_COLLECT_INFO, "the JOBs of the warm-up stay on the board");
		return;
	}
	if (!c->jobs.count)
		tell_none(c);
	if (c->jobs.count > MP_BUDGET_JOBS) {
		mp_fail_board(&err, "has %zu new JOBs, more than %d: none is removed", mp_board_name(c->board),
		    c->jobs.count, MP_BUDGET_JOBS);
		mp_collect_blame(c, MP_COLLECT_FAILED, &err);
		return;
	}
	if (discard(c, &err))
		mp_collect_blame(c, MP_COLLECT_FAILED, &err);
}

static void look(struct mp_collect *c)
{
	struct mp_error err;

	if (!list_new(c, &err))
		return;
	c->unfinished = true;
	mp_collect_blame(c, MP_COLLECT_FAILED, &err);
}

/* For a resume: list the new JOBs; fetch those that the output directory lacks; fetch one, wherever its journal is
 * from. */
static void fetch_rest(struct mp_collect *c)
{
	struct stat st;

	for (size_t i = 0; i < c->jobs.count && !(c->outcome & (MP_COLLECT_LOST | MP_COLLECT_INTERRUPTED)); i++) {
		if (c->jobs.items[i].tried ||
		    fstatat(c->options->outfd, name_of(c->jobs.items[i].path), &st, AT_SYMLINK_NOFOLLOW) == 0)
			continue;
		if (tried_enough(c))
			return;
		pull(c, &c->jobs.items[i]);
	}
	mp_collect_stats_end(c);
}

static void resume_job(struct mp_collect *c, const char *path)
{
	struct mp_remote_job unknown = {.path = (char *)path}, *job = &unknown;

	for (size_t i = 0; i < c->jobs.count; i++)
		if (strcmp(c->jobs.items[i].path, path) == 0)
			job = &c->jobs.items[i];
	pull(c, job);
	job->tried = true;
}

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
		resume_job(c, journal.job);
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
		look(c);
	resume_journals(c, &count);
	if (record == 0 && !(c->outcome & (MP_COLLECT_LOST | MP_COLLECT_INTERRUPTED)))
		fetch_rest(c);
	if (record == 0 && c->runs_left && !c->outcome)
		mp_collect_say(c, MP_COLLECT_WARNING,
		    "the last %d run%s not made: msprof collect --repeat %d --output '%s' makes %s", c->runs_left,
		    c->runs_left == 1 ? " was" : "s were", c->runs_left, c->options->output,
		    c->runs_left == 1 ? "it" : "them");
	if (!c->done_count && !c->outcome)
		mp_collect_say(c, MP_COLLECT_INFO, "nothing to resume: no unfinished JOB there");
	mp_collect_clear_up(c);
	if (c->unfinished)
		mp_collect_tell_rest(c);
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

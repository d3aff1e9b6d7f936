/* collect.c: the stages of a collection in their order, and the handling of their errors. */
#include "board/collection/collect_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board/transfer/push.h"

enum { NOTES_MAX = 100 };

/* Limit the notes: a board may have a million refused names. */
static void take_note(void *user, const char *text)
{
	struct mp_collect *c = user;

	if (c->notes < NOTES_MAX)
		mp_collect_say(c, MP_COLLECT_WARNING, "%s", text);
	else if (c->notes == NOTES_MAX)
		mp_collect_say(c, MP_COLLECT_WARNING, "and more; only the first %d are listed", NOTES_MAX);
	c->notes++;
}

static bool show_transfer(void *user, int64_t done, int64_t total, size_t files)
{
	struct mp_collect *c = user;

	if (c->events->progress && c->what[0])
		c->events->progress(c->events->user, c->what, done, total, files);
	return true;
}

/* Asked by every conversation with the board: passes on the program's output, and lets the user stop. */
static enum mp_board_wish attend(void *user)
{
	struct mp_collect *c = user;
	int interrupts = mp_collect_interrupts(c);
	struct mp_error err;

	if (interrupts > 1)
		return MP_BOARD_LEAVE;
	if (c->program.command && (mp_collect_pump(c, &err) || (!c->stop_ms && mp_collect_should_stop(c))))
		return MP_BOARD_STOP;
	return interrupts > c->interrupts_max ? MP_BOARD_STOP : MP_BOARD_GO_ON;
}

static int check_interrupt(struct mp_collect *c, struct mp_error *err)
{
	return mp_collect_interrupts(c) > c->interrupts_max ? mp_fail(err, "interrupted") : 0;
}

static int push(struct mp_collect *c, struct mp_error *err)
{
	const struct mp_push_options options = {.checksum = c->options->checksum,
	    .excludes = c->excludes,
	    .exclude_count = c->exclude_count,
	    .watch = &c->watch};
	struct mp_push_result r;
	int status;

	mp_collect_say(c, MP_COLLECT_INFO, "sending '%s' to '%s'", c->project, c->real);
	mp_collect_transfer_begin(c, "pushing");
	status = mp_push_project(c->board, &c->remote, c->projectfd, c->real, &options, &r, err);
	mp_collect_transfer_end(c);
	if (!status && r.withheld)
		mp_collect_say(c, MP_COLLECT_WARNING,
		    "%zu file%s not sent: private keys, logins or [ssh_config]; --dry-run lists "
		    "them",
		    r.withheld, r.withheld == 1 ? "" : "s");
	if (!status)
		mp_collect_say(c, MP_COLLECT_INFO, "pushed %zu file%s, %lld bytes, to '%s'; %zu unchanged", r.files,
		    r.files == 1 ? "" : "s", (long long)r.bytes, c->real, r.unchanged);
	return status;
}

/* A failed mount only gives a warning: JOBs are fetched in any case. */
static int try_mount(struct mp_collect *c, struct mp_error *err)
{
	if (!c->mount_path || !mp_collect_mount(c, err))
		return 0;
	if (mp_board_is_broken(c->board) || mp_collect_interrupts(c) > c->interrupts_max)
		return -1;
	mp_collect_say(c, MP_COLLECT_WARNING, "%s; the data will be fetched from the board", err->text);
	return 0;
}

/* The guide requires that the output directory exists; otherwise the board uses the program's directory. */
static int make_output(struct mp_collect *c, struct mp_error *err)
{
	const char *output = c->acl->settings.output;
	char path[MP_REMOTE_PATH];
	int len;

	if (!output || !*output)
		return 0;
	len =
	    snprintf(path, sizeof(path), "%s%s%s", *output == '/' ? "" : c->run_dir, *output == '/' ? "" : "/", output);
	if (len >= (int)sizeof(path))
		mp_collect_say(c, MP_COLLECT_WARNING, "the output '%s' is too long for the board", output);
	else if (mp_remote_dir_make(c->board, path, c->job_dir, err)) {
		c->job_dir[0] = '\0';
		if (mp_board_is_broken(c->board))
			return -1;
		mp_collect_say(c, MP_COLLECT_WARNING, "%s: data will go to the program's directory", err->text);
	}
	return 0;
}

static int write_acl(struct mp_collect *c, struct mp_error *err)
{
	char *text = NULL;
	int status;

	if (mp_collect_acl_text(c, &text, err))
		return -1;
	status = make_output(c, err) || mp_collect_acl_install(c, text, err) ? -1 : 0;
	free(text);
	return status;
}

static int set_places(struct mp_collect *c, struct mp_error *err)
{
	if (mp_remote_dir_make(c->board, c->remote_dir, c->real, err))
		return -1;
	return mp_collect_remote_path(c, c->main_rel, c->run_dir, err);
}

/* From the push to the last JOB, while the guard runs. */
static int work(struct mp_collect *c, struct mp_error *err)
{
	if (mp_collect_place_claim(c, err) || push(c, err) || try_mount(c, err) || check_interrupt(c, err))
		return -1;
	if (write_acl(c, err) || mp_collect_jobs_before(c, err) || check_interrupt(c, err))
		return -1;
	return mp_collect_runs(c, err);
}

void mp_collect_clear_up(struct mp_collect *c)
{
	struct mp_error err;

	if (mp_board_is_broken(c->board) || mp_collect_interrupts(c) > 1)
		return; /* the board is gone, or the user does not wait: the guard clears up alone */
	c->interrupts_max = 1;
	if (mp_collect_guard_end(c, &err))
		mp_collect_blame(c, MP_COLLECT_FAILED, &err);
}

int mp_collect_probe(struct mp_collect *c, struct mp_board *board, struct mp_error *err)
{
	c->board = board;
	c->watch = (struct mp_watch){take_note, show_transfer, c};
	mp_board_attend(board, attend, c, c->options->patience_percent);
	return mp_remote_probe(&c->remote, board, err);
}

unsigned mp_collect_run(struct mp_collect *c, struct mp_board *board)
{
	struct mp_error err;

	if (mp_collect_probe(c, board, &err)) {
		mp_collect_blame(c, MP_COLLECT_LOST, &err);
	} else if (c->options->dry_run) {
		if (mp_collect_dry_run(c, &err))
			mp_collect_blame(c, MP_COLLECT_FAILED, &err);
	} else if (set_places(c, &err) || mp_collect_guard_start(c, &err)) {
		mp_collect_blame(c, MP_COLLECT_FAILED, &err);
	} else {
		if (work(c, &err))
			mp_collect_blame(c, MP_COLLECT_FAILED, &err);
		mp_collect_clear_up(c);
		if (!c->unfinished)
			mp_collect_record_remove(c);
		else
			mp_collect_say(
			    c, MP_COLLECT_INFO, "msprof collect --resume '%s' fetches the rest", c->options->output);
	}
	mp_pipe_drop(&c->guard);
	return c->outcome;
}

const char *mp_collect_job(const struct mp_collect *collect, size_t at)
{
	return at < collect->done_count ? collect->done[at] : NULL;
}

/*
 * collect.c: the stages of a collection in their order, and the handling of their errors; a dry run, which only says
 * what they would do.
 */
#include "board/collection/collect_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board/transfer/transfer.h"

static void tell_entry(void *user, const struct mp_tree_entry *entry)
{
	if (!S_ISDIR(entry->mode))
		mp_collect_say(user, MP_COLLECT_PLAN, "send %s (%lld bytes)", entry->path, (long long)entry->size);
}

static void tell_withheld(void *user, const char *path)
{
	mp_collect_say(user, MP_COLLECT_PLAN, "leave out %s: a private key, a login or [ssh_config]", path);
}

/* Guess the paths that mp_remote_dir_make would return. */
static int guess_places(struct mp_collect *c, struct mp_error *err)
{
	bool at_home = strncmp(c->remote_dir, "~/", 2) == 0;
	int len;

	if (c->remote_dir[0] == '/')
		len = snprintf(c->real, sizeof(c->real), "%s", c->remote_dir);
	else
		len = snprintf(c->real, sizeof(c->real), "%s/%s", c->remote.home, c->remote_dir + (at_home ? 2 : 0));
	if (len >= (int)sizeof(c->real))
		return mp_fail(err, "remote_dir is too long");
	return mp_collect_remote_path(c, c->main_rel, c->run_dir, err);
}

/* Append a word as a user would type it, quoted only if necessary. */
static void add_word(struct mp_script *script, const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./,:=+@%";

	if (*word && strspn(word, plain) == strlen(word))
		mp_script_code(script, word);
	else
		mp_script_word(script, word);
}

static void tell_command(struct mp_collect *c)
{
	struct mp_script script;

	mp_script_start(&script);
	mp_script_code(&script, "./");
	add_word(&script, c->main_name);
	for (const char *const *w = c->options->argv + 1; *w; w++) {
		mp_script_code(&script, " ");
		add_word(&script, *w);
	}
	mp_collect_say(c, MP_COLLECT_PLAN, "run %s in '%s'", script.text, c->run_dir);
	if (c->options->discard)
		mp_collect_say(c, MP_COLLECT_PLAN,
		    "before, run it %d time%s to warm up, and remove the new JOBs from the board", c->options->discard,
		    c->options->discard == 1 ? "" : "s");
	if (c->options->repeat > 1 || c->options->discard)
		mp_collect_say(c, MP_COLLECT_PLAN, "keep the data of %d run%s, and fetch after each: %d runs in all",
		    c->options->repeat, c->options->repeat == 1 ? "" : "s", c->options->repeat + c->options->discard);
}

static void tell_fetch(struct mp_collect *c)
{
	const char *output = c->acl->settings.output;
	bool other = output && *output == '/';

	if (c->options->board_stats)
		mp_collect_say(c, MP_COLLECT_PLAN,
		    "sample load, memory and temperatures of the board, and the texts of /proc/umap, once a second");
	if (c->options->stream)
		mp_collect_say(c, MP_COLLECT_PLAN, "meanwhile fetch finished slices, and remove them from the board");
	mp_collect_say(c, MP_COLLECT_PLAN, "fetch new JOBs below '%s'%s%s%s", c->real, other ? " and '" : "",
	    other ? output : "", other ? "'" : "");
	if (c->options->clean)
		mp_collect_say(
		    c, MP_COLLECT_PLAN, "remove fetched JOBs from the board once they are whole and on the disk");
}

/* Describe the mount, and set its point, which becomes the output in acl.json. */
static void tell_mount(struct mp_collect *c)
{
	char source[MP_REMOTE_PATH + 80];
	struct mp_error err;
	int len;

	if (!c->mount_path)
		return;
	if (mp_mount_source(c->board, c->mount_path, source, sizeof(source), &err)) {
		mp_collect_say(c, MP_COLLECT_WARNING, "%s; the data will be fetched from the board", err.text);
		return;
	}
	len = snprintf(c->mount.point, sizeof(c->mount.point), "%s/profiling", c->remote.home);
	if (len >= (int)sizeof(c->mount.point) || mp_acl_path_check(c->mount.point, &err)) {
		mp_collect_say(c, MP_COLLECT_WARNING,
		    "'%s' cannot be the output of acl.json; the data will be fetched from the "
		    "board",
		    c->mount.point);
		c->mount.point[0] = '\0';
		return;
	}
	mp_collect_say(
	    c, MP_COLLECT_PLAN, "mount -t nfs -o nolock,tcp '%s' '%s' until the end", source, c->mount.point);
}

/* Say what a collection would do. Asks the board, changes nothing there. */
static int tell_plan(struct mp_collect *c, struct mp_error *err)
{
	const struct mp_push_options options = {.checksum = c->options->checksum,
	    .dry_run = true,
	    .excludes = c->excludes,
	    .exclude_count = c->exclude_count,
	    .each = tell_entry,
	    .withheld = tell_withheld,
	    .user = c,
	    .watch = &c->watch};
	struct mp_push_result r;
	char *text = NULL;

	if (guess_places(c, err) || mp_collect_place_claim(c, err) ||
	    mp_push_project(c->board, &c->remote, c->projectfd, c->real, &options, &r, err))
		return -1;
	mp_collect_say(c, MP_COLLECT_PLAN, "%zu file%s to send, %lld bytes, to '%s'; %zu unchanged", r.files,
	    r.files == 1 ? "" : "s", (long long)r.bytes, c->real, r.unchanged);
	tell_mount(c);
	if (mp_collect_acl_text(c, &text, err))
		return -1;
	mp_collect_say(c, MP_COLLECT_PLAN, "write %s/%s until the program has ended:", c->real, c->acl_rel);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		mp_collect_say(c, MP_COLLECT_PLAN, "    %s", line);
	free(text);
	tell_command(c);
	tell_fetch(c);
	return 0;
}

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
	else if (!strchr(path, '\n') && mp_collect_guard_output(c, path, err))
		return -1;
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
		if (tell_plan(c, &err))
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
			mp_collect_tell_rest(c);
	}
	mp_pipe_drop(&c->guard);
	return c->outcome;
}

const char *mp_collect_failure(const struct mp_collect *collect)
{
	return collect->failure[0] ? collect->failure : NULL;
}

const char *mp_collect_job(const struct mp_collect *collect, size_t at)
{
	return at < collect->done_count ? collect->done[at] : NULL;
}

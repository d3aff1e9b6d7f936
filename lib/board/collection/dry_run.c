/* dry_run.c: describes what a collection would do. Asks the board, changes nothing there. */
#include "board/collection/collect_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board/transfer/push.h"

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

int mp_collect_dry_run(struct mp_collect *c, struct mp_error *err)
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

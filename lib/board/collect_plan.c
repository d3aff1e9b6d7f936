/* collect_plan.c: what of a collection can be checked without a board: program, project, places, acl.json. */
#include "board/collect_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The directory of a path, real; the path itself may be a link. */
static int find_main(struct mp_collect *c, const char *path, struct mp_error *err)
{
	const char *slash = strrchr(path, '/');
	char *dir = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	struct stat st;

	if (!dir)
		return mp_fail_memory(err, "a path");
	c->main_dir = realpath(dir, NULL);
	free(dir);
	c->main_name = slash ? slash + 1 : path;
	if (!c->main_dir || stat(path, &st))
		return mp_fail_errno(err, "cannot find the program '%s'", path);
	if (!S_ISREG(st.st_mode))
		return mp_fail(err, "the program '%s' is not a file", path);
	/* the board's user will run it: who may do so here does not matter, only that anybody may */
	if (!(st.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)))
		return mp_fail(err, "the program '%s' is not executable: chmod +x it", path);
	return 0;
}

static int find_project(struct mp_collect *c, struct mp_error *err)
{
	const char *given = c->options->project;
	char *slash;
	size_t len;

	c->project = given ? realpath(given, NULL) : strdup(c->main_dir);
	if (!c->project)
		return mp_fail_errno(err, "cannot find the project '%s'", given ? given : c->main_dir);
	slash = strrchr(c->project, '/');
	if (!given && slash)
		*slash = '\0';
	if (!c->project[0] || strcmp(c->project, "/") == 0)
		return mp_fail(err, "the project of '%s' is the whole file system: choose it with --project", c->main_dir);
	len = strlen(c->project);
	if (strncmp(c->main_dir, c->project, len) != 0 || (c->main_dir[len] && c->main_dir[len] != '/'))
		return mp_fail(err, "the program is in '%s', which is not in the project '%s'", c->main_dir, c->project);
	c->main_rel = c->main_dir + len + (c->main_dir[len] == '/');
	c->projectfd = open(c->project, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (c->projectfd < 0)
		return mp_fail_errno(err, "cannot open the project '%s'", c->project);
	return 0;
}

/* Our own files, and JOBs that are not whole, whatever the user excludes. */
static int gather_excludes(struct mp_collect *c, struct mp_error *err)
{
	static const char *const own[] = {".msprof.*", ".JOB*.part/", ".JOB*.journal"};

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		c->excludes[c->exclude_count++] = own[i];
	for (size_t i = 0; i < c->options->exclude_count; i++) {
		if (c->exclude_count == MP_COLLECT_EXCLUDES)
			return mp_fail(err, "more than %zu patterns to exclude", i);
		c->excludes[c->exclude_count++] = c->options->excludes[i];
	}
	return 0;
}

/*
 * The name of the project as a directory of the board, where few characters are allowed. A name that had to be changed
 * gets a sum of itself, so that "a-b" and "a.b" do not share a place.
 */
static void name_place(struct mp_collect *c)
{
	const char *name = strrchr(c->project, '/') + 1;
	uint32_t sum = 2166136261u;
	bool changed = false;
	size_t len;

	len = (size_t)snprintf(c->remote_dir, sizeof(c->remote_dir), "~/msprof/");
	for (; *name && len < 200; name++) {
		bool plain = (*name >= '0' && *name <= '9') || (*name >= 'a' && *name <= 'z') ||
			     (*name >= 'A' && *name <= 'Z') || *name == '_';

		sum = (sum ^ (unsigned char)*name) * 16777619u;
		changed |= !plain;
		c->remote_dir[len++] = plain ? *name : '_';
	}
	c->remote_dir[len] = '\0';
	if (changed)
		snprintf(c->remote_dir + len, sizeof(c->remote_dir) - len, "_%08x", (unsigned)sum);
}

static int find_place(struct mp_collect *c, struct mp_error *err)
{
	const char *given = c->options->remote_dir;
	struct mp_error why;

	if (!given) {
		name_place(c);
		return 0;
	}
	if (mp_acl_path_check(strncmp(given, "~/", 2) == 0 ? given + 2 : given, &why))
		return mp_fail(err, "remote_dir '%.300s': %.400s", given, why.text);
	if (strlen(given) >= sizeof(c->remote_dir))
		return mp_fail(err, "remote_dir is too long");
	strcpy(c->remote_dir, given);
	return 0;
}

int mp_collect_prepare(struct mp_collect **collect, const struct mp_collect_options *options, struct mp_error *err)
{
	struct mp_collect *c = calloc(1, sizeof(*c));

	*collect = NULL;
	if (!c)
		return mp_fail_memory(err, "a collection");
	c->options = options;
	c->events = options->events;
	c->projectfd = -1;
	if (options->mount && !(c->mount_path = strdup(options->mount))) {
		mp_collect_free(c);
		return mp_fail_memory(err, "a path");
	}
	if (find_main(c, options->argv[0], err) || find_project(c, err) || gather_excludes(c, err) ||
	    find_place(c, err) || mp_collect_acl_choose(c, err)) {
		mp_collect_free(c);
		return -1;
	}
	*collect = c;
	return 0;
}

void mp_collect_free(struct mp_collect *collect)
{
	if (!collect)
		return;
	/* what still runs loses its streams: the guard then clears up */
	mp_pipe_drop(&collect->guard);
	if (collect->projectfd >= 0)
		close(collect->projectfd);
	mp_acl_json_free(collect->acl);
	mp_remote_jobs_free(&collect->earlier);
	mp_remote_jobs_free(&collect->jobs);
	for (size_t i = 0; i < collect->done_count; i++)
		free(collect->done[i]);
	free(collect->done);
	free(collect->acl_rel);
	free(collect->mount_path);
	free(collect->main_dir);
	free(collect->project);
	free(collect);
}

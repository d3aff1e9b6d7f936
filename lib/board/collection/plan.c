/* plan.c: checks all of a collection that needs no board: program, project, directories, acl.json. */
#include "board/collection/collect_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME_IT "choose the project with --project DIR"

/* A larger project needs consent. */
enum { FILES_MANY = 10000, BYTES_MANY = 1 << 30 };

/* Find the program. Its directory is made a real path; the program itself may be a link. */
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
	/* the board's user will run it, so any execute permission is enough */
	if (!(st.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)))
		return mp_fail(err, "the program '%s' is not executable: chmod +x it", path);
	return 0;
}

/* Whether path is the directory, or one of its parents. */
static bool holds(const char *path, const char *directory)
{
	char *real = directory && *directory == '/' ? realpath(directory, NULL) : NULL;
	size_t len = strlen(path);
	bool does = real && strncmp(real, path, len) == 0 && (!real[len] || real[len] == '/');

	free(real);
	return does;
}

/* Check the home of the caller, and of the owner of the project: root may send a project of another user. */
static int check_home(struct mp_collect *c, struct mp_error *err)
{
	char why[MP_TREE_PATH + 128];
	const struct passwd *owner;
	struct stat st;

	if (stat(c->project, &st))
		return mp_fail_errno(err, "cannot inspect the project '%s'", c->project);
	owner = getpwuid(st.st_uid);
	if (!holds(c->project, getenv("HOME")) && !(owner && holds(c->project, owner->pw_dir)))
		return 0;
	snprintf(why, sizeof(why), "the project '%s' is a home directory, or holds one", c->project);
	return mp_collect_agree(c, why, NAME_IT, err);
}

static int find_project(struct mp_collect *c, struct mp_error *err)
{
	const char *given = c->options->project, *path = c->options->argv[0];
	/* the project of a program named without a directory is its own directory, not the parent */
	bool at_hand = strchr(strncmp(path, "./", 2) == 0 ? path + 2 : path, '/') == NULL;
	char *slash;
	size_t len;

	c->project = given ? realpath(given, NULL) : strdup(c->main_dir);
	if (!c->project)
		return mp_fail_errno(err, "cannot find the project '%s'", given ? given : c->main_dir);
	slash = strrchr(c->project, '/');
	if (!given && slash && !at_hand)
		*slash = '\0';
	if (!c->project[0] || strcmp(c->project, "/") == 0)
		return mp_fail(
		    err, "the project of '%s' is the whole file system: choose it with --project", c->main_dir);
	len = strlen(c->project);
	if (strncmp(c->main_dir, c->project, len) != 0 || (c->main_dir[len] && c->main_dir[len] != '/'))
		return mp_fail(
		    err, "the program is in '%s', which is not in the project '%s'", c->main_dir, c->project);
	c->main_rel = c->main_dir + len + (c->main_dir[len] == '/');
	if (check_home(c, err))
		return -1;
	c->projectfd = open(c->project, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (c->projectfd < 0)
		return mp_fail_errno(err, "cannot open the project '%s'", c->project);
	return 0;
}

/* Exclude files of msprof and partly fetched JOBs, then the patterns of the user. */
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

/* List all files that would be sent, to check their size and to find acl.json. */
static int list_project(struct mp_collect *c, struct mp_tree *tree, struct mp_error *err)
{
	const struct mp_tree_filter filter = {.patterns = c->excludes, .count = c->exclude_count, .project = true};
	char why[MP_TREE_PATH + 128];
	int64_t bytes = 0;
	size_t files = 0;

	if (mp_tree_list_local(tree, c->projectfd, &filter, NULL, err))
		return -1;
	for (size_t i = 0; i < tree->count; i++) {
		files += !S_ISDIR(tree->entries[i].mode);
		bytes += tree->entries[i].size;
	}
	if (files <= FILES_MANY && bytes <= BYTES_MANY)
		return 0;
	snprintf(why, sizeof(why), "the project '%s' has %zu files and %lld MiB", c->project, files,
	    (long long)(bytes >> 20));
	return mp_collect_agree(c, why, NAME_IT ", or leave files out with --exclude", err);
}

int mp_collect_prepare(struct mp_collect **collect, const struct mp_collect_options *options, struct mp_error *err)
{
	struct mp_collect *c = calloc(1, sizeof(*c));
	struct mp_tree tree = {0};
	int status;

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
	status = find_main(c, options->argv[0], err) || find_project(c, err) || gather_excludes(c, err) ||
		 mp_collect_place_choose(c, err) || list_project(c, &tree, err) || mp_collect_acl_choose(c, &tree, err);
	mp_tree_free(&tree);
	if (!status) {
		*collect = c;
		return 0;
	}
	status = c->disagreed ? 1 : -1;
	mp_collect_free(c);
	return status;
}

void mp_collect_free(struct mp_collect *collect)
{
	if (!collect)
		return;
	/* the guard loses its input, and clears up */
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

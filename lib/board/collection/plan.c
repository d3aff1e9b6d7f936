/*
 * plan.c: what a collection does, before any board: the project, and the acl.json that the program reads, with its
 * text.
 */
#include "board/collection/collect_internal.h"

#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OVERRIDES_MAX = 16, CANDIDATES_MAX = 512 };

static bool is_candidate(const struct mp_tree_entry *entry)
{
	const char *slash = strrchr(entry->path, '/');

	return S_ISREG(entry->mode) && strcmp(slash ? slash + 1 : entry->path, "acl.json") == 0;
}

/* Set acl_rel to the only acl.json of the project; without one acl_rel stays NULL. */
static int find_only(struct mp_collect *c, const struct mp_tree *tree, struct mp_error *err)
{
	char list[CANDIDATES_MAX] = "";
	size_t found = 0, len = 0;

	for (size_t i = 0; i < tree->count; i++) {
		const char *path = tree->entries[i].path;

		if (!is_candidate(&tree->entries[i]))
			continue;
		if (len + strlen(path) + 5 < sizeof(list))
			len += (size_t)snprintf(list + len, sizeof(list) - len, "%s'%s'", found ? ", " : "", path);
		if (!found++ && !(c->acl_rel = strdup(path)))
			return mp_fail_memory(err, "a path");
	}
	if (found > 1)
		return mp_fail(err, "the project has %zu acl.json: %s; choose one with --acl-json", found, list);
	return 0;
}

static int put_beside_main(struct mp_collect *c, struct mp_error *err)
{
	size_t size = strlen(c->main_rel) + sizeof("/acl.json");

	c->acl_is_new = true;
	c->acl_rel = malloc(size);
	if (!c->acl_rel)
		return mp_fail_memory(err, "a path");
	snprintf(c->acl_rel, size, "%s%sacl.json", c->main_rel, *c->main_rel ? "/" : "");
	return 0;
}

/* A file of the project keeps its place; the text of any other file goes to the place where the program looks. */
static int take_named(struct mp_collect *c, const char *path, const struct mp_tree *tree, struct mp_error *err)
{
	char *real = realpath(path, NULL);
	size_t len = strlen(c->project);

	if (!real)
		return mp_fail_errno(err, "cannot find '%s'", path);
	if (strncmp(real, c->project, len) == 0 && real[len] == '/')
		c->acl_rel = strdup(real + len + 1);
	free(real);
	if (c->acl_rel)
		return 0;
	if (find_only(c, tree, err))
		return -1;
	return c->acl_rel ? 0 : put_beside_main(c, err);
}

static int read_chosen(struct mp_collect *c, const char *named, struct mp_error *err)
{
	char *path;
	int status;

	if (named)
		return mp_acl_json_read(&c->acl, named, MP_ACL_SVP, err);
	if (c->acl_is_new)
		return mp_acl_json_parse(&c->acl, MP_ACL_SVP, "acl.json", "{}", 2, err);
	path = malloc(strlen(c->project) + strlen(c->acl_rel) + 2);
	if (!path)
		return mp_fail_memory(err, "a path");
	sprintf(path, "%s/%s", c->project, c->acl_rel);
	status = mp_acl_json_read(&c->acl, path, MP_ACL_SVP, err);
	free(path);
	return status;
}

static void tell_findings(struct mp_collect *c)
{
	char text[640];

	for (size_t i = 0; !c->acl_is_new && i < c->acl->finding_count; i++) {
		mp_acl_finding_text(&c->acl->findings[i], text, sizeof(text));
		mp_collect_say(c, c->acl->findings[i].severity == MP_ACL_ERROR ? MP_COLLECT_ERROR : MP_COLLECT_WARNING,
		    "'%s': %s", c->acl_rel, text);
	}
}

/* Choose, read and validate acl.json. */
static int choose_acl(struct mp_collect *c, const struct mp_tree *tree, struct mp_error *err)
{
	const char *named = c->options->acl_json;

	if (named ? take_named(c, named, tree, err) : find_only(c, tree, err))
		return -1;
	if (!c->acl_rel && put_beside_main(c, err))
		return -1;
	if (read_chosen(c, named, err))
		return -1;
	tell_findings(c);
	/* check the overrides before anything is sent; the default of the output is not known yet */
	if (mp_acl_json_merge(c->acl, NULL, c->options->overrides, err))
		return -1;
	if (!c->acl->settings.on)
		mp_collect_say(c, MP_COLLECT_WARNING, "the switch is off: no data will be collected");
	else if (!c->acl->settings.interval)
		mp_collect_say(c, MP_COLLECT_INFO,
		    "interval 0: of each model only the first inference is sampled; --interval 1 samples more");
	return 0;
}

/* An absolute path stays valid when the program changes its directory, but acl.json does not allow every path. */
static const char *default_output(const struct mp_collect *c, char *path, size_t size)
{
	struct mp_error unused;
	int len = snprintf(path, size, "%s/profiling", c->run_dir);

	return len < MP_ACL_OUTPUT_MAX && !mp_acl_path_check(path, &unused) ? path : "./profiling";
}

int mp_collect_acl_text(struct mp_collect *c, char **text, struct mp_error *err)
{
	struct mp_acl_pair pairs[OVERRIDES_MAX + 2];
	char path[MP_REMOTE_PATH + 16];
	size_t n = 0;

	for (const struct mp_acl_pair *p = c->options->overrides; p && p->key && n < OVERRIDES_MAX; p++)
		pairs[n++] = *p;
	if (c->mount.point[0])
		pairs[n++] = (struct mp_acl_pair){"output", c->mount.point};
	pairs[n] = (struct mp_acl_pair){NULL, NULL};
	if (mp_acl_json_merge(c->acl, default_output(c, path, sizeof(path)), pairs, err))
		return -1;
	return mp_acl_json_text(c->acl, text, err);
}

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
		 mp_collect_place_choose(c, err) || list_project(c, &tree, err) || choose_acl(c, &tree, err);
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

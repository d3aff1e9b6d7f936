/* tree.c: the sorted list, the rules for names, and the descent into directories without following links. */
#include "board/transfer/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/vec.h"

/* Of a tree; malloc needs some, too. */
static int take_bytes(struct mp_tree *tree, size_t size, struct mp_error *err)
{
	enum { TEXT_BYTES = 16 };

	tree->bytes += size + TEXT_BYTES;
	if (tree->bytes <= MP_BUDGET_TREE_BYTES)
		return 0;
	return mp_fail(err, "more than %d MiB of names", MP_BUDGET_TREE_BYTES >> 20);
}

int mp_tree_target(struct mp_tree *tree, struct mp_tree_entry *entry, const char *target, struct mp_error *err)
{
	size_t len = strlen(target);

	if (len >= MP_TREE_PATH)
		return mp_fail(err, "'%.400s' is a link to a path of %zu bytes", entry->path, len);
	if (take_bytes(tree, len + 1, err))
		return -1;
	entry->target = strdup(target);
	return entry->target ? 0 : mp_fail_memory(err, "a list of files");
}

struct mp_tree_entry *mp_tree_add(
    struct mp_tree *tree, const char *path, size_t len, const char *target, struct mp_error *err)
{
	struct mp_tree_entry *entry;

	if (tree->count >= MP_BUDGET_ENTRIES) {
		mp_fail(err, "more than %d files", MP_BUDGET_ENTRIES);
		return NULL;
	}
	if (take_bytes(tree, sizeof(*entry) + len + 1, err))
		return NULL;
	if (!mp_vec_room(tree->entries, tree->count, 1)) {
		mp_fail_memory(err, "a list of files");
		return NULL;
	}
	entry = &tree->entries[tree->count];
	*entry = (struct mp_tree_entry){.path = strndup(path, len)};
	if (!entry->path) {
		mp_fail_memory(err, "a list of files");
		return NULL;
	}
	if (target && mp_tree_target(tree, entry, target, err)) {
		free(entry->path);
		return NULL;
	}
	tree->count++;
	tree->sorted = false;
	return entry;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct mp_tree_entry *)a)->path, ((const struct mp_tree_entry *)b)->path);
}

static void free_entry(struct mp_tree_entry *entry)
{
	free(entry->path);
	free(entry->target);
}

void mp_tree_sort(struct mp_tree *tree)
{
	size_t kept = 0;

	if (tree->count && !tree->sorted)
		qsort(tree->entries, tree->count, sizeof(tree->entries[0]), by_path);
	for (size_t i = 0; i < tree->count && !tree->sorted; i++) {
		if (kept && by_path(&tree->entries[kept - 1], &tree->entries[i]) == 0)
			free_entry(&tree->entries[i]);
		else
			tree->entries[kept++] = tree->entries[i];
	}
	if (!tree->sorted)
		tree->count = kept;
	tree->sorted = true;
}

static int path_to_entry(const void *path, const void *entry)
{
	return strcmp(path, ((const struct mp_tree_entry *)entry)->path);
}

struct mp_tree_entry *mp_tree_find(const struct mp_tree *tree, const char *path)
{
	if (tree->count == 0)
		return NULL;
	return bsearch(path, tree->entries, tree->count, sizeof(tree->entries[0]), path_to_entry);
}

void mp_tree_free(struct mp_tree *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		free_entry(&tree->entries[i]);
	free(tree->entries);
	*tree = (struct mp_tree){0};
}

/* An unfinished NAME is called ".NAME.part", which must fit into a file name and be unambiguous. */
static const char *element_reason(const char *name, size_t len)
{
	if (len == 0)
		return "an empty name";
	if ((len == 1 && name[0] == '.') || (len == 2 && name[0] == '.' && name[1] == '.'))
		return "a name of dots only";
	if (len > 248)
		return "a name too long";
	if (len > 6 && name[0] == '.' && memcmp(name + len - 5, ".part", 5) == 0)
		return "a name reserved for unfinished files";
	return NULL;
}

const char *mp_tree_name_reason(const char *path, size_t len)
{
	int depth = 0;

	if (len == 0)
		return "an empty name";
	if (len >= MP_TREE_PATH)
		return "a path too long";
	if (path[0] == '/')
		return "an absolute path";
	if (memchr(path, '\0', len) || mp_has_control(path, len))
		return "control characters or invalid UTF-8 in the name";
	for (size_t at = 0; at <= len;) {
		const char *slash = memchr(path + at, '/', len - at);
		size_t end = slash ? (size_t)(slash - path) : len;
		const char *reason = element_reason(path + at, end - at);

		if (reason)
			return reason;
		if (++depth > MP_TREE_DEPTH_MAX)
			return "directories too deep";
		at = end + 1;
	}
	return NULL;
}

void mp_tree_dir_start(struct mp_tree_dir *dir, int root, bool make)
{
	dir->root = root;
	dir->fd = -1;
	dir->make = make;
	dir->path[0] = '\0';
}

void mp_tree_dir_close(struct mp_tree_dir *dir)
{
	if (dir->fd >= 0)
		close(dir->fd);
	dir->fd = -1;
	dir->path[0] = '\0';
}

/* Open a directory of fd. Closes fd unless it is the root. */
static int step_down(const struct mp_tree_dir *dir, int fd, const char *name)
{
	int next, code;

	if (dir->make && mkdirat(fd, name, 0750) && errno != EEXIST)
		next = -1;
	else
		next = openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	code = errno;
	if (fd != dir->root)
		close(fd);
	errno = code;
	return next;
}

/* Files mostly come directory by directory, so the last directory stays open. */
int mp_tree_dir_enter(struct mp_tree_dir *dir, const char *path, const char **name, struct mp_error *err)
{
	const char *slash = strrchr(path, '/');
	size_t len = slash ? (size_t)(slash - path) : 0;
	char steps[MP_TREE_PATH];
	char *save = NULL;
	int fd = dir->root;

	*name = slash ? slash + 1 : path;
	if (len == 0)
		return dir->root;
	if (dir->fd >= 0 && strlen(dir->path) == len && memcmp(dir->path, path, len) == 0)
		return dir->fd;
	mp_tree_dir_close(dir);
	if (len >= sizeof(steps))
		return mp_fail(err, "path too long: '%s'", path);
	memcpy(steps, path, len);
	steps[len] = '\0';
	for (char *step = strtok_r(steps, "/", &save); step; step = strtok_r(NULL, "/", &save)) {
		fd = step_down(dir, fd, step);
		if (fd < 0)
			return mp_fail_errno(err, "cannot open the directory of '%s'", path);
	}
	dir->fd = fd;
	memcpy(dir->path, path, len);
	dir->path[len] = '\0';
	return fd;
}

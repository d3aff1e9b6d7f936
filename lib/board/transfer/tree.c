/*
 * tree.c: the sorted list, the rules for names, and the descent into directories without following links. Writes one
 * fetched file under its unfinished name, and recognises private keys, logins and inis by their names and texts. Knows
 * no protocol.
 */
#define _GNU_SOURCE /* memmem */
#include "board/transfer/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/door.h"
#include "base/text.h"
#include "base/vec.h"
#include "board/connection/board.h"

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

enum { PART_SIZE = 264 };

static int enter(
    struct mp_tree_dir *dir, const char *path, char part[PART_SIZE], const char **name, struct mp_error *err)
{
	int parent = mp_tree_dir_enter(dir, path, name, err);

	if (parent >= 0 && snprintf(part, PART_SIZE, ".%s.part", *name) >= PART_SIZE)
		return mp_fail(err, "file name too long: '%s'", path);
	return parent;
}

/* An earlier run left this file; only its type is checked. */
static int check_beginning(int fd, const char *path, int64_t offset, struct mp_error *err)
{
	struct stat st;

	if (fstat(fd, &st))
		return mp_fail_errno(err, "cannot inspect the unfinished '%s'", path);
	if (!S_ISREG(st.st_mode) || st.st_size < offset)
		return mp_fail(err, "the unfinished '%s' has changed", path);
	if (ftruncate(fd, offset) || lseek(fd, offset, SEEK_SET) != offset)
		return mp_fail_errno(err, "cannot continue '%s'", path);
	return 0;
}

int mp_pull_file_begin(
    struct mp_pull_file *file, struct mp_tree_dir *dir, const char *path, int64_t offset, struct mp_error *err)
{
	char part[PART_SIZE];
	const char *name;
	int parent = enter(dir, path, part, &name, err);
	int flags = O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | (offset ? 0 : O_CREAT | O_EXCL);

	*file = (struct mp_pull_file){.dir = dir, .path = path, .fd = -1, .at = offset};
	if (parent < 0)
		return -1;
	file->fd = openat(parent, part, flags, 0640);
	if (file->fd < 0 && errno == EEXIST && !unlinkat(parent, part, 0))
		file->fd = openat(parent, part, flags, 0640);
	if (file->fd < 0)
		return mp_fail_errno(err, "cannot create '%s'", path);
	if (offset && check_beginning(file->fd, path, offset, err)) {
		mp_pull_file_drop(file);
		return -1;
	}
	return 0;
}

int mp_pull_file_write(struct mp_pull_file *file, const void *bytes, size_t size, struct mp_error *err)
{
	const char *from = bytes;

	while (size) {
		ssize_t n = write(file->fd, from, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return mp_fail_errno(err, "cannot write '%s'", file->path);
		from += n;
		size -= (size_t)n;
		file->at += n;
	}
	return 0;
}

int mp_pull_file_end(struct mp_pull_file *file, int64_t mtime_s, struct mp_error *err)
{
	const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = (time_t)mtime_s}};
	char part[PART_SIZE];
	const char *name;
	int parent, status = 0;

	if (futimens(file->fd, times))
		status = mp_fail_errno(err, "cannot set the time of '%s'", file->path);
	if (close(file->fd) && !status)
		status = mp_fail_errno(err, "cannot close '%s'", file->path);
	file->fd = -1;
	if (status)
		return -1;
	parent = enter(file->dir, file->path, part, &name, err);
	if (parent < 0)
		return -1;
	if (renameat(parent, part, parent, name))
		return mp_fail_errno(err, "cannot rename the finished '%s'", file->path);
	return 0;
}

void mp_pull_file_drop(struct mp_pull_file *file)
{
	if (file->fd >= 0)
		close(file->fd); /* the file is unfinished, and checked when it is continued */
	file->fd = -1;
}

int64_t mp_pull_file_unfinished(struct mp_tree_dir *dir, const char *path)
{
	char part[PART_SIZE];
	const char *name;
	struct mp_error ignored;
	struct stat st;
	int parent = enter(dir, path, part, &name, &ignored);

	if (parent < 0 || mp_dir_look(parent, part, &st) || !S_ISREG(st.st_mode))
		return -1;
	return st.st_size;
}

void mp_pull_file_forget(struct mp_tree_dir *dir, const char *path)
{
	char part[PART_SIZE];
	const char *name;
	struct mp_error ignored;
	int parent = enter(dir, path, part, &name, &ignored);

	if (parent >= 0)
		unlinkat(parent, part, 0);
}

enum { BEGINNING = 16 * 1024, BINARY = 512 };

bool mp_private_name(const char *name)
{
	static const char *const names[] = {".ssh", ".gnupg", ".aws", ".netrc", ".pgpass", ".git-credentials"};
	static const char *const keys[] = {"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_xmss"};
	size_t len = strlen(name);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	if (len > 4 && strcmp(name + len - 4, ".pub") == 0)
		return false;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strncmp(name, keys[i], strlen(keys[i])) == 0)
			return true;
	return false;
}

static bool begins(const char *line, size_t len, const char *text)
{
	return len >= strlen(text) && memcmp(line, text, strlen(text)) == 0;
}

static bool is_private_line(const char *line, size_t len)
{
	while (len && (*line == ' ' || *line == '\t' || *line == '\r')) {
		line++;
		len--;
	}
	if (begins(line, len, "[ssh_config]") || begins(line, len, "PuTTY-User-Key-File-"))
		return true;
	return (begins(line, len, "-----BEGIN ") || begins(line, len, "---- BEGIN ")) &&
	       memmem(line, len, "PRIVATE KEY", strlen("PRIVATE KEY"));
}

bool mp_private_text(const char *text, size_t len)
{
	const char *end = text + len;

	if (memchr(text, '\0', len < BINARY ? len : BINARY))
		return false;
	if (begins(text, len, "\xef\xbb\xbf"))
		text += 3;
	while (text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));

		if (is_private_line(text, (size_t)((stop ? stop : end) - text)))
			return true;
		text = stop ? stop + 1 : end;
	}
	return false;
}

int mp_private_file(int fd, const char *label, struct mp_error *err)
{
	char *text = malloc(MP_INI_SIZE);
	ssize_t len = 0;
	struct stat st;
	int status = 0;

	if (!text)
		return mp_fail_memory(err, "the beginning of a file");
	if (fstat(fd, &st))
		status = mp_fail_errno(err, "cannot inspect '%s'", label);
	else
		len = mp_file_read(fd, text, st.st_size <= MP_INI_SIZE ? MP_INI_SIZE : BEGINNING, 0);
	if (len < 0)
		status = mp_fail_errno(err, "cannot read '%s'", label);
	if (!status)
		status = mp_private_text(text, (size_t)len);
	free(text);
	return status;
}

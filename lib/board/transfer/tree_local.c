/*
 * tree_local.c: lists a directory of this machine and compares it with a directory of a board. Every step is an openat
 * without following links, so the listing never leaves the directory.
 *
 * The sha256 of a file is made by libarchive, whose mtree format sums up the bytes written to it: no other linked
 * library has a public and fast digest.
 */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/door.h"
#include "board/transfer/tree.h"

enum { READ_SIZE = 256 * 1024, ANSWER_SIZE = 512 };

static int feed(struct archive *a, int fd, const char *label, struct mp_error *err)
{
	char *bytes = malloc(READ_SIZE);
	off_t at = 0;
	ssize_t n;
	int status = 0;

	if (!bytes)
		return mp_fail_memory(err, "a checksum");
	do {
		n = mp_file_read(fd, bytes, READ_SIZE, at);
		if (n < 0)
			status = mp_fail_errno(err, "cannot read '%s'", label);
		else if (n && archive_write_data(a, bytes, (size_t)n) != n)
			status = mp_fail(err, "'%s' changed while it was summed up", label);
		at += n;
	} while (!status && n == READ_SIZE);
	free(bytes);
	return status;
}

static int take_digest(const char *answer, char *text, struct mp_error *err)
{
	const char *digest = strstr(answer, "sha256digest=");

	if (!digest || strspn(digest + 13, "0123456789abcdef") < 64)
		return mp_fail(err, "this libarchive has no sha256");
	memcpy(text, digest + 13, 64);
	text[64] = '\0';
	return 0;
}

int mp_tree_sha256(int fd, const char *label, char text[MP_SHA256_TEXT], struct mp_error *err)
{
	struct archive *a = archive_write_new();
	struct archive_entry *entry = archive_entry_new();
	char answer[ANSWER_SIZE] = "";
	size_t used = 0;
	struct stat st;
	int status = -1;

	if (!a || !entry) {
		mp_fail_memory(err, "a checksum");
		goto out;
	}
	if (fstat(fd, &st)) {
		mp_fail_errno(err, "cannot inspect '%s'", label);
		goto out;
	}
	archive_entry_set_pathname(entry, "file");
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_size(entry, st.st_size);
	if (archive_write_set_format_mtree(a) || archive_write_set_options(a, "!all,sha256") ||
	    archive_write_open_memory(a, answer, sizeof(answer) - 1, &used) || archive_write_header(a, entry)) {
		mp_fail(err, "cannot compute the sum of '%s': %s", label, archive_error_string(a));
		goto out;
	}
	if (feed(a, fd, label, err))
		goto out;
	archive_write_close(a);
	answer[used < sizeof(answer) ? used : sizeof(answer) - 1] = '\0';
	status = take_digest(answer, text, err);
out:
	archive_entry_free(entry);
	archive_write_free(a);
	return status;
}

struct walk {
	struct mp_tree *tree;
	const struct mp_tree_filter *filter;
	const struct mp_watch *watch;
	struct mp_error *err;
	size_t len;
	char path[MP_TREE_PATH];
};

static bool matches(const char *pattern, const char *path, const char *name, bool is_dir)
{
	char cut[MP_TREE_PATH];
	size_t len = strlen(pattern);

	if (len > 1 && pattern[len - 1] == '/') {
		if (!is_dir || len > sizeof(cut))
			return false;
		memcpy(cut, pattern, len - 1);
		cut[len - 1] = '\0';
		pattern = cut;
	}
	return fnmatch(pattern, name, 0) == 0 || fnmatch(pattern, path, FNM_PATHNAME) == 0;
}

static bool is_left_out(const struct walk *walk, const char *name, bool is_dir)
{
	const struct mp_tree_filter *filter = walk->filter;

	if (!filter)
		return false;
	for (size_t i = 0; i < filter->count; i++)
		if (matches(filter->patterns[i], walk->path, name, is_dir))
			return true;
	if (!filter->project)
		return false;
	if (strcmp(name, ".git") == 0 ||
	    (is_dir && (strncmp(name, "JOB", 3) == 0 || strncmp(name, "msprof.JOB", 10) == 0)))
		return true;
	if (!mp_private_name(name))
		return false;
	walk->tree->withheld++;
	if (filter->withheld)
		filter->withheld(filter->user, walk->path);
	return true;
}

/* Whether a link at path with this target stays within the tree; only the text is checked. */
static bool link_stays(const char *path, const char *target)
{
	int depth = 0;

	if (target[0] == '/' || target[0] == '\0')
		return false;
	for (const char *p = path; (p = strchr(p, '/')) != NULL; p++)
		depth++;
	while (*target) {
		size_t len = strcspn(target, "/");

		if (len == 2 && target[0] == '.' && target[1] == '.')
			depth--;
		else if (len > 0 && !(len == 1 && target[0] == '.'))
			depth++;
		if (depth < 0)
			return false;
		target += len + (target[len] == '/');
	}
	return true;
}

/* Add the entry of the path, which links to `target` unless that is NULL. */
static int add_entry(struct walk *walk, const char *target, const struct stat *st)
{
	struct mp_tree_entry *entry = mp_tree_add(walk->tree, walk->path, walk->len, target, walk->err);

	if (!entry)
		return -1;
	entry->mode = st->st_mode;
	entry->mtime_s = st->st_mtime;
	entry->size = S_ISREG(st->st_mode) ? st->st_size : 0;
	return 0;
}

static int add_link(struct walk *walk, int dirfd, const char *name, const struct stat *st)
{
	char target[MP_TREE_PATH];
	ssize_t len = readlinkat(dirfd, name, target, sizeof(target) - 1);

	if (len < 0)
		return mp_fail_errno(walk->err, "cannot read the link '%s'", walk->path);
	target[len] = '\0';
	if (!link_stays(walk->path, target)) {
		walk->tree->refused++;
		mp_watch_note(walk->watch, "link '%s' leads out of the project, not sent", walk->path);
		return 0;
	}
	return add_entry(walk, target, st);
}

static int add_other(struct walk *walk, const struct stat *st)
{
	if (!S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode)) {
		walk->tree->refused++;
		mp_watch_note(walk->watch, "'%s' left out: not a file, directory or link", walk->path);
		return 0;
	}
	if (S_ISREG(st->st_mode) && st->st_size > MP_TREE_SIZE_MAX)
		return mp_fail(walk->err, "'%s' is too large", walk->path);
	return add_entry(walk, NULL, st);
}

static int list_dir(struct walk *walk, int dirfd, int depth);

static int list_below(struct walk *walk, int dirfd, const char *name, int depth)
{
	int fd = mp_dir_open(dirfd, name, walk->path, walk->err), status;

	if (fd < 0)
		return -1;
	status = list_dir(walk, fd, depth);
	close(fd); /* only read */
	return status;
}

static int list_entry(struct walk *walk, int dirfd, const char *name, int depth)
{
	size_t before = walk->len, len = strlen(name);
	struct stat st;
	int status = 0;

	if (before + 1 + len >= sizeof(walk->path))
		return mp_fail(walk->err, "path too long below '%s'", walk->path);
	if (before)
		walk->path[walk->len++] = '/';
	memcpy(walk->path + walk->len, name, len + 1);
	walk->len += len;
	if (mp_dir_look(dirfd, name, &st)) {
		status = errno == ENOENT ? 0 : mp_fail_errno(walk->err, "cannot inspect '%s'", walk->path);
	} else if (!is_left_out(walk, name, S_ISDIR(st.st_mode))) {
		status = S_ISLNK(st.st_mode) ? add_link(walk, dirfd, name, &st) : add_other(walk, &st);
		if (!status && S_ISDIR(st.st_mode))
			status = list_below(walk, dirfd, name, depth + 1);
	}
	walk->len = before;
	walk->path[before] = '\0';
	return status;
}

static int list_dir(struct walk *walk, int dirfd, int depth)
{
	struct mp_dir_names names;
	int status = mp_dir_list(&names, dirfd, NULL, NULL, depth ? walk->path : "the directory", walk->err);

	if (!status && depth > MP_TREE_DEPTH_MAX)
		status = mp_fail(walk->err, "directories too deep: '%s'", walk->path);
	for (size_t i = 0; !status && i < names.count; i++)
		status = list_entry(walk, dirfd, names.items[i], depth);
	mp_dir_names_free(&names);
	return status;
}

int mp_tree_list_local(struct mp_tree *tree, int dirfd, const struct mp_tree_filter *filter,
    const struct mp_watch *watch, struct mp_error *err)
{
	struct walk walk = {.tree = tree, .filter = filter, .watch = watch, .err = err};

	*tree = (struct mp_tree){0};
	if (list_dir(&walk, dirfd, 0)) {
		mp_tree_free(tree);
		return -1;
	}
	mp_tree_sort(tree);
	return 0;
}

/* Returns 1 when the content is the same, 0 when not, -1 on error. */
static int same_content(
    struct mp_tree_dir *dir, const struct mp_tree_entry *here, const char *sha256, struct mp_error *err)
{
	char text[MP_SHA256_TEXT];
	const char *name;
	int parent = mp_tree_dir_enter(dir, here->path, &name, err), fd, status;

	if (parent < 0)
		return -1;
	fd = mp_dir_open_file(parent, name, NULL);
	if (fd < 0)
		return mp_file_refuse(here->path, err);
	status = mp_tree_sha256(fd, here->path, text, err);
	close(fd);
	return status ? -1 : strcmp(text, sha256) == 0;
}

int mp_tree_compare(const struct mp_tree *local, int dirfd, const struct mp_tree *remote, bool by_content, bool *send,
    struct mp_error *err)
{
	struct mp_tree_dir dir;
	int status = 0;

	mp_tree_dir_start(&dir, dirfd, false);
	for (size_t i = 0; i < local->count && !status; i++) {
		const struct mp_tree_entry *here = &local->entries[i], *there = mp_tree_find(remote, here->path);

		send[i] = true;
		if (!there || (here->mode & S_IFMT) != (there->mode & S_IFMT))
			continue;
		if (S_ISLNK(here->mode)) {
			send[i] = !there->target || strcmp(here->target, there->target) != 0;
			continue;
		}
		if (((here->mode ^ there->mode) & 0777) || here->size != there->size)
			continue;
		if (S_ISDIR(here->mode)) {
			send[i] = false;
		} else if (by_content && there->sha256[0]) {
			int same = same_content(&dir, here, there->sha256, err);

			send[i] = same == 0;
			status = same < 0 ? -1 : 0;
		} else {
			send[i] = here->mtime_s != there->mtime_s;
		}
	}
	mp_tree_dir_close(&dir);
	return status;
}

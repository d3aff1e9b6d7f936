/* pull_file.c: writes one fetched file under its unfinished name. Knows no protocol. */
#include "board/transfer/pull_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/door.h"

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

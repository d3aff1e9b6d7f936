/* door.c: looks at, lists and opens what lies below a directory of somebody else, without following links. */
#define _GNU_SOURCE /* O_PATH */
#include "base/door.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/vec.h"

enum { FILE_FLAGS = O_RDONLY | O_NONBLOCK | O_CLOEXEC, DIR_FLAGS = O_RDONLY | O_DIRECTORY | O_CLOEXEC };

int mp_dir_look(int dirfd, const char *name, struct stat *st)
{
	return fstatat(dirfd, name, st, AT_SYMLINK_NOFOLLOW);
}

int mp_dir_type(int dirfd, const char *name, const char *label, struct mp_error *err)
{
	struct stat st;

	if (mp_dir_look(dirfd, name, &st) == 0)
		return (int)(st.st_mode & S_IFMT);
	return mp_is_machine_failure(errno) ? mp_fail_errno(err, "cannot look at '%s'", label) : 0;
}

bool mp_dir_is_link(int dirfd, const char *name)
{
	struct stat st;

	return mp_dir_look(dirfd, name, &st) == 0 && S_ISLNK(st.st_mode);
}

bool mp_dir_is_missing(int dirfd, const char *name)
{
	struct stat st;

	return mp_dir_look(dirfd, name, &st) && errno == ENOENT;
}

static int open_dir(int dirfd, const char *name, const char *label, int how, struct mp_error *err)
{
	int fd = mp_fd_keep(openat(dirfd, name, how | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)), code = errno;

	if (fd >= 0)
		return fd;
	if (mp_dir_is_link(dirfd, name))
		return mp_fail(err, "'%s' is a link: it is not followed", label);
	errno = code;
	return mp_fail_errno(err, "cannot open '%s'", label);
}

int mp_dir_open(int dirfd, const char *name, const char *label, struct mp_error *err)
{
	return open_dir(dirfd, name, label, O_RDONLY, err);
}

int mp_named_dir(const char *path, struct mp_error *err)
{
	int fd = mp_fd_keep(open(path, DIR_FLAGS));

	return fd < 0 ? mp_fail_errno(err, "cannot open '%s'", path) : fd;
}

int mp_dir_open_below(const char *top, const char *path, struct mp_error *err)
{
	size_t end = strlen(top);
	char label[PATH_MAX];
	int fd = -1;

	if (strncmp(path, top, end) != 0 || path[end] != '/')
		return mp_named_dir(path, err);
	if (snprintf(label, sizeof(label), "%s", path) >= (int)sizeof(label))
		return mp_fail(err, "path too long: '%s'", path);
	fd = mp_fd_keep(open(top, O_PATH | O_DIRECTORY | O_CLOEXEC));
	if (fd < 0)
		return mp_fail_errno(err, "cannot open '%s'", top);
	while (fd >= 0 && path[end]) {
		size_t begin = end + strspn(path + end, "/"), after;
		int next;

		end = begin + strcspn(path + begin, "/");
		after = end + strspn(path + end, "/");
		label[end] = '\0';
		next = open_dir(fd, end > begin ? label + begin : ".", label, path[after] ? O_PATH : O_RDONLY, err);
		close(fd); /* nothing was read */
		fd = next;
		label[end] = path[end];
		end = path[after] ? end : after;
	}
	return fd;
}

/* Why what was looked at is no regular file; 0: it is one. */
static int fault_of(const struct stat *st)
{
	return S_ISREG(st->st_mode) ? 0 : S_ISLNK(st->st_mode) ? ELOOP : EINVAL;
}

/* Keep a descriptor only of a regular file, where reads may wait again. */
static int keep_regular(int fd, struct stat *st)
{
	int code;

	fd = mp_fd_keep(fd);
	if (fd < 0)
		return -1;
	code = fstat(fd, st) ? errno : fault_of(st);
	if (!code && fcntl(fd, F_SETFL, 0) == 0)
		return fd;
	code = code ? code : errno;
	close(fd); /* nothing was read */
	errno = code;
	return -1;
}

/* The look comes first, because opening a device may already do something. */
static int open_regular(int dirfd, const char *name, int flags, struct stat *st)
{
	struct stat own = {.st_size = 0};
	int code;

	st = st ? st : &own;
	if (fstatat(dirfd, name, st, flags & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0))
		return -1;
	code = fault_of(st);
	if (!code)
		return keep_regular(openat(dirfd, name, FILE_FLAGS | flags), st);
	errno = code;
	return -1;
}

int mp_dir_open_file(int dirfd, const char *name, struct stat *st)
{
	return open_regular(dirfd, name, O_NOFOLLOW, st);
}

int mp_named_file(const char *path, struct stat *st)
{
	return open_regular(AT_FDCWD, path, 0, st);
}

int mp_file_refuse(const char *label, struct mp_error *err)
{
	if (errno == ELOOP)
		return mp_fail(err, "'%s' is a link: it is not followed", label);
	if (errno == EINVAL)
		return mp_fail(err, "'%s' is not a regular file", label);
	return mp_fail_errno(err, "cannot open '%s'", label);
}

ssize_t mp_file_read(int fd, void *bytes, size_t size, off_t at)
{
	size_t used = 0;

	while (used < size) {
		ssize_t n = pread(fd, (char *)bytes + used, size - used, at + (off_t)used);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		used += (size_t)n;
	}
	return (ssize_t)used;
}

int mp_file_write(int fd, const void *bytes, size_t size, off_t at)
{
	const char *from = bytes;

	while (size) {
		ssize_t n = pwrite(fd, from, size, at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			errno = n ? errno : ENOSPC; /* as SQLite assumes, too */
			return -1;
		}
		from += n;
		at += n;
		size -= (size_t)n;
	}
	return 0;
}

static int add_name(struct mp_dir_names *names, const char *name)
{
	if (!mp_vec_room(names->items, names->count, 1))
		return -1;
	names->items[names->count] = strdup(name);
	if (!names->items[names->count])
		return -1;
	names->count++;
	return 0;
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int mp_dir_list(struct mp_dir_names *names, int dirfd, mp_dir_wanted *wanted, const void *user, const char *label,
    struct mp_error *err)
{
	int fd = mp_fd_keep(openat(dirfd, ".", DIR_FLAGS)), status = 0;
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	*names = (struct mp_dir_names){NULL, 0};
	if (!dir) {
		mp_fail_errno(err, "cannot list '%s'", label);
		if (fd >= 0)
			close(fd); /* nothing was read */
		return -1;
	}
	while (!status && (errno = 0, entry = readdir(dir))) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if ((!wanted || wanted(user, entry->d_name)) && add_name(names, entry->d_name))
			status = mp_fail_memory(err, "a list of names");
	}
	if (!status && errno)
		status = mp_fail_errno(err, "cannot list '%s'", label);
	closedir(dir); /* only read */
	if (names->count)
		qsort(names->items, names->count, sizeof(names->items[0]), by_bytes);
	return status;
}

void mp_dir_names_free(struct mp_dir_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->items[i]);
	free(names->items);
	*names = (struct mp_dir_names){NULL, 0};
}

/*
 * lock.c: lock files. Those of devices lie in $XDG_RUNTIME_DIR or, without one, in /tmp, where others may have put
 * anything: links are not followed, and only a regular file will do that has no other name.
 */
#define _GNU_SOURCE /* secure_getenv */
#include "recorder/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "recorder/include/msprof_recorder.h"

static int open_lock(int dirfd, const char *name, mode_t mode)
{
	enum { FLAGS = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC };
	int fd = openat(dirfd, name, FLAGS);

	/* in this order: /tmp may forbid O_CREAT on another user's file */
	if (fd < 0 && errno == ENOENT) {
		fd = openat(dirfd, name, FLAGS | O_CREAT, mode);
		if (fd >= 0)
			(void)!fchmod(fd, mode); /* of another's, it may fail */
	}
	return mp_fd_keep(fd);
}

/* Whether it is a regular file that has this name and no other: what is written into it is written into no other's. */
static bool is_own_file(int fd, int dirfd, const char *name)
{
	struct stat open, there;

	return fstat(fd, &open) == 0 && fstatat(dirfd, name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(there.st_mode) && there.st_nlink == 1 && there.st_dev == open.st_dev &&
	       there.st_ino == open.st_ino;
}

static int holder_of(int fd)
{
	char text[24] = "";
	int pid = 0;

	if (pread(fd, text, sizeof(text) - 1, 0) > 0 && sscanf(text, "%9d", &pid) != 1)
		pid = 0;
	return pid;
}

static int busy(int fd, const char *what, struct mp_error *err)
{
	int pid = holder_of(fd);

	close(fd);
	if (pid > 0)
		mp_error_set(err, "%s is being recorded by process %d: wait for its end, or end it", what, pid);
	else
		mp_error_set(err, "%s is being recorded by another process: wait for its end", what);
	return MSPROF_ALREADY_RUN;
}

static int take(int dirfd, const char *name, mode_t mode, const char *what, int *lock, struct mp_error *err)
{
	int fd = open_lock(dirfd, name, mode), len;
	char text[24];

	if (fd < 0) {
		mp_error_set_errno(err, "cannot open the lock file '%s' of %s", name, what);
		return MSPROF_INVALID_FILE;
	}
	if (!is_own_file(fd, dirfd, name)) {
		close(fd);
		mp_error_set(
		    err, "the lock file '%s' of %s is no regular file, or has other names: remove it", name, what);
		return MSPROF_INVALID_FILE;
	}
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		if (errno == EWOULDBLOCK)
			return busy(fd, what, err);
		mp_error_set_errno(err, "cannot lock '%s' of %s", name, what);
		close(fd);
		return MSPROF_INVALID_FILE;
	}
	len = snprintf(text, sizeof(text), "%d\n", (int)getpid());
	if (ftruncate(fd, 0) || pwrite(fd, text, (size_t)len, 0) != len)
		(void)0; /* a full disk: the lock holds, only its holder stays unnamed */
	*lock = fd;
	return MSPROF_OK;
}

int mp_lock_directory(int dirfd, const char *label, int *lock, struct mp_error *err)
{
	char what[600];

	snprintf(what, sizeof(what), "directory '%.512s'", label);
	return take(dirfd, ".msprof.recorder.lock", 0640, what, lock, err);
}

int mp_lock_device(int device, int *lock, struct mp_error *err)
{
	const char *dir = secure_getenv("XDG_RUNTIME_DIR");
	char path[4096], what[32];

	if (!dir || dir[0] != '/' || access(dir, W_OK | X_OK))
		dir = "/tmp";
	snprintf(path, sizeof(path), "%s/msprof-device-%d.lock", dir, device);
	snprintf(what, sizeof(what), "device %d", device);
	return take(AT_FDCWD, path, 0666, what, lock, err);
}

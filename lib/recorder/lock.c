/*
 * lock.c: lock files. Those of devices lie in $XDG_RUNTIME_DIR or, without one, in /tmp, where others may have put
 * anything: links are not followed, and only a regular file will do.
 */
#include "recorder/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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
	return fd;
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
	struct stat st;
	char text[24];

	if (fd < 0) {
		mp_error_set_errno(err, "cannot open the lock file '%s' of %s", name, what);
		return MSPROF_INVALID_FILE;
	}
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		mp_error_set(err, "the lock file '%s' of %s is no regular file: remove it", name, what);
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
	const char *dir = getenv("XDG_RUNTIME_DIR");
	char path[4096], what[32];

	if (!dir || dir[0] != '/' || access(dir, W_OK | X_OK))
		dir = "/tmp";
	snprintf(path, sizeof(path), "%s/msprof-device-%d.lock", dir, device);
	snprintf(what, sizeof(what), "device %d", device);
	return take(AT_FDCWD, path, 0666, what, lock, err);
}

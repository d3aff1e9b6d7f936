/*
 * place.c: directories of results, identified by device and inode; lock files. Files for devices are in a directory
 * that only their user can write. Files for directories may be where others can write: links are not followed, and the
 * file must be a regular file with no other name. Lock files stay empty.
 */
#define _GNU_SOURCE /* secure_getenv */
#include "recorder/recorder_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "recorder/include/msprof_recorder.h"
#include "recorder/session.h"
#include "recorder/table.h"

enum { PLACE_SIZE = 4096 };

static int open_lock(int dirfd, const char *name)
{
	enum { FLAGS = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC };
	int fd = openat(mp_fd_use(dirfd), name, FLAGS);

	/* two steps: a sticky directory may forbid O_CREAT on another user's file */
	if (fd < 0 && errno == ENOENT) {
		fd = openat(mp_fd_use(dirfd), name, FLAGS | O_CREAT, 0640);
		if (fd >= 0)
			(void)!fchmod(fd, 0640); /* fails for another user's file */
	}
	return mp_fd_hold(fd);
}

/* Returns whether fd is a regular file with this name only, so that writing to it cannot change another file. */
static bool is_own_file(int fd, int dirfd, const char *name)
{
	struct stat open, there;

	return fstat(fd, &open) == 0 && fstatat(dirfd, name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(there.st_mode) && there.st_nlink == 1 && there.st_dev == open.st_dev &&
	       there.st_ino == open.st_ino;
}

/*
 * The process that holds the lock, according to the kernel, or 0. A number in the file could be anything. A line of
 * /proc/locks is "1: FLOCK ADVISORY WRITE 4711 08:01:131 0 EOF"; waiting processes have "->" after the number.
 */
static int holder_of(int fd)
{
	FILE *locks = fopen("/proc/locks", "re");
	struct stat st;
	char line[256];
	int holder = 0;

	if (!locks)
		return 0;
	while (!holder && fstat(fd, &st) == 0 && fgets(line, sizeof(line), locks)) {
		unsigned long long inode;
		unsigned major_, minor_;
		int pid;

		if (sscanf(line, "%*d: FLOCK %*s %*s %d %x:%x:%llu", &pid, &major_, &minor_, &inode) == 4 && pid > 0 &&
		    inode == st.st_ino && major_ == major(st.st_dev) && minor_ == minor(st.st_dev))
			holder = pid;
	}
	fclose(locks);
	return holder;
}

static int busy(int fd, const char *what, struct mp_error *err)
{
	int pid = holder_of(fd);

	mp_fd_drop(fd);
	if (pid > 0)
		mp_error_set(err, "%s is being recorded by process %d: wait for its end, or end it", what, pid);
	else
		mp_error_set(err, "%s is being recorded by another process: wait for its end", what);
	return MSPROF_ALREADY_RUN;
}

/* Lock an open file, which is closed on failure. */
static int lock_file(int fd, const char *name, const char *what, int *lock, struct mp_error *err)
{
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		if (errno == EWOULDBLOCK)
			return busy(fd, what, err);
		mp_error_set_errno(err, "cannot lock '%s' of %s", name, what);
		mp_fd_drop(fd);
		return MSPROF_INVALID_FILE;
	}
	*lock = fd;
	return MSPROF_OK;
}

static int take(int dirfd, const char *name, const char *what, int *lock, struct mp_error *err)
{
	int fd = open_lock(dirfd, name);

	if (fd < 0) {
		mp_error_set_errno(err, "cannot open the lock file '%s' of %s", name, what);
		return MSPROF_INVALID_FILE;
	}
	if (!is_own_file(fd, dirfd, name)) {
		mp_fd_drop(fd);
		mp_error_set(
		    err, "the lock file '%s' of %s is not a regular file, or has several links: remove it", name, what);
		return MSPROF_INVALID_FILE;
	}
	return lock_file(fd, name, what, lock, err);
}

/* Lock a directory. Returns an enum msprof_status with err: 100042 when locked already. */
static int lock_directory(int dirfd, const char *label, int *lock, struct mp_error *err)
{
	char what[600];
	int fd = mp_fd_hold(openat(mp_fd_use(dirfd), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));

	snprintf(what, sizeof(what), "directory '%.512s'", label);
	if (fd < 0) {
		mp_error_set_errno(err, "cannot open %s", what);
		return MSPROF_INVALID_FILE;
	}
	return lock_file(fd, ".", what, lock, err);
}

/*
 * Open a directory that only this user can write, made if `make` is set. Returns -1 for a missing directory, or one
 * that others can write.
 */
static int open_own(const char *path, bool make)
{
	struct stat st;
	int fd;

	if (make && mkdir(path, 0700) && errno != EEXIST)
		return -1;
	fd = mp_fd_hold(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
	if (fd < 0 || (fstat(fd, &st) == 0 && st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH))))
		return fd;
	mp_fd_drop(fd);
	errno = EPERM;
	return -1;
}

/* Open $XDG_RUNTIME_DIR or its usual place; for root /run/msprof; otherwise a directory in /tmp. */
static int open_place(char place[PLACE_SIZE])
{
	const char *wanted = secure_getenv("XDG_RUNTIME_DIR");
	unsigned user = (unsigned)geteuid();
	int fd = -1;

	if (wanted && wanted[0] == '/' && snprintf(place, PLACE_SIZE, "%s", wanted) < PLACE_SIZE)
		fd = open_own(place, false);
	if (fd < 0) {
		snprintf(place, PLACE_SIZE, user ? "/run/user/%u" : "/run/msprof", user);
		fd = open_own(place, !user);
	}
	if (fd < 0) {
		snprintf(place, PLACE_SIZE, "/tmp/msprof-%u", user);
		fd = open_own(place, true);
	}
	return fd;
}

int mp_lock_device(int device, int *lock, struct mp_error *err)
{
	char place[PLACE_SIZE], name[40], what[32];
	int dirfd = open_place(place), code;

	snprintf(what, sizeof(what), "device %d", device);
	if (dirfd < 0) {
		mp_error_set_errno(err,
		    "cannot use '%s' for the lock of %s; set XDG_RUNTIME_DIR to a directory of your own", place, what);
		return MSPROF_INVALID_FILE;
	}
	snprintf(name, sizeof(name), "msprof-device-%d.lock", device);
	code = take(dirfd, name, what, lock, err);
	mp_fd_drop(dirfd);
	return code;
}

enum { SPACE_LEAST_MB = 20 };

static int open_directory(struct mp_result_place *p, const char *dir, struct mp_error *err)
{
	struct statvfs space;
	struct stat st;
	uint64_t mb;

	p->fd = mp_fd_hold(open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	if (p->fd < 0 || fstat(p->fd, &st)) {
		mp_error_set_errno(err, "cannot open the output directory '%s'", dir);
		return MSPROF_INVALID_FILE;
	}
	if (faccessat(p->fd, ".", W_OK | X_OK, AT_EACCESS)) {
		mp_error_set_errno(err, "cannot write to the output directory '%s'", dir);
		return MSPROF_INVALID_FILE;
	}
	p->dev = st.st_dev;
	p->ino = st.st_ino;
	if (fstatvfs(p->fd, &space))
		return MSPROF_OK;
	mb = (uint64_t)space.f_bavail * space.f_frsize / (1024 * 1024);
	if (mb >= SPACE_LEAST_MB)
		return MSPROF_OK;
	mp_error_set(err,
	    "Insufficient disk space. Reason: The remaining disk space of %s is %lluMB, which is less than %dMB.", dir,
	    (unsigned long long)mb, SPACE_LEAST_MB);
	return MSPROF_STORAGE_OVER_LIMIT;
}

static void discard(struct mp_result_place *p)
{
	mp_fd_drop(p->lock);
	mp_fd_drop(p->fd);
	free(p);
}

/* Add a place to the list, or return the one that is there already; *place is then not needed. Call with the lock. */
static struct mp_result_place *enlist(struct mp_result_place *place)
{
	struct mp_result_place *p = mp_recorder.places;

	while (p && (p->dev != place->dev || p->ino != place->ino))
		p = p->next;
	if (p) {
		discard(place);
	} else {
		if (!mp_recorder.places)
			mp_wall_read(&mp_recorder.wall);
		p = place;
		p->next = mp_recorder.places;
		mp_recorder.places = p;
	}
	p->uses++;
	return p;
}

int mp_place_open(struct mp_result_place **place, const char *dir, bool locked, struct mp_error *err)
{
	struct mp_result_place *p = calloc(1, sizeof(*p));
	int code;

	*place = NULL;
	if (!p) {
		mp_error_set_memory(err, "a recording");
		return MSPROF_BAD_ALLOC;
	}
	p->fd = p->lock = -1;
	code = open_directory(p, dir, err);
	if (code) {
		discard(p);
		return code;
	}
	pthread_mutex_lock(&mp_recorder.lock);
	p = enlist(p);
	if (locked && p->lock < 0)
		code = lock_directory(p->fd, dir, &p->lock, err);
	if (code)
		mp_place_close(p);
	else
		*place = p;
	pthread_mutex_unlock(&mp_recorder.lock);
	return code;
}

void mp_place_close(struct mp_result_place *place)
{
	struct mp_result_place **at = &mp_recorder.places;

	if (!place || --place->uses)
		return;
	while (*at != place)
		at = &(*at)->next;
	*at = place->next;
	discard(place);
}

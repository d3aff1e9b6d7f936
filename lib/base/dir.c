/* dir.c: makes and opens output directories, step by step and by descriptors. */
#define _GNU_SOURCE /* O_PATH */
#include "base/dir.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 1000 }; /* with other processes that remove a directory */

int mp_fd_keep(int fd)
{
	int kept, code;

	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	kept = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	code = errno;
	close(fd); /* the descriptor was not used for writing */
	errno = code;
	return kept;
}

int mp_dir_make(int dirfd, const char *name, const char *label, struct mp_error *err)
{
	int made, fd, tries = 0;

	do { /* another process may remove the directory that it found */
		made = mkdirat(dirfd, name, 0750);
		if (made && errno != EEXIST)
			return mp_fail_errno(err, "cannot make '%s'", label);
		fd = mp_dir_open(dirfd, name, label, err);
	} while (fd < 0 && errno == ENOENT && tries++ < TRIES);
	if (fd < 0)
		return -1;
	if (!made && fchmod(fd, 0750)) { /* regardless of the umask */
		mp_fail_errno(err, "cannot set the mode of '%s'", label);
		close(fd);
		return -1;
	}
	return fd;
}

/* What changes while another process works in a directory. */
struct activity {
	struct timespec dir, part;
	off_t size;
	ino_t number;
};

static bool has_moved(struct activity *last, int dirfd, const char *part)
{
	struct stat dir = {0}, file = {0};
	struct activity was = *last;

	if (fstat(dirfd, &dir) == 0)
		last->dir = dir.st_mtim;
	if (mp_dir_look(dirfd, part, &file))
		file = (struct stat){0}; /* no file yet, or no longer */
	last->part = file.st_mtim;
	last->size = file.st_size;
	last->number = file.st_ino;
	return was.dir.tv_sec != last->dir.tv_sec || was.dir.tv_nsec != last->dir.tv_nsec ||
	       was.part.tv_sec != last->part.tv_sec || was.part.tv_nsec != last->part.tv_nsec ||
	       was.size != last->size || was.number != last->number;
}

int mp_dir_lock(
    int dirfd, const char *part, const char *doing, const char *label, const struct mp_wait *wait, struct mp_error *err)
{
	struct activity last = {.size = -1};
	int quiet = 0, waited = 0;

	while (flock(dirfd, LOCK_EX | LOCK_NB)) {
		if (errno == EINTR)
			continue;
		if (errno != EWOULDBLOCK)
			return mp_fail_errno(err, "cannot lock '%s'", label);
		quiet = has_moved(&last, dirfd, part) ? 0 : quiet + 1;
		if (!wait->polls)
			return mp_fail(err, "another msprof is %s into '%s'", doing, label);
		if (quiet >= wait->polls)
			return mp_fail(err,
			    "another msprof is %s into '%s', but makes no progress: end that process, or wait and try again",
			    doing, label);
		waited = 1;
		wait->pause(wait->user);
	}
	return waited;
}

/* Returns whether a descriptor is that of the directory that has a name now. */
static bool has_name(int fd, int dirfd, const char *name)
{
	struct stat own, named;

	return fstat(fd, &own) == 0 && mp_dir_look(dirfd, name, &named) == 0 && own.st_dev == named.st_dev &&
	       own.st_ino == named.st_ino;
}

int mp_dir_open_locked(int dirfd, const char *name, mp_dir_opens *opens, const char *part, const char *doing,
    const char *label, const struct mp_wait *wait, bool *waited, struct mp_error *err)
{
	int fd, locked, tries = 0;

	*waited = false;
	do { /* the holder of the lock may have removed the directory */
		fd = opens(dirfd, name, label, err);
		if (fd < 0)
			return -1;
		locked = mp_dir_lock(fd, part, doing, label, wait, err);
		*waited = *waited || locked > 0;
		if (locked >= 0 && has_name(fd, dirfd, name))
			return fd;
		close(fd); /* nothing was written through it */
	} while (locked >= 0 && tries++ < TRIES);
	return locked < 0 ? -1 : mp_fail(err, "'%s' is removed again and again", label);
}

/* Make a directory below fd; another process may have made it first. */
static int make_below(int fd, const char *name)
{
	int made, code;

	if (mkdirat(fd, name, 0750))
		return errno == EEXIST ? openat(fd, name, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
	made = openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (made < 0 || fchmod(made, 0750) == 0) /* regardless of the umask */
		return made;
	code = errno;
	close(made);
	errno = code;
	return -1;
}

/* Take ownership of fd and open its directory NAME, made when missing. The right to search a directory suffices. */
static int step_into(int fd, const char *name)
{
	int next = openat(fd, name, O_PATH | O_DIRECTORY | O_CLOEXEC), code;

	if (next < 0 && errno == ENOENT)
		next = make_below(fd, name);
	code = errno;
	close(fd);
	errno = code;
	return next;
}

int mp_dir_walk(const char *path, struct mp_error *err)
{
	char part[PATH_MAX], *name;
	int fd;

	if (!*path || snprintf(part, sizeof(part), "%s", path) >= (int)sizeof(part))
		return mp_fail(err, *path ? "path too long: '%s'" : "the path of a directory is empty", path);
	fd = mp_fd_keep(open(*path == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
	if (fd < 0)
		return mp_fail_errno(err, "cannot open the directory '%s'", *path == '/' ? "/" : ".");
	for (name = part + strspn(part, "/"); *name;) {
		size_t len = strcspn(name, "/"), slashes = strspn(name + len, "/");

		name[len] = '\0';
		fd = mp_fd_keep(step_into(fd, name));
		if (fd < 0)
			return mp_fail_errno(err, "cannot make the directory '%s'", part);
		if (slashes)
			name[len] = '/';
		name += len + slashes;
	}
	return fd;
}

int mp_dir_make_path(char **real, const char *path, struct mp_error *err)
{
	int fd = mp_dir_walk(path, err), status = 0;

	*real = NULL;
	if (fd < 0)
		return -1;
	if (faccessat(fd, ".", W_OK | X_OK, 0))
		status = mp_fail_errno(err, "cannot write into '%s'", path);
	else if ((*real = realpath(path, NULL)) == NULL)
		status = mp_fail_errno(err, "cannot find '%s'", path);
	close(fd);
	return status;
}

const char *mp_dir_temporary(void)
{
	const char *const dirs[] = {getenv("SQLITE_TMPDIR"), getenv("TMPDIR"), "/var/tmp", "/usr/tmp", "/tmp", "."};
	struct stat st;

	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++)
		if (dirs[i] && stat(dirs[i], &st) == 0 && S_ISDIR(st.st_mode) && access(dirs[i], W_OK | X_OK) == 0)
			return dirs[i];
	return NULL;
}

int mp_dir_open_temporary(void)
{
	const char *path = mp_dir_temporary();

	if (!path)
		errno = ENOENT;
	return path ? mp_fd_keep(open(path, O_PATH | O_DIRECTORY | O_CLOEXEC)) : -1;
}

int mp_dir_unnamed(int dirfd)
{
	const int flags = O_RDWR | O_CLOEXEC;
	int fd = mp_fd_keep(openat(dirfd, ".", flags | O_TMPFILE, 0600));
	char name[64];

	for (unsigned i = 0; fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EEXIST) && i < 100; i++) {
		snprintf(name, sizeof(name), ".msprof.%ld.%u", (long)getpid(), i);
		fd = mp_fd_keep(openat(dirfd, name, flags | O_CREAT | O_EXCL | O_NOFOLLOW, 0600));
		if (fd >= 0 && unlinkat(dirfd, name, 0)) {
			close(fd); /* nothing was written */
			return -1;
		}
	}
	return fd;
}

int mp_dir_unnamed_temporary(void)
{
	int dirfd = mp_dir_open_temporary(), fd, code;

	if (dirfd < 0)
		return -1;
	fd = mp_dir_unnamed(dirfd);
	code = errno;
	close(dirfd); /* nothing was written through it */
	errno = code;
	return fd;
}

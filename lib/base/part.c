/* part.c: see part.h. */
#define _GNU_SOURCE /* syncfs */
#include "base/part.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"

int mp_part_create(int dirfd, const char *part, const char *label, struct mp_error *err)
{
	int fd;

	if (unlinkat(dirfd, part, 0) && errno != ENOENT)
		return mp_fail_errno(err, "cannot remove '%s' for '%s'", part, label);
	fd = mp_fd_keep(openat(dirfd, part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0640));
	if (fd < 0)
		return mp_fail_errno(err, "cannot create '%s'", label);
	if (fchmod(fd, 0640) == 0) /* the umask may have removed bits */
		return fd;
	mp_fail_errno(err, "cannot set the mode of '%s'", label);
	mp_part_discard(dirfd, fd, part);
	return -1;
}

/* Bring the names of a directory to the disk. One that may not be read, or has no such call, cannot be. */
static int sync_names(int dirfd)
{
	int fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), status;

	if (fd < 0)
		return errno == EACCES ? 0 : -1;
	status = fsync(fd) && errno != EINVAL ? -1 : 0;
	close(fd); /* nothing was written through it */
	return status;
}

int mp_part_publish(
    int dirfd, int fd, const char *part, const char *name, bool sync, const char *label, struct mp_error *err)
{
	int status = sync && fsync(fd) ? mp_fail_errno(err, "cannot write '%s'", label) : 0;

	if (close(fd) && !status)
		status = mp_fail_errno(err, "cannot close '%s'", label);
	if (!status && renameat(dirfd, part, dirfd, name))
		status = mp_fail_errno(err, "cannot rename '%s' to '%s'", part, label);
	if (status)
		unlinkat(dirfd, part, 0); /* the error was told */
	else if (sync && sync_names(dirfd))
		status = mp_fail_errno(err, "cannot write the directory of '%s'", label);
	return status;
}

int mp_part_sync_all(int dirfd, const char *label, struct mp_error *err)
{
	return syncfs(dirfd) ? mp_fail_errno(err, "cannot write '%s'", label) : 0;
}

void mp_part_discard(int dirfd, int fd, const char *part)
{
	close(fd); /* the content is discarded anyway */
	unlinkat(dirfd, part, 0);
}

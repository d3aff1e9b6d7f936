/* dir.c: makes and opens output directories without following links. */
#include "base/dir.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int mp_fd_keep(int fd)
{
	int kept, code;

	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	kept = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	code = errno;
	close(fd); /* nothing was written with it */
	errno = code;
	return kept;
}

int mp_dir_make(int dirfd, const char *name, const char *label, struct mp_error *err)
{
	struct stat st;
	int made = mkdirat(dirfd, name, 0750), fd;

	if (made && errno != EEXIST)
		return mp_fail_errno(err, "cannot make '%s'", label);
	fd = mp_fd_keep(openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
	if (fd < 0 && fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode))
		return mp_fail(err, "'%s' is a link: it is not followed", label);
	if (fd < 0)
		return mp_fail_errno(err, "cannot open '%s'", label);
	if (!made && fchmod(fd, 0750)) { /* whatever the umask */
		mp_fail_errno(err, "cannot set the mode of '%s'", label);
		close(fd);
		return -1;
	}
	return fd;
}

int mp_dir_make_path(char **real, const char *path, struct mp_error *err)
{
	char part[PATH_MAX];

	if (!*path || snprintf(part, sizeof(part), "%s", path) >= (int)sizeof(part))
		return mp_fail(err, *path ? "path too long: '%s'" : "the path of a directory is empty", path);
	for (char *c = part + 1;; c++) {
		char end = *c;

		if (end && end != '/')
			continue;
		*c = '\0';
		if (mkdir(part, 0750) ? errno != EEXIST : chmod(part, 0750) != 0) /* whatever the umask */
			return mp_fail_errno(err, "cannot make the directory '%s'", part);
		*c = end;
		if (!end)
			break;
	}
	*real = realpath(path, NULL);
	if (!*real)
		return mp_fail_errno(err, "cannot find '%s'", path);
	if (access(*real, W_OK | X_OK) == 0)
		return 0;
	mp_fail_errno(err, "cannot write into '%s'", path);
	free(*real);
	*real = NULL;
	return -1;
}

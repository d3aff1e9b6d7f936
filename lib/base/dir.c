/* dir.c: makes and opens output directories without following links. */
#include "base/dir.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int mp_dir_make(int dirfd, const char *name, const char *label, struct mp_error *err)
{
	struct stat st;
	int made = mkdirat(dirfd, name, 0750), fd;

	if (made && errno != EEXIST)
		return mp_fail_errno(err, "cannot make '%s'", label);
	fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
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

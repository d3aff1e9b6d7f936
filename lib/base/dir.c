/* dir.c: makes and opens output directories without following links. */
#include "base/dir.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

int mp_dir_make(int dirfd, const char *name, const char *label, struct mp_error *err)
{
	int fd;

	if (mkdirat(dirfd, name, 0750) && errno != EEXIST)
		return mp_fail_errno(err, "cannot make '%s'", label);
	fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return mp_fail_errno(err, "cannot open '%s'", label);
	return fd;
}

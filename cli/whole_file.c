/* whole_file.c: writes a file beside its place. Knows no content. */
#include "whole_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/door.h"
#include "interrupt.h"

enum { BEGIN_MAX = 128 };

/* Returns 0 when the file is missing, empty, or begins with a text; -1 with err. */
static int check_kind(int dirfd, const char *name, const char *path, const char *begin, struct mp_error *err)
{
	int fd = mp_dir_open_file(dirfd, name, NULL);
	char text[BEGIN_MAX];
	ssize_t len;

	if (fd < 0)
		return errno == ENOENT ? 0 : mp_file_refuse(path, err);
	len = mp_file_read(fd, text, sizeof(text), 0);
	close(fd); /* read only: nothing to lose */
	if (len == 0 || (len >= (ssize_t)strlen(begin) && memcmp(text, begin, strlen(begin)) == 0))
		return 0;
	return mp_fail(
	    err, "'%s' is a file of another kind, and is not replaced: remove it, or name another file", path);
}

int whole_file_open(struct whole_file *f, const char *path, const char *begin, struct mp_error *err)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char dir[PATH_MAX];
	int status, type;

	if (strlen(path) >= sizeof(dir))
		return mp_fail(err, "path too long: '%s'", path);
	snprintf(dir, sizeof(dir), "%.*s", slash ? (int)(slash - path) + (slash == path) : 1, slash ? path : ".");
	f->dirfd = mp_named_dir(dir, err);
	if (f->dirfd < 0)
		return -1;
	type = *name ? mp_dir_type(f->dirfd, name, path, err) : S_IFDIR;
	if (type > 0 && type != S_IFREG)
		status = mp_fail(err, "'%s' is not a regular file, and is not replaced%s", path,
		    type == S_IFDIR ? ": it is a directory; name a file in it" : "");
	else if (type < 0 || check_kind(f->dirfd, name, path, begin, err))
		status = -1;
	else
		status = flock(f->dirfd, LOCK_EX) ? mp_fail_errno(err, "cannot lock '%s'", dir)
						  : mp_out_create(&f->out, f->dirfd, name, path, err);
	if (status) {
		close(f->dirfd); /* nothing was written through it */
	} else {
		mp_out_sync(f->out);
		interrupt_removes(f->dirfd, MP_OUT_PART);
	}
	return status;
}

int whole_file_close(struct whole_file *f, int status, struct mp_error *err)
{
	if (status)
		mp_out_abort(f->out);
	else
		status = mp_out_commit(f->out, err);
	interrupt_removes(-1, MP_OUT_PART);
	close(f->dirfd); /* nothing was written through it */
	return status;
}

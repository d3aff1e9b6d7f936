/* control_dir.c: makes the directory named in Init. */
#include "recorder/control.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/text.h"

static int make_absolute(const char *path, char dir[MP_PATH_SIZE], struct mp_error *err)
{
	char here[MP_PATH_SIZE] = "";

	if (path[0] != '/' && !getcwd(here, sizeof(here)))
		return mp_fail_errno(err, "the current directory is unknown");
	if (snprintf(dir, MP_PATH_SIZE, "%s%s%s", here, *here ? "/" : "", path) >= MP_PATH_SIZE)
		return mp_fail(err, "the absolute path is longer than 4095 bytes");
	return 0;
}

int mp_control_dir(const char *path, char dir[MP_PATH_SIZE], struct mp_error *err)
{
	int fd, status = 0;

	if (mp_has_control(path, strlen(path)))
		return mp_fail(err, "the path has a control character or is not UTF-8");
	if (make_absolute(path, dir, err))
		return -1;
	fd = mp_dir_walk(dir, err);
	if (fd < 0)
		return -1;
	if (faccessat(fd, ".", W_OK | X_OK, 0))
		status = mp_fail_errno(err, "not writable");
	close(fd);
	return status;
}

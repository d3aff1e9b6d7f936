/* control_dir.c: the directory that Init names. */
#include "recorder/control.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

static int make_absolute(const char *path, char dir[MP_PATH_SIZE], struct mp_error *err)
{
	char here[MP_PATH_SIZE] = "";

	if (path[0] != '/' && !getcwd(here, sizeof(here)))
		return mp_fail_errno(err, "the current directory cannot be told");
	if (snprintf(dir, MP_PATH_SIZE, "%s%s%s", here, *here ? "/" : "", path) >= MP_PATH_SIZE)
		return mp_fail(err, "the absolute path is longer than 4095 bytes");
	return 0;
}

/* Each directory of the path that is missing, 0750 whatever the umask. */
static int make_all(char dir[MP_PATH_SIZE], struct mp_error *err)
{
	for (char *at = dir + 1;; at++) {
		char end = *at;

		if (end && end != '/')
			continue;
		*at = '\0';
		if (mkdir(dir, 0750) == 0) {
			if (chmod(dir, 0750))
				return mp_fail_errno(err, "the mode of '%s' cannot be set", dir);
		} else if (errno != EEXIST && errno != EISDIR && access(dir, F_OK)) {
			return mp_fail_errno(err, "'%s' cannot be made", dir);
		}
		*at = end;
		if (!end)
			return 0;
	}
}

int mp_control_dir(const char *path, char dir[MP_PATH_SIZE], struct mp_error *err)
{
	struct stat st;

	if (mp_has_control(path, strlen(path)))
		return mp_fail(err, "the path has a control character or is not UTF-8");
	if (make_absolute(path, dir, err) || make_all(dir, err))
		return -1;
	if (stat(dir, &st))
		return mp_fail_errno(err, "it cannot be used");
	if (!S_ISDIR(st.st_mode))
		return mp_fail(err, "it is no directory");
	if (access(dir, W_OK | X_OK))
		return mp_fail_errno(err, "it cannot be written to");
	return 0;
}

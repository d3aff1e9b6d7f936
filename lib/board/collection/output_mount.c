/* output_mount.c: the mount of a collection for the output; without the mount the data is fetched from the board. */
#include "board/collection/collect_internal.h"

#include <sys/stat.h>

enum { SPACE_LOW = 1 << 30 };

static void tell_space(struct mp_collect *c)
{
	struct mp_error err;
	int64_t bytes;

	if (mp_remote_space(c->board, c->mount.point, &bytes, &err))
		mp_collect_say(c, MP_COLLECT_WARNING, "%s", err.text);
	else if (bytes >= 0 && bytes < SPACE_LOW)
		mp_collect_say(
		    c, MP_COLLECT_WARNING, "only %lld MiB are free on '%s'", (long long)(bytes >> 20), c->mount_path);
	else if (bytes >= 0)
		mp_collect_say(
		    c, MP_COLLECT_INFO, "%lld MiB are free on '%s'", (long long)(bytes >> 20), c->mount_path);
}

int mp_collect_mount(struct mp_collect *c, struct mp_error *err)
{
	char marker[MP_REMOTE_PATH];
	const struct mp_mount_files files = {marker, c->guard_mark};

	if (mp_collect_remote_path(c, MP_COLLECT_MOUNT, marker, err) ||
	    mp_mount_start(&c->mount, c->board, c->mount_path, &files, &c->watch, err))
		return -1;
	if (c->mount.ours)
		mp_collect_say(c, MP_COLLECT_INFO, "mounted '%s' at '%s'", c->mount_path, c->mount.point);
	else
		mp_collect_say(
		    c, MP_COLLECT_INFO, "'%s' is already mounted: the mount is used, and stays", c->mount.point);
	tell_space(c);
	return 0;
}

bool mp_collect_mount_is_output(const struct mp_collect *c)
{
	struct stat there, here;

	return c->mount.ours && stat(c->mount_path, &there) == 0 && fstat(c->options->outfd, &here) == 0 &&
	       there.st_dev == here.st_dev && there.st_ino == here.st_ino;
}

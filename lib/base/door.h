/*
 * door.h: the only way to what lies below a directory that somebody else may have written.
 *
 * Names are looked at, listed and opened below a descriptor, one step at a time. Links are not followed, and nothing
 * but directories and regular files is opened. What the user names may be a link: mp_named_*. Descriptors lie above the
 * standard streams and are the caller's. `label` is the name of the object in errors. No state; any thread.
 */
#ifndef MP_BASE_DOOR_H
#define MP_BASE_DOOR_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/error.h"

/* When a file was written last, in ns. */
static inline int64_t mp_mtime_ns(const struct stat *st)
{
	return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

/* Look at NAME, like fstatat. Returns 0, or -1 with errno. */
int mp_dir_look(int dirfd, const char *name, struct stat *st);

/*
 * Returns the type of NAME as in st_mode; 0 for nothing, or what this user may not look at; -1 with err after a failure
 * of the machine, which must not pass for nothing.
 */
int mp_dir_type(int dirfd, const char *name, const char *label, struct mp_error *err);

/* Returns whether NAME below dirfd is a link; and whether there is nothing of this name. */
bool mp_dir_is_link(int dirfd, const char *name);
bool mp_dir_is_missing(int dirfd, const char *name);

/* Open the directory NAME below dirfd. Returns a descriptor, or -1 with err. */
int mp_dir_open(int dirfd, const char *name, const char *label, struct mp_error *err);

/*
 * Open the regular file NAME below dirfd for reading, and set *st (or NULL). Returns a descriptor, or -1 with errno:
 * ELOOP for a link, EINVAL for what is neither a link nor a regular file.
 */
int mp_dir_open_file(int dirfd, const char *name, struct stat *st);

/* The same for a path of the user's; links are followed. */
int mp_named_file(const char *path, struct stat *st);

/* Open a directory that the user names; links are followed. Returns a descriptor, or -1 with err. */
int mp_named_dir(const char *path, struct mp_error *err);

/*
 * Open the directory `path`, which begins with `top`, a directory that the user names: below it links are not followed.
 * A path that does not begin with it is the user's, too. Rights to the directories between are not needed. Returns a
 * descriptor, or -1 with err.
 */
int mp_dir_open_below(const char *top, const char *path, struct mp_error *err);

/* Say by errno why mp_dir_open_file or mp_named_file failed. Returns -1. */
int mp_file_refuse(const char *label, struct mp_error *err);

/* Read `size` bytes at `at`. Returns their number, less at the end of the file; or -1 with errno. */
ssize_t mp_file_read(int fd, void *bytes, size_t size, off_t at);

/* Write all bytes at `at`. Returns 0, or -1 with errno: where nothing could be written that of a full disk. */
int mp_file_write(int fd, const void *bytes, size_t size, off_t at);

/* Names in order of bytes, without "." and "..". */
struct mp_dir_names {
	char **items;
	size_t count;
};

typedef bool mp_dir_wanted(const void *user, const char *name);

/*
 * List the names in a directory that are `wanted` (NULL: all). Returns 0, or -1 with err; free with mp_dir_names_free
 * in any case.
 */
int mp_dir_list(struct mp_dir_names *names, int dirfd, mp_dir_wanted *wanted, const void *user, const char *label,
    struct mp_error *err);
void mp_dir_names_free(struct mp_dir_names *names);

/*
 * Returns whether an errno of open is a failure of the machine: no descriptors, no memory, a broken disk or mount.
 * Otherwise the file itself is at fault: missing, a link, a pipe, or not readable for this user. A failure of the
 * machine is no reason to report damaged data.
 */
static inline bool mp_is_machine_failure(int code)
{
	return code != ENOENT && code != EACCES && code != EPERM && code != ELOOP && code != EINVAL && code != ENXIO &&
	       code != EISDIR && code != ENOTDIR;
}

#endif

/*
 * dir.h: opens, makes and locks output directories, and keeps descriptors away from standard streams.
 *
 * Functions that return a descriptor give the caller ownership, and return -1 with err on error. `label` is the name of
 * the object in errors. No state; any thread.
 */
#ifndef MP_BASE_DIR_H
#define MP_BASE_DIR_H

#include <stdbool.h>

#include "base/door.h"

/* Open the directory NAME below dirfd; make it with mode 0750 when missing. A link is an error. */
int mp_dir_make(int dirfd, const char *name, const char *label, struct mp_error *err);

/*
 * Open the directory PATH. Missing directories on the way are made with mode 0750; links on the way are followed. The
 * descriptor serves to open names below the directory, not to read the directory.
 */
int mp_dir_walk(const char *path, struct mp_error *err);

/*
 * Make the directory PATH and its missing parents with mode 0750; links on the way are followed. *real receives the
 * absolute path without links; the caller frees the text. Returns 0, or -1 with err.
 */
int mp_dir_make_path(char **real, const char *path, struct mp_error *err);

/* How to wait for another process that holds the lock of a directory. */
struct mp_wait {
	int polls;                 /* give up after this many polls without progress; 0: do not wait */
	void (*pause)(void *user); /* called between two polls */
	void *user;
};

/*
 * Lock a directory for this process, which is `doing` ("importing") something there. The lock ends with the process or
 * the descriptor. Progress of another process is a change of the directory or of its file PART. Returns 0 when locked,
 * 1 when locked after a wait, -1 on error.
 */
int mp_dir_lock(int dirfd, const char *part, const char *doing, const char *label, const struct mp_wait *wait,
    struct mp_error *err);

/*
 * Open a directory by mp_dir_make or mp_dir_open, and lock it, the one that has the name then: another process may
 * remove it before that. *waited: another process held the lock. Returns the descriptor, or -1 with err.
 */
typedef int mp_dir_opens(int dirfd, const char *name, const char *label, struct mp_error *err);
int mp_dir_open_locked(int dirfd, const char *name, mp_dir_opens *opens, const char *part, const char *doing,
    const char *label, const struct mp_wait *wait, bool *waited, struct mp_error *err);

/*
 * Move fd to a number above the standard streams. A program may have closed a standard stream; its output must not
 * reach our file. Returns the new descriptor; -1 stays -1 with its errno.
 */
int mp_fd_keep(int fd);

/* The directory for temporary files, the first that is writable of those where SQLite makes them; NULL: not found.
 */
const char *mp_dir_temporary(void);

/* Open it to make files there; -1: not found. */
int mp_dir_open_temporary(void);

/*
 * Make a file without a name in a directory, or in that of temporary files: it is gone with its last descriptor. Where
 * the file system has none, a file is removed as soon as it is open. Returns a descriptor, or -1 with errno.
 */
int mp_dir_unnamed(int dirfd);
int mp_dir_unnamed_temporary(void);

#endif

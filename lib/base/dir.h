/* dir.h: directories that output goes to. */
#ifndef MP_BASE_DIR_H
#define MP_BASE_DIR_H

#include <stdbool.h>

#include "base/error.h"

/* Open the directory NAME below dirfd. Links are refused, by the name `label`. -1 on error. */
int mp_dir_open(int dirfd, const char *name, const char *label, struct mp_error *err);

/* Whether NAME below dirfd is a link. */
bool mp_dir_is_link(int dirfd, const char *name);

/* The same, made with mode 0750 when it is not there. */
int mp_dir_make(int dirfd, const char *name, const char *label, struct mp_error *err);

/*
 * Open the directory PATH, made with those above it that are missing, each with mode 0750; links on the way are
 * followed. The descriptor is good for names below it, not for reading. -1 on error.
 */
int mp_dir_walk(const char *path, struct mp_error *err);

/*
 * Make the directory PATH and those above it that are missing, with mode 0750; links on the way are followed. *real is
 * its absolute path without links, the caller's to free.
 */
int mp_dir_make_path(char **real, const char *path, struct mp_error *err);

/* How to wait for another process that has locked a directory. */
struct mp_wait {
	int polls;                 /* that many without progress of the other one are enough; 0: do not wait */
	void (*pause)(void *user); /* between two of them */
	void *user;
};

/*
 * Lock a directory for a process that is `doing` ("importing") something there; the lock goes with the process and the
 * descriptor. Progress is a change of the directory or of the file PART in it. 0: locked, 1: locked once the other one
 * had ended, -1: error.
 */
int mp_dir_lock(int dirfd, const char *part, const char *doing, const char *label, const struct mp_wait *wait,
    struct mp_error *err);

/*
 * The same file under a number that is no standard stream's: where a program has closed one of those, what it prints
 * must not come into our file. -1 stays -1, with its errno.
 */
int mp_fd_keep(int fd);

#endif

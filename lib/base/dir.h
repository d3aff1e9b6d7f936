/* dir.h: directories that output goes to. */
#ifndef MP_BASE_DIR_H
#define MP_BASE_DIR_H

#include "base/error.h"

/* Open the directory NAME below dirfd, made with mode 0750 when it is not there. Links are refused. -1 on error. */
int mp_dir_make(int dirfd, const char *name, const char *label, struct mp_error *err);

/*
 * Make the directory PATH and those above it that are missing, with mode 0750; links on the way are followed. *real is
 * its absolute path without links, the caller's to free.
 */
int mp_dir_make_path(char **real, const char *path, struct mp_error *err);

/*
 * The same file under a number that is no standard stream's: where a program has closed one of those, what it prints
 * must not come into our file. -1 stays -1, with its errno.
 */
int mp_fd_keep(int fd);

#endif

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

#endif

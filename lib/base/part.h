/*
 * part.h: a file that is written beside its place, and appears there whole.
 *
 * The caller locks the directory, because a part file that is there was left by a process that was killed. After a
 * power cut an output has the earlier content or the new one, once mp_part_publish has returned the new one. `label` is
 * the name of the file in errors. Functions return -1 with err on error. No state; any thread.
 */
#ifndef MP_BASE_PART_H
#define MP_BASE_PART_H

#include <stdbool.h>

#include "base/error.h"

/* Make the file PART of mode 0640 below dirfd, and remove an earlier one. Returns a descriptor to read and write. */
int mp_part_create(int dirfd, const char *part, const char *label, struct mp_error *err);

/*
 * Take ownership of fd, close it, and rename PART to NAME. With `sync` the bytes are on disk before, and the name after
 * that. After an error before the rename the part file is removed. Returns 0, or -1.
 */
int mp_part_publish(
    int dirfd, int fd, const char *part, const char *name, bool sync, const char *label, struct mp_error *err);

/* Bring many new files of a directory to the disk, with all else of its file system. One by one would take longer. */
int mp_part_sync_all(int dirfd, const char *label, struct mp_error *err);

/* Take ownership of fd, close it, and remove the part file. */
void mp_part_discard(int dirfd, int fd, const char *part);

#endif

/*
 * pull_file.h: one file on its way here: ".NAME.part" until it is whole, then NAME.
 *
 * Directories on the way are made (0750) and never followed as links; the file is 0640.
 * The parents of several files at once go through one struct mp_tree_dir, which is the
 * caller's. A struct mp_pull_file that was begun is ended with _end or _drop.
 */
#ifndef MP_BOARD_PULL_FILE_H
#define MP_BOARD_PULL_FILE_H

#include "board/transfer/tree.h"

struct mp_pull_file {
	struct mp_tree_dir *dir;
	const char *path; /* borrowed */
	int fd;           /* -1 when not begun */
	int64_t at;
};

/* Open the unfinished file, empty or (offset > 0) cut to its first offset bytes, which must be there. */
int mp_pull_file_begin(
    struct mp_pull_file *file, struct mp_tree_dir *dir, const char *path, int64_t offset, struct mp_error *err);
int mp_pull_file_write(struct mp_pull_file *file, const void *bytes, size_t size, struct mp_error *err);

/* Give it its time of change and its name, over whatever file had it. */
int mp_pull_file_end(struct mp_pull_file *file, int64_t mtime_s, struct mp_error *err);

/* Close it and leave it unfinished. */
void mp_pull_file_drop(struct mp_pull_file *file);

/* The bytes that an unfinished file has, -1 when there is none. */
int64_t mp_pull_file_unfinished(struct mp_tree_dir *dir, const char *path);

/* Remove the unfinished file. */
void mp_pull_file_forget(struct mp_tree_dir *dir, const char *path);

#endif

/*
 * pull_file.h: one file during its transfer: ".NAME.part" until it is whole, then NAME.
 *
 * Missing parents are made with mode 0750, and links are never followed; the file has mode 0640. Several files may
 * share one struct mp_tree_dir of the caller. End a file that was begun with mp_pull_file_end or mp_pull_file_drop.
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

/* Open the unfinished file and cut it to its first offset bytes, which must exist. */
int mp_pull_file_begin(
    struct mp_pull_file *file, struct mp_tree_dir *dir, const char *path, int64_t offset, struct mp_error *err);
int mp_pull_file_write(struct mp_pull_file *file, const void *bytes, size_t size, struct mp_error *err);

/* Set the modification time and rename the file over any earlier file. */
int mp_pull_file_end(struct mp_pull_file *file, int64_t mtime_s, struct mp_error *err);

/* Close the file and leave it unfinished. */
void mp_pull_file_drop(struct mp_pull_file *file);

/* Returns the size of an unfinished file, or -1: not found. */
int64_t mp_pull_file_unfinished(struct mp_tree_dir *dir, const char *path);

/* Remove the unfinished file. */
void mp_pull_file_forget(struct mp_tree_dir *dir, const char *path);

#endif

/*
 * archive.h: tar streams, made from and unpacked into directories, by libarchive.
 *
 * What is written is GNU tar, because busybox reads its long names and passes over
 * those of pax. What is read comes from a stranger: every name is judged
 * (mp_tree_name_reason), links, devices and FIFOs are refused, files are made below the
 * output directory without following links, sizes are bounded before a byte is
 * written. Nothing is held in memory but one buffer. One thread at a time.
 */
#ifndef MP_BOARD_ARCHIVE_H
#define MP_BOARD_ARCHIVE_H

#include "board/transfer/tree.h"

/* Where a stream goes: all bytes are taken, or -1 with an error. */
struct mp_archive_sink {
	int (*write)(void *user, const void *bytes, size_t size, struct mp_error *err);
	void *user;
};

struct mp_archive;

int mp_archive_open(struct mp_archive **archive, const struct mp_archive_sink *sink, struct mp_error *err);

/* Add a file, directory or link that mp_tree_list_local found below dir. A file that has become another one or
 * shorter meanwhile is an error; of a longer one the listed size is sent. *bytes_done grows with what is read. */
int mp_archive_add(struct mp_archive *archive, struct mp_tree_dir *dir, const struct mp_tree_entry *entry,
    int64_t *bytes_done, struct mp_error *err);

/* Write the end of the archive. Then, and on any error: */
int mp_archive_finish(struct mp_archive *archive, struct mp_error *err);
void mp_archive_free(struct mp_archive *archive);

/* Where a stream comes from: bytes read, 0 at the end, -1 with an error. */
struct mp_archive_source {
	ssize_t (*read)(void *user, void *bytes, size_t size, struct mp_error *err);
	void *user;
};

/* What may be unpacked. */
struct mp_archive_rules {
	int64_t size_max; /* of all sizes announced */
	/* How many bytes of a file to take (its beginning), -1 to pass over it. NULL: all of every file. */
	int64_t (*limit)(void *user, const char *path, int64_t size);
	/* A file is whole and has its name. May be NULL. */
	void (*taken)(void *user, const char *path, int64_t size, int64_t mtime_s);
	void *user;
	const struct mp_watch *watch; /* for notes on what is refused; may be NULL */
};

struct mp_archive_counts {
	size_t files, refused;
	int64_t bytes;
};

/* Unpack regular files below outfd, each under ".NAME.part" until it is whole, with its time of change. Reads the
 * source to its end. A file cut by the end of the source stays as its ".NAME.part". */
int mp_archive_unpack(const struct mp_archive_source *source, int outfd, const struct mp_archive_rules *rules,
    struct mp_archive_counts *counts, struct mp_error *err);

#endif

/*
 * archive.h: makes tar streams of directories and unpacks tar streams into directories, with libarchive.
 *
 * The written format is GNU tar, because busybox reads its long names and skips those of pax. The streams that are read
 * are not trusted. mp_tree_name_reason checks every name. Links, devices and FIFOs are refused. Files are made below
 * the output directory without following links, and sizes are limited before a byte is written. Memory is one buffer.
 * One thread at a time.
 */
#ifndef MP_BOARD_ARCHIVE_H
#define MP_BOARD_ARCHIVE_H

#include "board/transfer/tree.h"

/* The destination of a stream: write takes all bytes, or returns -1 with an error. */
struct mp_archive_sink {
	int (*write)(void *user, const void *bytes, size_t size, struct mp_error *err);
	void *user;
};

struct mp_archive;

int mp_archive_open(struct mp_archive **archive, const struct mp_archive_sink *sink, struct mp_error *err);

/* Add a file, directory or link that mp_tree_list_local found below dir. A file that was replaced or became shorter is
 * an error; a longer file is cut to its listed size. *bytes_done grows with each byte read. */
int mp_archive_add(struct mp_archive *archive, struct mp_tree_dir *dir, const struct mp_tree_entry *entry,
    int64_t *bytes_done, struct mp_error *err);

/* Write the end of the archive. Free the archive after that, and after any error. */
int mp_archive_finish(struct mp_archive *archive, struct mp_error *err);
void mp_archive_free(struct mp_archive *archive);

/* The source of a stream: read returns the number of bytes, 0 at the end, -1 with an error. */
struct mp_archive_source {
	ssize_t (*read)(void *user, void *bytes, size_t size, struct mp_error *err);
	void *user;
};

/* Limits and callbacks of an unpacking. */
struct mp_archive_rules {
	int64_t size_max; /* limit of the sum of all announced sizes */
	/* Returns how many first bytes of a file to take, or -1 to skip the file. NULL: take every file whole. */
	int64_t (*limit)(void *user, const char *path, int64_t size);
	/* Called when a file is whole and has its name. May be NULL. */
	void (*taken)(void *user, const char *path, int64_t size, int64_t mtime_s);
	void *user;
	const struct mp_watch *watch; /* gets a note for each refused entry; may be NULL */
};

struct mp_archive_counts {
	size_t files, refused;
	int64_t bytes;
};

/* Unpack regular files below outfd with their modification times. A file is called ".NAME.part" until it is whole, and
 * keeps that name when the source ends too early. Reads the source to its end. */
int mp_archive_unpack(const struct mp_archive_source *source, int outfd, const struct mp_archive_rules *rules,
    struct mp_archive_counts *counts, struct mp_error *err);

/* The time of an entry, in seconds; 0 for an entry without a time, or with one that libarchive cannot hold
 * (archive_time.c). */
struct archive_entry;
int64_t mp_archive_mtime(struct archive_entry *entry);
void mp_archive_set_mtime(struct archive_entry *entry, int64_t mtime_s);

#endif

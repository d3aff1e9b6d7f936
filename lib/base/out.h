/*
 * out.h: buffered output to a file that appears whole or not at all, to an open descriptor, or to memory.
 *
 * mp_out_create writes a partial file (MP_OUT_PART) beside the target. A directory holds one partial file at a time, so
 * the caller locks the directory. The function mp_out_commit renames the partial file. Until then an earlier file of
 * that name is untouched. The first error is kept: every later call does nothing, and commit or flush reports the
 * error. Code that formats need not check each byte. One thread at a time. Free with mp_out_commit, or with
 * mp_out_abort, which also removes the partial file.
 */
#ifndef MP_BASE_OUT_H
#define MP_BASE_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"

struct mp_out;

#define MP_OUT_PART ".msprof.part"

/*
 * Create the file NAME in the directory dirfd, with mode 0640. `label` is the name of the file in errors. Returns 0, or
 * -1 with err.
 */
int mp_out_create(struct mp_out **out, int dirfd, const char *name, const char *label, struct mp_error *err);

/* Write to an open descriptor, which stays the caller's. Returns 0, or -1 with err. */
int mp_out_fd(struct mp_out **out, int fd, const char *label, struct mp_error *err);

/*
 * Keep output in memory, up to `size` bytes (at least 64 KiB). A full buffer calls `full`, which moves or restarts the
 * output. The caller moves the rest at the end. Returns 0, or -1 with err.
 */
int mp_out_keep(struct mp_out **out, size_t size, void (*full)(void *user), void *user, struct mp_error *err);

/*
 * Append the kept output of `from` to a file or descriptor, and empty `from`. An error of `out` becomes an error of
 * `from`.
 */
void mp_out_move(struct mp_out *out, struct mp_out *from);

/* The output kept since the last move or restart; valid until the next call. */
const char *mp_out_kept(const struct mp_out *out, size_t *size);

/* Survive a power cut: the file is on disk before it is renamed, and its name afterwards. */
void mp_out_sync(struct mp_out *out);

/* Allow at most this many bytes; one byte more is an error. */
void mp_out_limit(struct mp_out *out, int64_t bytes);

/* Changes the bytes of an output on their way to the file. */
typedef void mp_out_put(struct mp_out *out, const char *bytes, size_t size);
struct mp_out_filter {
	/* Take bytes, `last` ones at the end of the file, and `put` any number of others. Returns 0, or -1. */
	int (*pass)(
	    struct mp_out_filter *f, const char *bytes, size_t size, bool last, mp_out_put *put, struct mp_out *out);
	void (*restart)(struct mp_out_filter *f);
	void (*end)(struct mp_out_filter *f);
};

/* Send a file that is not kept through a filter, which the output ends. The limit counts bytes before the filter. */
void mp_out_through(struct mp_out *out, struct mp_out_filter *filter);

/* Stop the writer of kept output: every later call on `out` fails. */
void mp_out_stop(struct mp_out *out);

/* Returns 0, or -1 with the first error so far, so that long output can stop early. */
int mp_out_error(const struct mp_out *out, struct mp_error *err);

/*
 * The free part of the buffer. Every mp_out begins with this struct, so that the inline functions below are a few
 * instructions.
 */
struct mp_out_room {
	char *at, *end;
};

/* For the inline functions only: empty the buffer, and write bytes that may exceed the buffer. */
char *mp_out_make_room(struct mp_out *out);
void mp_out_write_long(struct mp_out *out, const char *bytes, size_t size);

/* Returns room for `size` bytes, at most 64 KiB. Report the bytes used with mp_out_advance. */
static inline char *mp_out_reserve(struct mp_out *out, size_t size)
{
	struct mp_out_room *room = (struct mp_out_room *)out;

	return size <= (size_t)(room->end - room->at) ? room->at : mp_out_make_room(out);
}

/* Add `used` bytes, which the caller stored at the place of mp_out_reserve. */
static inline void mp_out_advance(struct mp_out *out, size_t used)
{
	((struct mp_out_room *)out)->at += used;
}

/* Write `size` bytes. */
static inline void mp_out_write(struct mp_out *out, const char *bytes, size_t size)
{
	struct mp_out_room *room = (struct mp_out_room *)out;

	if (size > (size_t)(room->end - room->at)) {
		mp_out_write_long(out, bytes, size);
		return;
	}
	memcpy(room->at, bytes, size);
	room->at += size;
}

/* Write one byte. */
static inline void mp_out_char(struct mp_out *out, char c)
{
	*mp_out_reserve(out, 1) = c;
	mp_out_advance(out, 1);
}

/* Write a NUL-terminated text, or the digits of a number. */
void mp_out_text(struct mp_out *out, const char *text);
void mp_out_int(struct mp_out *out, int64_t value);

/* Discard everything written so far and begin the file anew. */
void mp_out_restart(struct mp_out *out);

/* Write the buffer. Returns 0, or -1 with the first error since creation. */
int mp_out_flush(struct mp_out *out, struct mp_error *err);

/*
 * Flush, rename the partial file to its name, and free. Returns 0; on error -1 with err, and the target is unchanged.
 */
int mp_out_commit(struct mp_out *out, struct mp_error *err);

/* Free, and remove an uncommitted file. NULL is allowed. */
void mp_out_abort(struct mp_out *out);

/*
 * ---- a file that is written beside its place, and appears there whole ----
 *
 * The caller locks the directory, because a part file that is there was left by a process that was killed. After a
 * power cut an output has the earlier content or the new one, once mp_part_publish has returned the new one. `label` is
 * the name of the file in errors. Functions return -1 with err on error. No state; any thread.
 */

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

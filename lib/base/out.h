/*
 * out.h: buffered output to a file that appears whole or not at all, or to an
 * open descriptor.
 *
 * mp_out_create writes beside the target (MP_OUT_PART: one file of a directory at a time, so lock the
 * directory) and mp_out_commit renames; until then the earlier file of that name is untouched. Errors are
 * kept: after a failed write every later call is a no-op and the commit (or
 * flush) reports it, so formatting code need not check each byte.
 * One thread at a time; free with mp_out_abort (which removes the partial file)
 * or mp_out_commit.
 */
#ifndef MP_BASE_OUT_H
#define MP_BASE_OUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"

struct mp_out;

#define MP_OUT_PART ".msprof.part"

/* A new file NAME in the directory dirfd, mode 0640. Names the object as `label` in errors. */
int mp_out_create(struct mp_out **out, int dirfd, const char *name, const char *label, struct mp_error *err);

/* Output to an open descriptor, which stays the caller's. */
int mp_out_fd(struct mp_out **out, int fd, const char *label, struct mp_error *err);

/*
 * Output that is kept in memory, up to `size` bytes (at least 64 KiB): then `full` is called, which moves them on or
 * restarts. What is in it at its end is the caller's to move.
 */
int mp_out_keep(struct mp_out **out, size_t size, void (*full)(void *user), void *user, struct mp_error *err);

/* Write to a file or descriptor what `from` keeps; that is empty then, and has failed where `out` has. */
void mp_out_move(struct mp_out *out, struct mp_out *from);

/* At most that many bytes: the first one more is an error. */
void mp_out_limit(struct mp_out *out, int64_t bytes);

/* What is kept goes nowhere: whoever writes it may stop. */
void mp_out_stop(struct mp_out *out);

/* -1 with the first error, where there was one by now: long output ends early. */
int mp_out_error(const struct mp_out *out, struct mp_error *err);

/* The buffer's free part: what every mp_out begins with, so that the calls below are a few instructions. */
struct mp_out_room {
	char *at, *end;
};

/* For the inline functions: empty the buffer; write what may be larger than it. */
char *mp_out_make_room(struct mp_out *out);
void mp_out_write_long(struct mp_out *out, const char *bytes, size_t size);

/* Room for `size` bytes (at most 64 KiB) at the returned place; tell what was used with mp_out_advance. */
static inline char *mp_out_reserve(struct mp_out *out, size_t size)
{
	struct mp_out_room *room = (struct mp_out_room *)out;

	return size <= (size_t)(room->end - room->at) ? room->at : mp_out_make_room(out);
}

static inline void mp_out_advance(struct mp_out *out, size_t used)
{
	((struct mp_out_room *)out)->at += used;
}

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

static inline void mp_out_char(struct mp_out *out, char c)
{
	*mp_out_reserve(out, 1) = c;
	mp_out_advance(out, 1);
}

void mp_out_text(struct mp_out *out, const char *text);
void mp_out_int(struct mp_out *out, int64_t value);

/* Begin a file anew: forget what was written. */
void mp_out_restart(struct mp_out *out);

/* Write what is buffered; 0, or -1 with the first error since creation. */
int mp_out_flush(struct mp_out *out, struct mp_error *err);

/* Flush, rename into place (files) and free. On failure the target is as it was. */
int mp_out_commit(struct mp_out *out, struct mp_error *err);

/* Free; an uncommitted file is removed. NULL is fine. */
void mp_out_abort(struct mp_out *out);

#endif

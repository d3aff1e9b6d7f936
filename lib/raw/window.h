/*
 * window.h: a sliding view of a file, read with pread.
 *
 * A window owns its buffer; the descriptor stays the caller's. The view does not use mmap. A job may be on a network
 * file system, where truncating a mapped file is a fatal signal. The size is fixed when the window opens. One thread at
 * a time.
 */
#ifndef MP_RAW_WINDOW_H
#define MP_RAW_WINDOW_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { MP_WINDOW_SIZE = 256 * 1024 };

struct mp_window {
	int fd;
	int read_errno; /* why reading stopped early; 0 at the end of the file */
	int64_t size;   /* of the file at open */
	int64_t limit;  /* end of the readable bytes; less than size after an error */
	int64_t start;  /* file offset of data[0] */
	size_t used;    /* bytes in data */
	unsigned char *data;
};

int mp_window_open(struct mp_window *w, int fd, struct mp_error *err);
void mp_window_close(struct mp_window *w);

/* Move the window to `offset`; for mp_window_at only. */
const unsigned char *mp_window_move(struct mp_window *w, int64_t offset, size_t want, size_t *have);

/*
 * Returns the bytes at `offset`. *have receives their number: `want` (at most half the window), or less at the end of
 * the readable bytes.
 */
static inline const unsigned char *mp_window_at(struct mp_window *w, int64_t offset, size_t want, size_t *have)
{
	if (offset < w->start || offset + (int64_t)want > w->start + (int64_t)w->used)
		return mp_window_move(w, offset, want, have);
	*have = want;
	return w->data + (offset - w->start);
}

#endif

/* window.c: the sliding buffer behind a reader. Knows offsets, not records. */
#include "raw/window.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int mp_window_open(struct mp_window *w, int fd, struct mp_error *err)
{
	struct stat st;

	memset(w, 0, sizeof(*w));
	if (fstat(fd, &st))
		return mp_fail_errno(err, "cannot read the size");
	w->fd = fd;
	w->size = w->limit = st.st_size;
	w->data = malloc(MP_WINDOW_SIZE);
	return w->data ? 0 : mp_fail_memory(err, "a read buffer");
}

void mp_window_close(struct mp_window *w)
{
	free(w->data);
	w->data = NULL;
}

static void refill(struct mp_window *w, int64_t offset)
{
	size_t keep = 0;

	if (offset >= w->start && offset < w->start + (int64_t)w->used) {
		keep = w->used - (size_t)(offset - w->start);
		memmove(w->data, w->data + (w->used - keep), keep);
	}
	w->start = offset;
	w->used = keep;
	while (w->used < MP_WINDOW_SIZE && w->start + (int64_t)w->used < w->limit) {
		int64_t at = w->start + (int64_t)w->used;
		size_t room = MP_WINDOW_SIZE - w->used;
		ssize_t n =
		    pread(w->fd, w->data + w->used, (int64_t)room < w->limit - at ? room : (size_t)(w->limit - at), at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) { /* an error, or the file became shorter meanwhile */
			w->read_errno = n < 0 ? errno : 0;
			w->limit = at;
			return;
		}
		w->used += (size_t)n;
	}
}

const unsigned char *mp_window_move(struct mp_window *w, int64_t offset, size_t want, size_t *have)
{
	if (offset >= w->limit) {
		*have = 0;
		return w->data;
	}
	if ((int64_t)want > w->limit - offset)
		want = (size_t)(w->limit - offset);
	if (offset < w->start || offset + (int64_t)want > w->start + (int64_t)w->used) {
		refill(w, offset);
		if (want > w->used)
			want = w->used;
	}
	*have = want;
	return w->data + (offset - w->start);
}

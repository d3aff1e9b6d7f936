/* windows.c: reads times from a file. A line that is no time ends what is read. */
#include "recorder/windows.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "recorder/recorder.h"
#include "recorder/table.h"

struct mp_windows {
	int fd;
	uint64_t read_ns; /* the file was read at this time */
	size_t count;
	uint64_t times[MP_WINDOWS_MAX];
};

int mp_windows_open(struct mp_windows **windows, const char *path, struct mp_error *err)
{
	struct mp_windows *w = calloc(1, sizeof(*w));

	*windows = NULL;
	if (!w)
		return mp_fail_memory(err, "the windows of a recording");
	w->fd = mp_fd_hold(open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
	if (w->fd < 0) {
		free(w);
		return mp_fail_errno(err, "cannot open '%s'", path);
	}
	*windows = w;
	return 0;
}

static void read_times(struct mp_windows *w)
{
	char text[MP_WINDOWS_LINE + 1];
	off_t at;

	w->read_ns = mp_recorder_now();
	for (; w->count < MP_WINDOWS_MAX; w->count++) {
		at = (off_t)w->count * MP_WINDOWS_LINE;
		if (pread(mp_fd_use(w->fd), text, MP_WINDOWS_LINE, at) != MP_WINDOWS_LINE ||
		    text[MP_WINDOWS_LINE - 1] != '\n')
			return;
		text[MP_WINDOWS_LINE] = '\0';
		w->times[w->count] = strtoull(text, NULL, 10);
	}
}

bool mp_windows_has(struct mp_windows *w, uint64_t ns)
{
	size_t passed;

	if (ns >= w->read_ns)
		read_times(w);
	passed = w->count;
	while (passed && w->times[passed - 1] > ns)
		passed--;
	return passed % 2;
}

void mp_windows_free(struct mp_windows *w)
{
	if (!w)
		return;
	mp_fd_drop(w->fd); /* only read: nothing can be lost */
	free(w);
}

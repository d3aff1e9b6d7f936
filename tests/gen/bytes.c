/* bytes.c: a file that is written through one buffer. */
#include "bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int gen_out_create(struct gen_out *out, int dirfd, const char *name, struct mp_error *err)
{
	if (!out->buffer && !(out->buffer = malloc(GEN_OUT_ROOM)))
		return mp_fail_memory(err, "the buffer of a file");
	out->used = 0;
	out->written = 0;
	out->failure = 0;
	out->fd = openat(dirfd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
	return out->fd < 0 ? mp_fail_errno(err, "cannot create '%s'", name) : 0;
}

/* Empty the buffer. After a failure nothing more is written. */
static void flush(struct gen_out *out)
{
	size_t done = 0;

	while (done < out->used && !out->failure) {
		ssize_t got = write(out->fd, out->buffer + done, out->used - done);

		if (got >= 0)
			done += (size_t)got;
		else if (errno != EINTR)
			out->failure = errno;
	}
	out->written += out->used;
	out->used = 0;
}

uint8_t *gen_out_add(struct gen_out *out, size_t size)
{
	uint8_t *at;

	if (size > GEN_OUT_ROOM - out->used)
		flush(out);
	at = out->buffer + out->used;
	out->used += size;
	return memset(at, 0, size);
}

uint64_t gen_out_size(const struct gen_out *out)
{
	return out->written + out->used;
}

int gen_out_close(struct gen_out *out, const char *name, struct mp_error *err)
{
	flush(out);
	if (close(out->fd) && !out->failure)
		out->failure = errno;
	out->fd = -1;
	errno = out->failure;
	return out->failure ? mp_fail_errno(err, "cannot write '%s'", name) : 0;
}

void gen_out_free(struct gen_out *out)
{
	if (out->buffer && out->fd >= 0)
		close(out->fd);
	free(out->buffer);
	out->buffer = NULL;
}

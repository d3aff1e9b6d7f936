/* gzip.c: a filter of outputs with zlib. */
#include "base/gzip.h"

#include <limits.h>
#include <stdlib.h>
#define ZLIB_CONST /* zlib takes const bytes */
#include <zlib.h>

/* Fast: an export is faster than any level. 16 more than the window is gzip's header and trailer in place of zlib's. */
enum { LEVEL = 2, WINDOW = 15, GZIP = 16, MEMORY = 8, CHUNK = 64 * 1024 };

struct gzip {
	struct mp_out_filter filter;
	z_stream stream;
	char room[CHUNK];
};

/* Compress what the stream was given, and pass on what comes out. */
static int drain(struct gzip *g, int flush, mp_out_put *put, struct mp_out *out)
{
	int status;

	do {
		g->stream.next_out = (Bytef *)g->room;
		g->stream.avail_out = CHUNK;
		status = deflate(&g->stream, flush);
		if (status == Z_STREAM_ERROR)
			return -1;
		put(out, g->room, CHUNK - g->stream.avail_out);
	} while (!g->stream.avail_out);
	return 0;
}

static int pass(
    struct mp_out_filter *filter, const char *bytes, size_t size, bool last, mp_out_put *put, struct mp_out *out)
{
	struct gzip *g = (struct gzip *)filter;

	while (size || last) {
		size_t n = size < INT_MAX ? size : INT_MAX;

		g->stream.next_in = (const Bytef *)bytes;
		g->stream.avail_in = (uInt)n;
		bytes += n;
		size -= n;
		if (drain(g, last && !size ? Z_FINISH : Z_NO_FLUSH, put, out))
			return -1;
		last = last && size;
	}
	return 0;
}

static void restart(struct mp_out_filter *filter)
{
	deflateReset(&((struct gzip *)filter)->stream); /* a stream that was made can be reset */
}

static void end(struct mp_out_filter *filter)
{
	struct gzip *g = (struct gzip *)filter;

	deflateEnd(&g->stream); /* what is left is discarded on purpose */
	free(g);
}

int mp_gzip_out(struct mp_out *out, struct mp_error *err)
{
	struct gzip *g = calloc(1, sizeof(*g));

	if (!g || deflateInit2(&g->stream, LEVEL, Z_DEFLATED, WINDOW + GZIP, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK) {
		free(g);
		return mp_fail_memory(err, "a compressed output");
	}
	g->filter = (struct mp_out_filter){pass, restart, end};
	mp_out_through(out, &g->filter);
	return 0;
}

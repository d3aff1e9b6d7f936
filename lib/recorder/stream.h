/*
 * stream.h: a kind of records of a PROF directory, as slices of at most 2 MiB: PREFIX.slice_0, PREFIX.slice_1, ...
 *
 * A slice gets its .done marker when the next one begins; the last one's is for mp_stream_finish. One thread at a time.
 */
#ifndef MP_RECORDER_STREAM_H
#define MP_RECORDER_STREAM_H

#include <stdbool.h>

#include "recorder/data_file.h"

enum { MP_SLICE_SIZE = 2 * 1024 * 1024 };

struct mp_stream {
	int dirfd;
	const char *prefix;
	struct mp_data_file slice; /* the last one */
	bool open, marked;
	unsigned count, oldest;    /* slices made; the first that is still there */
	int64_t bytes;             /* of whole slices that are still there */
	uint64_t begin_ns, end_ns; /* of the slice */
	uint64_t lost;
	int failure;
};

/* The prefix and the descriptor are the caller's, and live longer. */
void mp_stream_init(struct mp_stream *stream, int dirfd, const char *prefix);

/* Room for `size` bytes of one record with this time; NULL when no slice can be made, and then it is lost. */
char *mp_stream_room(struct mp_stream *stream, size_t size, uint64_t begin_ns, uint64_t end_ns);
void mp_stream_added(struct mp_stream *stream, size_t size);

void mp_stream_flush(struct mp_stream *stream);
void mp_stream_stop(struct mp_stream *stream);
int mp_stream_finish(struct mp_stream *stream, struct mp_error *err);

/* All bytes on the disk, and removal of the oldest whole slice: false when there is none. */
int64_t mp_stream_size(const struct mp_stream *stream);
bool mp_stream_drop_oldest(struct mp_stream *stream);

uint64_t mp_stream_lost(const struct mp_stream *stream);

#endif

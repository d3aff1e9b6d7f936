/*
 * stream.h: the records of one kind in a PROF directory, as slices of at most 2 MiB: PREFIX.slice_0, PREFIX.slice_1,
 * ...
 *
 * A slice gets its .done marker when the next slice begins; mp_stream_finish writes the marker of the last slice. The
 * stream owns the open slice. One thread at a time.
 */
#ifndef MP_RECORDER_STREAM_H
#define MP_RECORDER_STREAM_H

#include <stdbool.h>

#include "recorder/data_file.h"

enum { MP_SLICE_SIZE = 2 * 1024 * 1024 };

struct mp_stream {
	int dirfd;
	const char *prefix;
	struct mp_data_file slice; /* the last slice */
	bool open, marked;
	unsigned count, oldest;    /* slices made; number of the oldest slice that exists */
	int64_t bytes;             /* of complete slices that exist */
	uint64_t begin_ns, end_ns; /* of the last slice */
	uint64_t lost;
	int failure;
};

/* Prepare a stream. The prefix and the descriptor stay the caller's and must outlive the stream. */
void mp_stream_init(struct mp_stream *stream, int dirfd, const char *prefix);

/*
 * Continue the stream of an ended process, whose last slice is cut to whole records of `size` bytes; size 0: lines. The
 * next record begins a slice. Returns 0, or -1 with err.
 */
int mp_stream_continue(struct mp_stream *stream, size_t size, struct mp_error *err);

/* The name of a slice. */
void mp_stream_name(const struct mp_stream *stream, unsigned number, const char *suffix, char name[MP_DATA_NAME]);

/*
 * Returns room for `size` bytes of one record with these times. NULL: no slice can be made, and the record is lost.
 * Report the filled record with mp_stream_added.
 */
char *mp_stream_room(struct mp_stream *stream, size_t size, uint64_t begin_ns, uint64_t end_ns);
void mp_stream_added(struct mp_stream *stream, size_t size);

/* Flush the slice; stop also closes the slice; finish writes the last marker and returns 0, or -1 with err. */
void mp_stream_flush(struct mp_stream *stream);
void mp_stream_stop(struct mp_stream *stream);
int mp_stream_finish(struct mp_stream *stream, struct mp_error *err);

/*
 * The bytes of all slices, and removal of the oldest complete slice. mp_stream_drop_oldest returns false when there is
 * no such slice.
 */
int64_t mp_stream_size(const struct mp_stream *stream);
bool mp_stream_drop_oldest(struct mp_stream *stream);

/* The number of lost records. */
uint64_t mp_stream_lost(const struct mp_stream *stream);

#endif

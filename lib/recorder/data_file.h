/*
 * data_file.h: a file of records that only grows, and always ends with a whole record.
 *
 * The buffer collects records, and is written when full or on request. After a failed write the file is cut to its last
 * whole record; the records in the buffer are lost, and counted. The struct owns its descriptor and buffer; end with
 * mp_data_file_close or mp_data_file_abandon. One thread at a time.
 */
#ifndef MP_RECORDER_DATA_FILE_H
#define MP_RECORDER_DATA_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/index.h"

enum { MP_DATA_BUFFER = 64 * 1024, MP_DATA_NAME = 256 };

struct mp_data_file {
	int fd;
	char name[MP_DATA_NAME];
	int64_t size;     /* on the disk */
	size_t used;      /* bytes in the buffer */
	uint64_t records; /* records in the buffer */
	uint64_t lost;
	int failure; /* errno of the first failed write, or 0 */
	char *buffer;
};

/* Create a file with mode 0640. Returns 0, or -1 with err. */
int mp_data_file_create(struct mp_data_file *file, int dirfd, const char *name, struct mp_error *err);

/*
 * Open a file of an ended process, for reading or with O_RDWR; st receives its state. Only a regular file is opened,
 * for writing only one with no other name: its bytes may be those of a file elsewhere. Returns the descriptor, or -1
 * with err.
 */
int mp_data_file_reopen(int dirfd, const char *name, int mode, struct stat *st, struct mp_error *err);

/*
 * Open a file of an ended process to append. Its end is cut to whole records of `size` bytes, or with size 0 to whole
 * lines. Returns 0, or -1 with err.
 */
int mp_data_file_append(struct mp_data_file *file, int dirfd, const char *name, size_t size, struct mp_error *err);

/* Write the buffer. */
void mp_data_file_flush(struct mp_data_file *file);

/*
 * Returns room for `size` bytes of one record, at most the size of the buffer. Report the filled record with
 * mp_data_file_added.
 */
static inline char *mp_data_file_room(struct mp_data_file *file, size_t size)
{
	if (file->used + size > MP_DATA_BUFFER)
		mp_data_file_flush(file);
	return file->buffer + file->used;
}

static inline void mp_data_file_added(struct mp_data_file *file, size_t size)
{
	file->used += size;
	file->records++;
}

/*
 * Drop the oldest records: replace the file by a file with its last `keep` bytes. The new file is written in the
 * directory tmpfd, on the same file system. Returns 0; on error -1, and the file is unchanged.
 */
int mp_data_file_trim(struct mp_data_file *file, int dirfd, int tmpfd, int64_t keep);

/* Flush and close; free the buffer. */
void mp_data_file_close(struct mp_data_file *file);

/* Close without writing; free the buffer. */
void mp_data_file_abandon(struct mp_data_file *file);

/* Write NAME.done with "filesize:N" and `lines`, or "" for no further lines. Returns 0, or -1 with err. */
int mp_data_file_mark(const struct mp_data_file *file, int dirfd, const char *lines, struct mp_error *err);

/* Write NAME.done with a text of its own. Returns 0, or -1 with err. */
int mp_data_file_tell(const char *name, int dirfd, const char *text, struct mp_error *err);

/*
 * The last records of files, to find out whether a record is there already. Each record of the files answers for one
 * record. Free with mp_record_set_free.
 */
struct mp_record_set {
	size_t size; /* of a record */
	unsigned char *records;
	size_t count;
	struct mp_index index; /* of different records; made by the first question */
	size_t different;
	uint32_t *left; /* of the first of equal records: how many were not taken yet; NULL: there is no index */
};

/*
 * Add the last records of a file, at most `most`; `end` is the file's size in whole records. Returns how many were
 * added, or -1 with err.
 */
int64_t mp_record_set_add(
    struct mp_record_set *seen, int dirfd, const char *name, int64_t end, int64_t most, struct mp_error *err);

/* Returns whether an equal record is in the files, and was not taken before. */
bool mp_record_set_take(struct mp_record_set *seen, const void *record);

void mp_record_set_free(struct mp_record_set *seen);

enum { MP_SLICE_SIZE = 2 * 1024 * 1024 };

/*
 * The records of one kind in a PROF directory, as slices of at most 2 MiB: PREFIX.slice_0, PREFIX.slice_1, ... A slice
 * gets its .done marker when the next slice begins; mp_stream_finish writes the marker of the last slice. The stream
 * owns the open slice.
 */
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

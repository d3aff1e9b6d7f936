/*
 * data_file.h: a file of records that only grows, and always ends with a whole record.
 *
 * The buffer collects records, and is written when full or on request. After a failed write the file is cut to its last
 * whole record; the records in the buffer are lost, and counted. The struct owns its descriptor and buffer; end with
 * mp_data_file_close or mp_data_file_abandon. One thread at a time.
 */
#ifndef MP_RECORDER_DATA_FILE_H
#define MP_RECORDER_DATA_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/error.h"

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

/*
 * Returns room for `size` bytes of one record, at most the size of the buffer. Report the filled record with
 * mp_data_file_added.
 */
char *mp_data_file_room(struct mp_data_file *file, size_t size);
void mp_data_file_added(struct mp_data_file *file, size_t size);

/* Write the buffer. */
void mp_data_file_flush(struct mp_data_file *file);

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

#endif

/*
 * data_file.h: a file of records that only grows, and never ends in the middle of one.
 *
 * Records are gathered and written when the buffer is full or on demand. After a failed write the file is cut
 * to its last whole record and what was gathered is lost, and counted. One thread at a time.
 */
#ifndef MP_RECORDER_DATA_FILE_H
#define MP_RECORDER_DATA_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { MP_DATA_BUFFER = 64 * 1024, MP_DATA_NAME = 256 };

struct mp_data_file {
	int fd;
	char name[MP_DATA_NAME];
	int64_t size;     /* on the disk */
	size_t used;      /* bytes gathered */
	uint64_t records; /* that they hold */
	uint64_t lost;
	int failure; /* errno of the first failed write, or 0 */
	char *buffer;
};

/* A new file, mode 0640. -1 with errno in err's text. */
int mp_data_file_create(struct mp_data_file *file, int dirfd, const char *name, struct mp_error *err);

/* Room for `size` bytes of one record (at most the buffer); after filling it, tell with mp_data_file_added. */
char *mp_data_file_room(struct mp_data_file *file, size_t size);
void mp_data_file_added(struct mp_data_file *file, size_t size);

void mp_data_file_flush(struct mp_data_file *file);

/*
 * Forget the oldest: the file is replaced by one that holds its last `keep` bytes. -1 where that was not possible, and
 * then it is as it was. tmpfd: a directory of the same file system for the new one while it is written.
 */
int mp_data_file_trim(struct mp_data_file *file, int dirfd, int tmpfd, int64_t keep);

/* Flush and close; free what it holds. */
void mp_data_file_close(struct mp_data_file *file);

/* Close without writing; free what it holds. */
void mp_data_file_abandon(struct mp_data_file *file);

/* NAME.done with "filesize:N" and further lines, "" for none. */
int mp_data_file_mark(const struct mp_data_file *file, int dirfd, const char *lines, struct mp_error *err);

#endif

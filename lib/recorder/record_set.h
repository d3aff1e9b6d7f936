/*
 * record_set.h: the last records of files, to find out whether a record is there already.
 *
 * Each record of the files answers for one record. Free with mp_record_set_free. One thread at a time.
 */
#ifndef MP_RECORDER_RECORD_SET_H
#define MP_RECORDER_RECORD_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct mp_record_set {
	size_t size; /* of a record */
	unsigned char *records;
	size_t count;
	uint32_t *table; /* numbers of records + 1, by hash; 0: free. Made by the first question */
	size_t slots;
	uint32_t *left; /* of the first of equal records: how many were not taken yet */
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

#endif

/*
 * match.h: which record each row of the tables is of, by what is known without counters: task ids, times, layers.
 *
 * A match borrows references and records; free it with mp_row_match_free. Functions that return int give 0, or -1 with
 * err.
 */
#ifndef MP_LEARN_MATCH_H
#define MP_LEARN_MATCH_H

#include "learn/records.h"
#include "learn/places.h"
#include "learn/work.h"

#define MP_NO_RECORD UINT32_MAX

/* What one table is of. */
struct mp_table_match {
	const struct mp_inference *inference; /* NULL: the table is of none, or of several */
	bool left_out;                        /* its inference was not read */
	uint32_t *records;                    /* one a row, or MP_NO_RECORD */
	char sentence[256];                   /* why it is of no inference */
};

struct mp_row_match {
	struct mp_rows rows; /* those that are of one record without doubt */
	struct mp_table_match *tables;
	size_t table_count;
	size_t not_searched; /* tables for which the work ended */
};

/* Give rows to records, with up to half of the work. */
int mp_match_rows(struct mp_row_match *match, const struct mp_references *refs, const struct mp_records *records,
    struct mp_work *work, struct mp_error *err);
void mp_row_match_free(struct mp_row_match *match);

/* The time of a record in units of a table's column of times. */
struct mp_exact mp_exact_time(const struct mp_table *t, uint64_t ticks, int64_t core_mhz);

#endif

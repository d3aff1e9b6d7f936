/*
 * records.h: the aicore records of a job, with their inferences and layers; and the rows of tables that are of them.
 *
 * Records borrow the job and its layouts; free them with mp_records_free. Read-only once read. Functions that return
 * int give 0, or -1 with err.
 */
#ifndef MP_LEARN_RECORDS_H
#define MP_LEARN_RECORDS_H

#include "learn/places.h"
#include "raw/job.h"
#include "raw/reader.h"

#define MP_NO_SEG UINT32_MAX

struct mp_task {
	uint32_t task_id, seg_id; /* MP_NO_SEG: the record does not say it */
};

struct mp_inference {
	struct mp_identity identity;
	int64_t core_mhz;    /* 0: unknown */
	size_t first, count; /* records */
	uint64_t ticks;      /* of all of them */
	size_t first_layer, layer_count;
};

struct mp_layer {
	uint32_t task_id, seg_id, layer_id;
	bool is_matrix, is_input; /* by schema/learn/types.txt */
};

struct mp_records {
	const struct mp_layout *layout; /* NULL: the job has no aicore file */
	struct mp_learn_words words;
	struct mp_task *tasks; /* one a record */
	struct mp_inference *inferences;
	size_t inference_count;
	struct mp_layer *layers; /* of one model after the other; those of one task are neighbours */
	size_t layer_count;
	bool is_cut; /* only the first MP_RECORDS_MAX records of the job were read */
};

/* Read the records of a job, at most MP_RECORDS_MAX. */
int mp_records_read(struct mp_records *records, const struct mp_job *job, struct mp_error *err);
void mp_records_free(struct mp_records *records);

/* The layers of a task: the first one, and how many. */
size_t mp_records_layers(
    const struct mp_records *r, const struct mp_inference *inference, size_t record, const struct mp_layer **first);

/* Call `see` with each aicore record of the job, by a layout of their table, in the same order. */
int mp_records_each(const struct mp_job *job, int (*see)(void *user, struct mp_reader *reader, size_t index),
    void *user, struct mp_error *err);

#define MP_NO_RECORD UINT32_MAX

/* What one table is of. */
struct mp_table_match {
	const struct mp_inference *inference; /* NULL: the table is of none, or of several */
	bool left_out;                        /* its inference was not read */
	uint32_t *records;                    /* one a row, or MP_NO_RECORD */
	char sentence[256];                   /* why it is of no inference */
};

/*
 * Which record each row of the tables is of, by what is known without counters: task ids, times, layers. It borrows
 * references and records; free it with mp_row_match_free.
 */
struct mp_row_match {
	struct mp_learn_rows rows; /* those that are of one record without doubt */
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

/*
 * load.h: the steps of an import into an open, empty database, for lib/store, lib/join and lib/import.
 *
 * The caller owns the struct mp_load and frees its content with mp_load_close. A load borrows the database, the job and
 * the layouts. All of it runs on one thread. Functions that return int give 0, or -1 with err.
 */
#ifndef MP_STORE_LOAD_H
#define MP_STORE_LOAD_H

#include "base/index.h"
#include "raw/job.h"
#include "leaf/bulk.h"
#include "raw/reader.h"
#include "store/connection.h"

/* A file that is being read with one of its layouts. */
struct mp_slice {
	const struct mp_job_file *file;
	const struct mp_layout *layout;
	bool is_peer; /* a second layout of the file: the first one accounts for the bytes */
	int fd;
	struct mp_joint joint;
	unsigned char *next; /* of the joint, owned */
	struct mp_reader *reader;
	struct mp_portion *portions; /* what markers describe, or NULL */
	size_t portion_count;
	int64_t told; /* bytes of the file that bytes_done already counts */
};

/* Joins some records while they are read; joined records do not become rows. Joins put the struct first in their own.
 */
struct mp_joiner {
	/* Returns whether records of the layout are joined. */
	bool (*takes)(const struct mp_joiner *joiner, const struct mp_layout *layout);
	/* Returns -1 when the joins cannot read a file of the layout, else 0. device_id: of the file, or -1. */
	int (*accept)(
	    const struct mp_joiner *joiner, const struct mp_layout *layout, int64_t device_id, struct mp_error *err);
	/* Returns whether loaded records of the layout must be seen, too. */
	bool (*looks)(const struct mp_joiner *joiner, const struct mp_layout *layout);
	/* Sees a loaded record, in the order of the rows. Returns -1 on error. */
	int (*see)(
	    struct mp_joiner *joiner, const struct mp_layout *layout, const int64_t *values, struct mp_error *err);
};

/* What an import says of files, a statement each. */
enum mp_load_insert { MP_LOAD_SOURCE, MP_LOAD_DAMAGE, MP_LOAD_GAP, MP_LOAD_NOTE, MP_LOAD_MARKER, MP_LOAD_INSERTS };

/* The order of the records of a device in a table: load_records.c. */
struct mp_load_order {
	char table[MP_NAME_SIZE], time[MP_NAME_SIZE]; /* time: the column, or "" */
	int64_t device_id, last;
	bool is_known, is_late; /* is_late: a record came after one of a later time */
};

struct mp_load {
	struct mp_db *db;
	const struct mp_job *job;
	const struct mp_layouts *layouts;
	void (*progress)(void *user, int64_t done, int64_t total); /* bytes of raw files; may be NULL */
	void *progress_user;
	int dirfd;                               /* the directory for large arrays (vec.h), or -1 */
	struct mp_bulks *bulks;                  /* the bulks of the database file, owned, or NULL */
	struct mp_sequence sequence;             /* the record numbers of the stream that is being read */
	const struct mp_layout *sequence_layout; /* the layout and device of that stream */
	int64_t sequence_device;
	int64_t bytes_total, bytes_done; /* of raw files */
	int64_t *heads;                  /* for each file of the job: bytes that belong to the slice before */
	struct mp_ahead **ahead;         /* for each file of the job: what was read of the slices behind it, or NULL */
	struct mp_index slices;          /* the files that are slices, by their names */
	size_t slices_count;
	struct mp_index calls; /* the files without damage whose calls others may have, too */
	size_t calls_count;
	int64_t *peer_bytes;         /* for each file: bytes of records of further layouts; -1: not known yet */
	struct mp_joiner *joiner;    /* or NULL */
	struct mp_load_rules *rules; /* of the layouts in use: load_rows.c */
	size_t rules_count;
	struct mp_query *inserts[MP_LOAD_INSERTS];
	struct mp_load_order *orders;
	size_t order_count;
};

/*
 * Make the tables and statements for the job's family. Error: a layout of the family has a column that its table lacks.
 */
int mp_load_open(struct mp_load *load, struct mp_error *err);

/* Load a file of the job: its records, its row in `source`, its damage and notes. */
int mp_load_file(struct mp_load *load, const struct mp_job_file *file, struct mp_error *err);

/*
 * Open a file for one of its layouts. slice->reader is NULL for an unreadable file, and a note records the reason. The
 * reader skips the bytes that the slice before used, and completes a cut last record from the slices after.
 */
int mp_slice_begin(struct mp_load *load, struct mp_slice *slice, const struct mp_job_file *file,
    const struct mp_layout *layout, struct mp_sequence *sequence, struct mp_error *err);

/* Make the index of slices. Find the slice of the same stream with a number: NULL where there is none. */
int mp_load_index_slices(struct mp_load *load, struct mp_error *err);
const struct mp_job_file *mp_load_find_slice(struct mp_load *load, const struct mp_job_file *file, int64_t number);

/*
 * Copy up to `most` bytes of the slices behind a slice; free *bytes, which is NULL where there are none. Call for each
 * slice in turn, also for none of the bytes.
 */
int mp_load_ahead(struct mp_load *load, const struct mp_job_file *file, size_t most, unsigned char **bytes,
    size_t *size, struct mp_error *err);
void mp_load_ahead_free(struct mp_load *load);

/* Report the progress of reading a slice. */
void mp_slice_progress(struct mp_load *load, struct mp_slice *slice);

/*
 * Store the file's row in `source`, its damage and notes, once all records are read. first_row is the rowid of the
 * first record, or -1: the records are in no table.
 */
int mp_slice_end(struct mp_load *load, struct mp_slice *slice, int64_t first_row, struct mp_error *err);

/* Free the content of a slice; further calls do nothing. */
void mp_slice_close(struct mp_slice *slice);

/* Open the sink of the records of a layout. Close the sink. */
struct mp_sink;
int mp_load_open_sink(struct mp_load *load, const struct mp_layout *layout, struct mp_sink *sink, struct mp_error *err);

/* Load all records of a slice into a sink. */
int mp_load_records(struct mp_load *load, const struct mp_slice *slice, struct mp_sink *sink, struct mp_error *err);

/* When all files are loaded: put the rows of tables in order whose records were not. */
int mp_load_put_in_order(struct mp_load *load, struct mp_error *err);

/* Tell whether a file of the covering layout has the same calls. */
int mp_load_is_covered(struct mp_load *load, const struct mp_job_file *file, bool *covered, struct mp_error *err);

/*
 * Add a row to the table `source`. tally is NULL for a file that was not read. portion is NULL for the whole file; else
 * the row is that of the portion.
 */
int mp_load_source(struct mp_load *load, const struct mp_job_file *file, const struct mp_layout *layout,
    const struct mp_tally *tally, const struct mp_portion *portion, int64_t first_row, struct mp_error *err);

/* Divide the reader of a slice into the portions that the markers of its file describe. */
int mp_load_divide(struct mp_load *load, struct mp_slice *slice, struct mp_error *err);

/* Store what the reader of a slice counted: rows in `source`, damage, gaps and notes. */
int mp_load_account(struct mp_load *load, const struct mp_slice *slice, int64_t first_row, struct mp_error *err);

/* Put what is known of the rules of layouts into the table `layout_rule`. */
int mp_load_put_rules(struct mp_load *load, struct mp_error *err);

/* Add a row to the table `note`; file may be NULL. */
int mp_load_note(struct mp_load *load, const char *kind, const char *file, const char *text, struct mp_error *err);

/* Add a row to the table `damage`. */
int mp_load_damage(
    struct mp_load *load, const char *file, int64_t offset, int64_t bytes, const char *reason, struct mp_error *err);

/* Free the content of a load. */
void mp_load_close(struct mp_load *load);

#endif

/* load.h: the steps of an import on an open, empty database. Internal to the store. */
#ifndef MP_STORE_LOAD_H
#define MP_STORE_LOAD_H

#include "raw/job.h"
#include "store/bulk.h"
#include "store/record_table.h"

/* A file that is being read by one of the layouts that claim it. */
struct mp_slice {
	const struct mp_job_file *file;
	const struct mp_layout *layout;
	bool is_peer; /* another layout accounts for the bytes */
	int fd;
	struct mp_joint joint;
	struct mp_reader *reader;
	int64_t told; /* bytes of it that are in bytes_done */
};

/* What joins some records while they are read, in place of rows for each of them. */
struct mp_joiner {
	void *user;
	/* Returns whether records of the layout are joined. */
	bool (*takes)(const void *user, const struct mp_layout *layout);
	/* Fails when the joins cannot find a file of the layout. device_id: of the file, or -1. */
	int (*accept)(const void *user, const struct mp_layout *layout, int64_t device_id, struct mp_error *err);
	/* Returns whether loaded records of the layout must be seen, too. */
	bool (*looks)(const void *user, const struct mp_layout *layout);
	/* Sees a loaded record, in the order of the rows, on any thread. Returns -1 on error. */
	int (*see)(void *user, const struct mp_layout *layout, const int64_t *values, struct mp_error *err);
};

struct mp_load {
	struct mp_db *db;
	const struct mp_job *job;
	const struct mp_layouts *layouts;
	void (*progress)(void *user, int64_t done, int64_t total); /* bytes of raw files; may be NULL */
	void *progress_user;
	struct mp_record_source source;
	int dirfd;                   /* of files for what is large, see big.h; or -1 */
	struct mp_bulks *bulks;      /* of the database's file, or NULL */
	struct mp_sequence sequence; /* of the stream being read, and whose it is */
	const struct mp_layout *sequence_layout;
	int64_t sequence_device;
	int64_t bytes_total, bytes_done; /* of raw files */
	size_t record_size;              /* of the file being read; 0 unless binary */
	int64_t *heads;                  /* of each file of the job: bytes that belong to the slice before */
	int64_t *peer_bytes;  /* of each file: of records of other layouts than its first one; -1: not known yet */
	struct mp_pump *pump; /* whose thread may be running, or NULL; see pump.h */
	const struct mp_joiner *joiner; /* or NULL */
	struct mp_query *insert_source, *insert_damage, *insert_gap, *insert_note;
};

/*
 * Runs `function` where the database may be used, and waits for it. Returns the status of the function. Joins may run
 * on a thread of their own.
 */
int mp_on_main(
    struct mp_load *load, int (*function)(void *user, struct mp_error *err), void *user, struct mp_error *err);

/* Tables and virtual tables of the job's family, statements. Refuses its layouts with columns that no table has. */
int mp_load_open(struct mp_load *load, struct mp_error *err);

/* One file of the job: its records, its row in `source`, its damage and notes. */
int mp_load_file(struct mp_load *load, const struct mp_job_file *file, struct mp_error *err);

/*
 * Open a file for one of its layouts: slice->reader is NULL when it cannot be read, which is noted then. What the slice
 * before took of it is left out, and a record that its end cuts is completed from the slice after it.
 */
int mp_slice_begin(struct mp_load *load, struct mp_slice *slice, const struct mp_job_file *file,
    const struct mp_layout *layout, struct mp_sequence *sequence, struct mp_error *err);

/* What was read of it so far is done. */
void mp_slice_progress(struct mp_load *load, struct mp_slice *slice);

/* All records were read: their file's row in `source`, its damage and notes. first_row < 0: they are in no table. */
int mp_slice_end(struct mp_load *load, struct mp_slice *slice, int64_t first_row, struct mp_error *err);

/* Give everything back; any number of times. */
void mp_slice_close(struct mp_slice *slice);

/* The bulk of a table whose layouts all suit it; else, and without bulks, *bulk is NULL. */
int mp_load_find_bulk(struct mp_load *load, const char *table, struct mp_bulk **bulk, struct mp_error *err);

/* All records of load->source into it. Where load->source.see ends it, `err` is not set. */
int mp_load_bulk(struct mp_load *load, const struct mp_layout *layout, struct mp_bulk *bulk, struct mp_error *err);

/* Rows of a file that was, or was not (tally NULL), read. */
int mp_load_source(struct mp_load *load, const struct mp_job_file *file, const struct mp_layout *layout,
    const struct mp_tally *tally, int64_t first_row, struct mp_error *err);
int mp_load_tally(struct mp_load *load, const struct mp_job_file *file, const struct mp_tally *tally, bool is_peer,
    struct mp_error *err);

/* Add to the table `note`; file may be NULL. */
int mp_load_note(struct mp_load *load, const char *kind, const char *file, const char *text, struct mp_error *err);

/* Add to the table `damage`. */
int mp_load_damage(
    struct mp_load *load, const char *file, int64_t offset, int64_t bytes, const char *reason, struct mp_error *err);

void mp_load_close(struct mp_load *load);

#endif

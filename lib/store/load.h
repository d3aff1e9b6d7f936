/* load.h: the steps of an import on an open, empty database. Internal to the store. */
#ifndef MP_STORE_LOAD_H
#define MP_STORE_LOAD_H

#include "store/import.h"
#include "store/record_table.h"

struct mp_load {
	struct mp_db *db;
	const struct mp_job *job;
	const struct mp_layouts *layouts;
	const struct mp_import_options *options;
	struct mp_record_source source;
	struct mp_sequence sequence; /* of the stream being read, and whose it is */
	const struct mp_layout *sequence_layout;
	int64_t sequence_device;
	int64_t bytes_total, bytes_done; /* of raw files */
	size_t record_size;              /* of the file being read; 0 unless binary */
	struct mp_joint joint;           /* of the file being read */
	int64_t *heads;                  /* of each file of the job: bytes that belong to the slice before */
	struct mp_query *insert_source, *insert_damage, *insert_gap, *insert_note;
};

/* Tables and virtual tables of the job's family, statements. Refuses its layouts with columns that no table has. */
int mp_load_open(struct mp_load *load, struct mp_error *err);

/* One file of the job: its records, its row in `source`, its damage and notes. */
int mp_load_file(struct mp_load *load, const struct mp_job_file *file, struct mp_error *err);

/*
 * Fill load->joint for a file: what it owes to the slice before, and the slice after it, if its records may go on there.
 * mp_load_part closes that again and keeps what it was told.
 */
int mp_load_join(struct mp_load *load, const struct mp_job_file *file, struct mp_error *err);
void mp_load_part(struct mp_load *load, const struct mp_job_file *file);

/* Add to the table `note`; file may be NULL. */
int mp_load_note(struct mp_load *load, const char *kind, const char *file, const char *text, struct mp_error *err);

/* Add to the table `damage`. */
int mp_load_damage(struct mp_load *load, const char *file, int64_t offset, int64_t bytes, const char *reason,
    struct mp_error *err);

void mp_load_close(struct mp_load *load);

#endif

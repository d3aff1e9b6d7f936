/*
 * record_table.h: a raw file as a virtual table, from which SQLite pulls the records:
 *   INSERT INTO table SELECT columns FROM record_LAYOUT
 *
 * The caller owns the source and keeps the source until the tables are dropped. One thread at a time. For the store
 * only.
 */
#ifndef MP_STORE_RECORD_TABLE_H
#define MP_STORE_RECORD_TABLE_H

#include "raw/reader.h"
#include "store/connection.h"

enum { MP_RECORD_PROGRESS = 1 << 17 }; /* records between two reports of progress */

/* The reader of the next scan, and its callbacks. */
struct mp_record_source {
	const struct mp_layouts *layouts;
	struct mp_reader *reader;
	/* Sees each record before its row is stored. `values` has the numbers of all columns, or is NULL when they are
	   not decoded. Returns false to end the scan with an error. May be NULL. */
	bool (*see)(void *user, struct mp_reader *reader, const int64_t *values);
	void *see_user;
	void (*progress)(void *user, int64_t records); /* called every MP_RECORD_PROGRESS records; may be NULL */
	void *progress_user;
};

/* Register the module "mp_record", whose argument is the name of a layout. Returns an SQLite code. */
int mp_record_table_register(sqlite3 *handle, struct mp_record_source *source);

#endif

/*
 * record_table.h: a raw file as a virtual table, so that SQLite itself pulls
 * the records: INSERT INTO table SELECT columns FROM record_LAYOUT.
 * Internal to the store.
 */
#ifndef MP_STORE_RECORD_TABLE_H
#define MP_STORE_RECORD_TABLE_H

#include "raw/reader.h"
#include "store/connection.h"

enum { MP_RECORD_PROGRESS = 1 << 17 }; /* records between two reports of progress */

/* Which reader the next scan takes; outlives the connection's use of the module. */
struct mp_record_source {
	const struct mp_layouts *layouts;
	struct mp_reader *reader;
	/* Each record before its row is stored; false ends the scan with an error. `values`: the numbers of all
	   columns, if they were decoded. May be NULL */
	bool (*see)(void *user, struct mp_reader *reader, const int64_t *values);
	void *see_user;
	void (*progress)(void *user, int64_t records); /* now and then during a scan; may be NULL */
	void *progress_user;
};

/* Register the module "mp_record"; its one argument is a layout's name. */
int mp_record_table_register(sqlite3 *handle, struct mp_record_source *source);

#endif

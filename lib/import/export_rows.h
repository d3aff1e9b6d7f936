/*
 * export_rows.h: runs statements of an export script in place of SQLite:
 *   INSERT INTO SCHEMA.TABLE SELECT ...        the rows become pages of the new file (leaf/bulk.h)
 *   INSERT INTO temp.TABLE SELECT DISTINCT ... SQLite gets each row once
 * where an engine gives the rows without SQLite (store/connection.h). SQLite runs all other statements, and also those
 * whose rows turn out not to fit pages: with the same results.
 *
 * The caller owns the struct. Only the thread of the database may call.
 */
#ifndef MP_IMPORT_EXPORT_ROWS_H
#define MP_IMPORT_EXPORT_ROWS_H

#include "store/sink.h"

struct mp_export_rows {
	struct mp_db *db;
	const char *schema;     /* the new database */
	struct mp_bulks *bulks; /* of the new database */
	void (*progress)(void *user, int64_t done, int64_t total);
	void *progress_user;
	int64_t rows, rows_total; /* made so far; expected, or 0 */
};

/* Run a statement. Returns 1, 0 when SQLite must run it, -1 with err. */
int mp_export_rows_run(void *rows, const char *sql, struct mp_error *err);

#endif

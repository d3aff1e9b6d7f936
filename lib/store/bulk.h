/*
 * bulk.h: many rows for tables that are empty yet, as pages of SQLite's file format, without its interpreter. Internal
 * to the store.
 *
 * Rows are put into leaves of a table's tree in order of rowid, from 1 on, and full leaves go to the end of the
 * database file, a batch at a time. Between two batches SQLite works in a transaction as ever and appends pages of its
 * own: a batch ends its transaction, and begins one. So no statement may be half done while rows are added, the
 * connection must not be in exclusive locking mode, it must not keep a journal, and nobody else may use the file.
 * SQLite does not see the rows until they are attached.
 */
#ifndef MP_STORE_BULK_H
#define MP_STORE_BULK_H

#include "store/scalar.h"

enum { MP_BULK_COLUMN_MAX = 128 };

struct mp_bulks; /* of a database */
struct mp_bulk;  /* of a table; owned by the bulks */

/* fd: of the file of `db`, which is in a transaction; it stays the caller's. */
int mp_bulks_open(struct mp_bulks **bulks, struct mp_db *db, int fd, struct mp_error *err);
void mp_bulks_close(struct mp_bulks *bulks); /* NULL is fine; what is not attached is lost */

/*
 * That of a table, always the same until it is attached. *bulk is NULL where SQLite would do more than store a row:
 * a table with indices, triggers, defaults, conditions or conversions.
 */
int mp_bulk_find(struct mp_bulk **bulk, struct mp_bulks *bulks, const char *table, struct mp_error *err);

/* Columns in the order of the table. The one that is the rowid takes NULL alone. */
int mp_bulk_column_count(const struct mp_bulk *bulk);
int mp_bulk_column(const struct mp_bulk *bulk, const char *name); /* -1: it has none */
bool mp_bulk_takes(const struct mp_bulk *bulk, int column, enum mp_type type);

/* Bytes that the values of a row may have, each with at most MP_BULK_VALUE_EXTRA bytes besides its text, or 8 of a
 * number. */
enum { MP_BULK_VALUE_EXTRA = 5 };
size_t mp_bulk_row_max(const struct mp_bulk *bulk);

/* A row, a value for each column. Its rowid is the number of rows after it. Refuses values that the column does not
 * take, and rows without room. */
int mp_bulk_add(struct mp_bulk *bulk, const struct mp_scalar *values, struct mp_error *err);
/* Leave an empty table to SQLite: it is not found any more. */
void mp_bulk_refuse(struct mp_bulk *bulk);

int64_t mp_bulk_rows(const struct mp_bulk *bulk);

/* Make the rows of all bulks those of their tables; there are no bulks then. */
int mp_bulks_attach(struct mp_bulks *bulks, struct mp_error *err);

#endif

/*
 * sink.h: adds rows to a table in order: through a bulk (bulk.h) where one fits, else through an INSERT statement.
 *
 * The caller owns the struct and frees its content with mp_sink_close. One thread at a time. Functions that return int
 * give 0, or -1 with err.
 */
#ifndef MP_STORE_SINK_H
#define MP_STORE_SINK_H

#include "leaf/bulk.h"
#include "row/rows.h"
#include "store/connection.h"

/*
 * Open the bulks of a file of `db`, which is in a transaction: "main", or the name that the file is attached by. *bulks
 * is NULL where the connection leaves pages to SQLite (MP_PLAIN_PAGES). Messages name the file `path`. Close the bulks,
 * after an error, too.
 */
int mp_db_open_bulks(
    struct mp_bulks **bulks, struct mp_db *db, const char *schema, const char *path, int fd, struct mp_error *err);

/* Either `bulk` or `insert` is set. All zeros: a closed sink. */
struct mp_sink {
	int count; /* values in a row */
	struct mp_bulk *bulk;
	bool is_whole; /* the values are all columns of the bulk in their order */
	struct mp_query *insert;
	int to[MP_BULK_COLUMN_MAX];                     /* for each value its column in the bulk */
	const struct mp_value *row[MP_BULK_COLUMN_MAX]; /* the places of a row of the bulk */
};

/* Open a sink for `count` columns of a table. The other columns become NULL. `bulks` may be NULL. */
int mp_sink_open(struct mp_sink *sink, struct mp_db *db, struct mp_bulks *bulks, const char *table,
    const char *const *columns, int count, struct mp_error *err);

/* Add a row; or all rows of a source, whose error is that of the rows. */
int mp_sink_put(struct mp_sink *sink, const struct mp_value *const *values, struct mp_error *err);

int mp_sink_take(struct mp_sink *sink, struct mp_rows *rows, struct mp_error *err);

/* Close a sink. The bulk stays the caller's. */
void mp_sink_close(struct mp_sink *sink);

/* Add all rows of a query, perhaps of another database, to the columns of its titles. */
int mp_sink_query(
    struct mp_db *db, struct mp_bulks *bulks, const char *table, struct mp_query *q, struct mp_error *err);

#endif

/*
 * sink.h: adds rows to a table in order: through a bulk (bulk.h) where one fits, else through an INSERT statement.
 *
 * The caller owns the struct and frees its content with mp_sink_close. One thread at a time. Functions that return int
 * give 0, or -1 with err.
 */
#ifndef MP_STORE_SINK_H
#define MP_STORE_SINK_H

#include "store/bulk.h"

/* Either `bulk` or `insert` is set. All zeros: a closed sink. */
struct mp_sink {
	int count; /* values in a row */
	struct mp_bulk *bulk;
	struct mp_query *insert;
	int to[MP_BULK_COLUMN_MAX];                     /* for each value its column in the bulk */
	const struct mp_value *row[MP_BULK_COLUMN_MAX]; /* the places of a row of the bulk */
};

/* Open a sink for `count` columns of a table. The other columns become NULL. `bulks` may be NULL. */
int mp_sink_open(struct mp_sink *sink, struct mp_db *db, struct mp_bulks *bulks, const char *table,
    const char *const *columns, int count, struct mp_error *err);

/* Add a row. */
int mp_sink_put(struct mp_sink *sink, const struct mp_value *const *values, struct mp_error *err);

/* Close a sink. The bulk stays the caller's. */
void mp_sink_close(struct mp_sink *sink);

#endif

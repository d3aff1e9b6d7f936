/* sink.h: rows for a table, in order: into pages where that is possible, else by SQLite. Internal to the store. */
#ifndef MP_STORE_SINK_H
#define MP_STORE_SINK_H

#include "store/bulk.h"

/* All zeros: it takes nothing. */
struct mp_sink {
	int count;            /* of values in a row */
	struct mp_bulk *bulk; /* or */
	struct mp_query *insert;
	int to[MP_BULK_COLUMN_MAX];               /* columns of the bulk's table */
	struct mp_scalar row[MP_BULK_COLUMN_MAX]; /* of it */
};

/* Rows of `table` with a value for each of these columns; the others are NULL. `bulks` may be NULL. */
int mp_sink_open(struct mp_sink *sink, struct mp_db *db, struct mp_bulks *bulks, const char *table,
    const char *const *columns, int count, struct mp_error *err);

/* Numbers and NULLs. */
int mp_sink_put(struct mp_sink *sink, const struct mp_scalar *const *values, struct mp_error *err);

void mp_sink_close(struct mp_sink *sink);

#endif

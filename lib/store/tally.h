/*
 * tally.h: groups the rows of a query by hashing, where GROUP BY would sort millions of rows.
 *
 * The query has 1 to 8 key columns, a column `value`, and optionally a column `also`. The result is the temporary table
 * tally. Its columns are the keys (k1, k2, ...); count, total, longest, shortest and squares (the sum of squares) of
 * `value`; and also_total. Totals saturate. Memory is bounded: a key may get several rows when the groups are many, so
 * the reader must still GROUP BY the keys. Only the thread of the database may call.
 */
#ifndef MP_STORE_TALLY_H
#define MP_STORE_TALLY_H

#include "store/db.h"

/* Run the query to its end and fill temp.tally anew. Returns 0, or -1 with err. */
int mp_tally(struct mp_db *db, struct mp_query *rows, struct mp_error *err);

#endif

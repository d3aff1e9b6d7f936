/*
 * tally.h: groups the rows of a query by hashing, where GROUP BY would sort millions.
 *
 * The query's columns are keys, then one called `value` and perhaps one called
 * `also`. The result is the temporary table tally: the keys as k1, k2, ..., and
 * count, total, longest, shortest and squares (their sum, a double) of value, and also_total. Totals saturate. Memory
 * is bounded: when the groups are many they are written out more than once, so a reader must still GROUP BY the keys,
 * over few rows.
 */
#ifndef MP_STORE_TALLY_H
#define MP_STORE_TALLY_H

#include "store/db.h"

/* Run the query to its end and make temp.tally anew. */
int mp_tally(struct mp_db *db, struct mp_query *rows, struct mp_error *err);

#endif

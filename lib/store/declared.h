/*
 * declared.h: virtual tables whose content is given by queries in their declaration:
 *   CREATE VIRTUAL TABLE temp.NAME USING MODULE(SELECT ...)
 *   CREATE VIRTUAL TABLE temp.NAME USING MODULE((SELECT ...), (SELECT ...))
 * The queries are run once, when the table is made. Internal to the store.
 */
#ifndef MP_STORE_DECLARED_H
#define MP_STORE_DECLARED_H

#include "store/connection.h"

enum { MP_DECLARED_MAX = 3 };

struct mp_declared {
	sqlite3 *handle;
	sqlite3_stmt *queries[MP_DECLARED_MAX];
	int count;
};

/* Prepare the queries in the arguments of xCreate. Close `d` after an error, too. */
int mp_declared_open(struct mp_declared *d, sqlite3 *handle, int argc, const char *const *argv, struct mp_error *err);
void mp_declared_close(struct mp_declared *d);

/* The next row of a query: 1 for a row, 0 at the end, -1 on error. */
int mp_declared_next(struct mp_declared *d, int query, struct mp_error *err);

#endif

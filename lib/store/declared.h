/*
 * declared.h: queries in the declaration of a virtual table, which give the table its content:
 *   CREATE VIRTUAL TABLE temp.NAME USING MODULE(SELECT ...)
 *   CREATE VIRTUAL TABLE temp.NAME USING MODULE((SELECT ...), (SELECT ...))
 *
 * The queries run once, when the table is made. The struct owns the prepared queries; mp_declared_close frees them. One
 * thread at a time. For the modules of lib/store and lib/join.
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

/* Prepare the queries in the arguments of xCreate. Returns 0, or -1 with err; close `d` after an error, too. */
int mp_declared_open(struct mp_declared *d, sqlite3 *handle, int argc, const char *const *argv, struct mp_error *err);
void mp_declared_close(struct mp_declared *d);

/* Returns 1 for a row of a query, 0 at the end, -1 on error. */
int mp_declared_next(struct mp_declared *d, int query, struct mp_error *err);

#endif

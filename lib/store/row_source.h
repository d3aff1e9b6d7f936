/*
 * row_source.h: a temporary table whose rows this program makes: integers and NULLs, once, from front to end.
 *
 * A virtual table of the same name lets SQLite read these rows. An engine (row_engine.h) may take them from here.
 */
#ifndef MP_STORE_ROW_SOURCE_H
#define MP_STORE_ROW_SOURCE_H

#include "store/scalar.h"

struct mp_row_source {
	const char *table;
	void *user;
	/* Returns the number of a column, or -1. */
	int (*find)(void *user, const char *column);
	/* Before the first row: which columns are wanted, each once, in ascending order. Returns -1 on error. */
	int (*begin)(void *user, const int *columns, int count, struct mp_error *err);
	/* Returns 1 for a row, 0 at the end, -1 on error. */
	int (*next)(void *user, struct mp_error *err);
	/* Stores the wanted values of the current row. */
	void (*give)(void *user, struct mp_scalar *const *values);
};

#endif

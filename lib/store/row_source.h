/*
 * row_source.h: a temporary table whose rows this program makes: integers and NULLs, once, from front to end.
 *
 * A virtual table of the same name lets SQLite read these rows. An engine (row_engine.h) may read the source directly.
 * The producer owns the source and keeps the source while the connection uses it. One thread at a time.
 */
#ifndef MP_STORE_ROW_SOURCE_H
#define MP_STORE_ROW_SOURCE_H

#include "store/connection.h"

struct mp_row_source {
	const char *table;
	void *user;
	/* Returns the number of a column, or -1 when not found. */
	int (*find)(void *user, const char *column);
	/* Chooses the columns before the first row: in ascending order; a column may repeat. Returns 0, or -1 on error.
	 */
	int (*begin)(void *user, const int *columns, int count, struct mp_error *err);
	/* Returns 1 for a row, 0 at the end, -1 on error. */
	int (*next)(void *user, struct mp_error *err);
	/* Stores the values of the chosen columns of the current row. */
	void (*give)(void *user, struct mp_value *const *values);
};

#endif

/*
 * rows.h: rows of cells, one after the other: what every source gives. Raw records, joined tasks and queries are rows;
 * a sink (store/sink.h), an expression and a writer take them.
 *
 * Sources put the struct first in their own, and say who frees it. One thread at a time.
 */
#ifndef MP_ROW_ROWS_H
#define MP_ROW_ROWS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/value.h"

struct mp_rows {
	/* Moves to the next row. Returns 1, 0 at the end, -1 on error. */
	int (*next)(struct mp_rows *rows, struct mp_error *err);
	/* The place of each value of the current row. Texts are valid until the next move. */
	const struct mp_value *const *values;
};

/* A column that a reader of rows wants. */
struct mp_wanted {
	int column;             /* its number in the order of the table */
	bool real;              /* declared REAL: the integers that a b-tree stores become reals */
	struct mp_value *value; /* receives the value */
};

/*
 * A temporary table whose rows this program makes, once, from front to end. An engine (store/connection.h) takes them
 * as they are made. The producer keeps the source while the connection uses it.
 */
struct mp_source {
	struct mp_rows rows;
	const char *table;
	/* Chooses columns, in ascending order; a column may repeat. `next` stores their values. The list stays in
	   place. Returns 0, or -1 on error. */
	int (*begin)(struct mp_source *source, const struct mp_wanted *columns, int count, struct mp_error *err);
};

#endif

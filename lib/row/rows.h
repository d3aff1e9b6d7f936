/*
 * rows.h: rows of cells, one after the other: what every source gives. Raw records, joined tasks and queries are rows;
 * a sink (store/sink.h), an expression and a writer take them.
 *
 * Sources put the struct first in their own, and say who frees it. One thread at a time.
 */
#ifndef MP_ROW_ROWS_H
#define MP_ROW_ROWS_H

#include "base/error.h"
#include "base/value.h"

struct mp_rows {
	/* Moves to the next row. Returns 1, 0 at the end, -1 on error. */
	int (*next)(struct mp_rows *rows, struct mp_error *err);
	/* The place of each value of the current row. Texts are valid until the next move. */
	const struct mp_value *const *values;
};

/*
 * A temporary table whose rows this program makes, once, from front to end. An engine (store/connection.h) takes them
 * as they are made. The producer keeps the source while the connection uses it.
 */
struct mp_source {
	struct mp_rows rows;
	const char *table;
	/* Returns the number of a column, or -1 when not found. */
	int (*find)(const struct mp_source *source, const char *column);
	/* Chooses columns, in ascending order; a column may repeat. `next` stores the value of columns[i] in
	 *places[i]. Returns 0, or -1 on error. */
	int (*begin)(struct mp_source *source, const int *columns, struct mp_value *const *places, int count,
	    struct mp_error *err);
};

#endif

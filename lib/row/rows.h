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

#endif

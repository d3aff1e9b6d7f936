/* rows.h: what the rows of a trace report are, by their columns. For trace.c only. No state; any thread. */
#ifndef MP_TRACE_ROWS_H
#define MP_TRACE_ROWS_H

#include "report/report.h"
#include "trace/trace_writer.h"

enum mp_trace_kind { MP_TRACE_SLICES, MP_TRACE_SAMPLES, MP_TRACE_PROCESSES };

/* The numbers of columns; -1: the rows have no such column. */
struct mp_trace_columns {
	enum mp_trace_kind kind;
	int layer, process, track, name, time, dur, call, launch, process_name, thread_name, rank;
	int count; /* columns to read, with the hidden ones */
	struct mp_trace_keys keys;
};

/* Find the columns of a query. Returns 0, or -1 with err when some are missing or misplaced. */
int mp_trace_columns_find(
    struct mp_trace_columns *c, const struct mp_query *rows, const struct mp_report *report, struct mp_error *err);

/* The number of the column with a title of `len` bytes, or -1. */
int mp_trace_columns_named(const struct mp_query *rows, const char *title, size_t len);

/*
 * The rows of a query in descending order of a key, without a sort.
 *
 * The query has @split and gives its rows in the order of that key. Ranges of the key are read forwards, the last range
 * first, and given backwards. Memory is that of a range. A struct of zeros is empty; free with mp_trace_backwards_free,
 * which leaves the query open. One thread at a time.
 */

struct mp_trace_backwards {
	struct mp_query *rows;
	int columns;
	bool has_range; /* keys from first to last were not read yet */
	int64_t first, last;
	uint64_t step;
	struct mp_value *cells; /* of the rows of a range; a text that does not stay is an offset in `texts` */
	size_t count;           /* of rows */
	size_t cells_most, texts_most;
	char *texts;
	size_t used;
};

/* Begin with a query whose parameters are bound but for its range. Returns 0, or -1 with err. */
int mp_trace_backwards_begin(struct mp_trace_backwards *b, struct mp_query *rows, const struct mp_sql *sql,
    struct mp_db *db, struct mp_error *err);

/* Store the values of the next row. Returns 1, 0 at the end, -1 with err, or -2 when a range has too many rows. */
int mp_trace_backwards_next(struct mp_trace_backwards *b, struct mp_value *cells, struct mp_error *err);

void mp_trace_backwards_free(struct mp_trace_backwards *b);

#endif

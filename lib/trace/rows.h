/* rows.h: what the rows of a trace report are, by their columns. For trace.c only. No state; any thread. */
#ifndef MP_TRACE_ROWS_H
#define MP_TRACE_ROWS_H

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

#endif

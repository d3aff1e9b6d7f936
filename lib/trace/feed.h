/*
 * feed.h: takes the rows of trace reports one by one, and hands them to a writer. For trace.c only.
 *
 * A struct of zeros and mp_trace_tracks_init make an empty feed; free it with mp_feed_free. The caller sets the members
 * of the current query. One thread at a time.
 */
#ifndef MP_TRACE_FEED_H
#define MP_TRACE_FEED_H

#include <stdbool.h>

#include "base/vec.h"
#include "report/report.h"
#include "trace/trace.h"
#include "trace/trace_writer.h"

/* What the rows of a trace report are, by their columns. For trace.c only. No state; any thread. */

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

/*
 * Arrows from calls to the tasks that they launched. All tasks are added first, then calls take theirs.
 *
 * Memory is bounded: large arrays are in a file (base/vec.h). A struct of zeros is empty; free with
 * mp_trace_arrows_free. One thread at a time.
 */

/* The end of an arrow at a task. */
struct mp_trace_launch {
	int64_t call; /* the key of the call */
	int64_t start_ns;
	uint32_t process, track, number;
};

struct mp_trace_arrows {
	struct mp_big launches;
	size_t count, next;
	bool unsorted; /* a call came after a later one */
	int dirfd;     /* a directory for a large array, or -1 */
};

/* Add a task; its number is set here. dirfd is a directory for a large array, or -1. Returns the number, from 1 on, or
 * 0 when out of memory. */
uint32_t mp_trace_arrows_add(struct mp_trace_arrows *a, const struct mp_trace_launch *launch, int dirfd);

/* The tasks of a call. Returns how many; SIZE_MAX: out of memory. Calls in the order of their keys are found at once.
 */
size_t mp_trace_arrows_take(struct mp_trace_arrows *a, int64_t call, const struct mp_trace_launch **launches);

void mp_trace_arrows_free(struct mp_trace_arrows *a);

/* How slices come: within a track in order of start; backwards in order of end; or sorted by track, then by start. */
enum mp_feed_order { MP_FEED_BY_START, MP_FEED_BY_END, MP_FEED_SORTED };
enum mp_feed_outcome { MP_FEED_TAKEN, MP_FEED_OUT_OF_ORDER, MP_FEED_FAILED };

struct mp_trace_feed {
	struct mp_trace_writer *writer;
	const struct mp_timeline_progress *progress; /* or NULL */
	struct mp_timeline_stats *stats;
	int dirfd; /* a directory for large arrays, or -1 */
	struct mp_trace_tracks tracks;
	struct mp_trace_arrows arrows;
	struct mp_trace_curves curves;
	int64_t first_ns;
	uint32_t *numbers; /* of the arrows of a slice */
	size_t numbers_most;
	/* the current query, and its current row */
	const struct mp_report *report;
	enum mp_feed_order order;
	struct mp_query *rows;
	struct mp_trace_columns columns;
	struct mp_value cells[MP_REPORT_COLUMN_MAX];
};

/* Take the row in the cells. MP_FEED_OUT_OF_ORDER: slices do not come in the order. */
enum mp_feed_outcome mp_feed_row(struct mp_trace_feed *f, struct mp_error *err);

/* End a query: write what waits, and forget its tracks. Returns 0, or -1 with err. */
int mp_feed_end_rows(struct mp_trace_feed *f, struct mp_out *out, struct mp_error *err);

/* The number in a column. One beyond 64 bits is a real in SQL: the largest or the smallest number stands for it. */
int64_t mp_feed_number(const struct mp_trace_feed *f, int column);

/* Count an event, and keep the earliest time. */
void mp_feed_see_time(struct mp_trace_feed *f, int64_t time_ns);

void mp_feed_free(struct mp_trace_feed *f);

#endif

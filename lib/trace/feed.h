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
#include "trace/rows.h"
#include "trace/texts.h"
#include "trace/tracks.h"

/*
 * Arrows from calls to the tasks that they launched. All tasks are added first, then calls take theirs.
 *
 * Memory is bounded: large arrays are in a file (base/big.h). A struct of zeros is empty; free with
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
};

/* Add a task; its number is set here. dirfd is a directory for a large array, or -1. Returns the number, from 1 on, or
 * 0 when out of memory. */
uint32_t mp_trace_arrows_add(struct mp_trace_arrows *a, const struct mp_trace_launch *launch, int dirfd);

/* The tasks of a call. Returns how many. Calls in the order of their keys are found at once. */
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

/*
 * split_rows.h: writes the rows of a report's queries in order, with several threads when there are many rows.
 *
 * A query with @split runs range by range of its key; a query without @split is a single range. The output equals that
 * of one thread. So a query with @split gives its rows in the order of that key, and no row depends on earlier rows.
 * The caller owns the struct; mp_split_rows_write closes all queries that it opens.
 */
#ifndef MP_REPORT_SPLIT_ROWS_H
#define MP_REPORT_SPLIT_ROWS_H

#include <stdint.h>

#include "base/out.h"
#include "report/report.h"

enum { MP_SPLIT_ROWS_MAX = 1 + MP_REPORT_LAYER_MAX }; /* number of queries */

struct mp_split_rows {
	int count;
	const struct mp_sql *queries[MP_SPLIT_ROWS_MAX];
	const struct mp_report_row *each; /* the row of @each that the queries are of */
	/*
	 * Prepare a query with all parameters but its range, for a thread that is about to write its rows. Only one
	 * thread at a time calls `open`.
	 */
	int (*open)(void *user, int query, struct mp_db *db, struct mp_query **rows, struct mp_error *err);
	/*
	 * Write the remaining rows of a query. Several threads call `write` at the same time; member 0 is the caller's
	 * thread.
	 */
	int (*write)(
	    void *user, int member, int query, struct mp_query *rows, struct mp_out *out, struct mp_error *err);
	/* As in struct mp_ordered; either may be NULL. */
	int (*take)(void *user, struct mp_out *out, const char *bytes, size_t size, struct mp_error *err);
	void (*waited)(void *user);
	bool backwards; /* the ranges come in descending order */
	void *user;
};

/* Write all rows. Further connections of the team are opened only for many rows. Returns 0, or -1 with err. */
int mp_split_rows_write(const struct mp_split_rows *s, struct mp_team *team, struct mp_out *out, struct mp_error *err);

/*
 * Parts of an output that several threads make at the same time, written in order.
 *
 * The output equals that of one thread. The earliest unfinished part streams to the output. Later parts are kept in
 * memory, 1 MiB each and two for each thread; a thread with more output waits. The content of the parts is unknown
 * here. mp_ordered_write starts and joins the threads, and keeps nothing.
 */

enum { MP_ORDERED_MAX = 8 }; /* threads */

struct mp_ordered {
	int64_t count; /* number of parts */
	/*
	 * Make part `at`. `member` is the thread that calls: 0 is the caller's thread. Several members call at the same
	 * time.
	 */
	int (*make)(void *user, int member, int64_t at, struct mp_out *out, struct mp_error *err);
	/*
	 * Takes output of parts, in order, in place of writing it to `out`; NULL: it is written. What a part reserves
	 * at once is never divided. One thread at a time, which may be any.
	 */
	int (*take)(void *user, struct mp_out *out, const char *bytes, size_t size, struct mp_error *err);
	/* Called in the caller's thread after a wait for other threads; may be NULL. */
	void (*waited)(void *user);
	void *user;
};

/*
 * Make all parts with up to `threads` threads. The error is that of the first failed part; later parts are not started,
 * or discarded. Returns 0, or -1 with err. The out keeps its own errors.
 */
int mp_ordered_write(const struct mp_ordered *parts, int threads, struct mp_out *out, struct mp_error *err);

#endif

/*
 * split_rows.h: the rows of a report's queries, by several threads where there are many, written in order.
 *
 * A query with @split is run range by range of its key; one without is a single stretch. What is written is what one
 * thread would write, so a query with @split gives its rows in the order of that key, and none depends on those before.
 */
#ifndef MP_REPORT_SPLIT_ROWS_H
#define MP_REPORT_SPLIT_ROWS_H

#include "base/out.h"
#include "report/report.h"

enum { MP_SPLIT_ROWS_MAX = 1 + MP_REPORT_LAYER_MAX }; /* queries */

struct mp_split_rows {
	int count;
	const struct mp_sql *queries[MP_SPLIT_ROWS_MAX];
	/* Prepare one of them with all that it needs but its range, for a thread that is about to write rows of it: one
	 * at a time calls it. */
	int (*open)(void *user, int query, struct mp_db *db, struct mp_query **rows, struct mp_error *err);
	/* Write rows until there are no more. Threads call it at the same time; member 0 is the caller's. */
	int (*write)(
	    void *user, int member, int query, struct mp_query *rows, struct mp_out *out, struct mp_error *err);
	void (*waited)(void *user); /* see ordered.h; may be NULL */
	void *user;
};

/* Opens what the team needs beyond the caller's database only where there are rows enough. */
int mp_split_rows_write(const struct mp_split_rows *s, struct mp_team *team, struct mp_out *out, struct mp_error *err);

#endif

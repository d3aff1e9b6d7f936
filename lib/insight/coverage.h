/*
 * coverage.h: how long any of many intervals ran, up to moments that are asked for in ascending order.
 *
 * The intervals are the rows (start_ns, end_ns) of a query, in order of their start; they are read once, as far as is
 * needed. A struct of zeros with the query is ready; the query belongs to the caller. One thread.
 */
#ifndef MP_INSIGHT_COVERAGE_H
#define MP_INSIGHT_COVERAGE_H

#include "store/db.h"

struct mp_coverage {
	struct mp_query *query;
	int64_t start_ns, end_ns;           /* of the intervals that overlap, so far */
	int64_t before_ns;                  /* the length of those before them */
	int64_t next_start_ns, next_end_ns; /* the row that was read, and is not added */
	bool begun, more;
};

/* Set *covered_ns to the length of the union before a moment. Returns 0, or -1 with err. */
int mp_coverage_until(struct mp_coverage *c, int64_t at_ns, int64_t *covered_ns, struct mp_error *err);

#endif

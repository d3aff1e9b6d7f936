/* facts_internal.h: what facts.c reads and facts_tables.c writes. Functions return 0, or -1 with err. */
#ifndef MP_INSIGHT_FACTS_INTERNAL_H
#define MP_INSIGHT_FACTS_INTERNAL_H

#include <stdio.h>

#include "insight/coverage.h"
#include "insight/facts.h"
#include "insight/gaps.h"
#include "insight/ops.h"

struct facts {
	struct mp_db *db;
	const struct mp_report *tasks, *calls; /* calls: NULL without a report of calls */
	struct mp_ops ops;
	char titles[MP_OP_SUMS][32]; /* of the numbers that are summed up */
	bool has_titles;
	struct mp_intervals intervals; /* of the current track */
	struct mp_window *windows;     /* of the current track */
	size_t window_count;
	bool has_ranges;         /* of the current track: only tasks that start within a window count */
	bool runs_in_step;       /* whether a task of the current track runs in a window */
	struct mp_coverage host; /* the time that any call ran; of the current track */
	struct mp_gaps gaps;
	struct mp_query *ranges, *put_window, *put_time;
	int status; /* of a callback: 0, or -1 with err */
	struct mp_error *err;
};

/* Make the tables window and window_time, and prepare their rows. */
int mp_facts_open(struct facts *f, struct mp_error *err);

/* Read the classes of operators from the table op_class. */
int mp_facts_read_classes(struct facts *f, struct mp_error *err);

/* Store a window of a track that was swept. */
int mp_facts_put_window(struct facts *f, int64_t track, const struct mp_window *w, struct mp_error *err);

/* make the tables operator, gap and gap_reason. */
int mp_facts_put_rest(struct facts *f, struct mp_error *err);

void mp_facts_close(struct facts *f);

#endif

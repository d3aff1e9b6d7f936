/* side_tasks_internal.h: the tasks of a job while they are read, and where they go. */
#ifndef MP_COMPARE_SIDE_TASKS_INTERNAL_H
#define MP_COMPARE_SIDE_TASKS_INTERNAL_H

#include "compare/side_read_internal.h"
#include "insight/ops.h"
#include "insight/sweep.h"

/* A group while its run is read. */
struct mp_reading_group {
	size_t group;        /* of the side */
	int64_t steps, done; /* windows that there are, and those that are read */
	int blocks;          /* samples of this run */
	int64_t total_ns[MP_BLOCKS], count[MP_BLOCKS];
	int64_t idle_ns[MP_BLOCKS], overlap_ns[MP_BLOCKS];
	int64_t *spans; /* of each window that is read */
};

/* All tasks while they are read. */
struct mp_reading_tasks {
	struct mp_reading *r;
	struct mp_query *ranges;
	struct mp_reading_group *groups; /* by the id of sample_group, from 1 */
	size_t group_count;
	struct mp_ops ops; /* k1 is the group */
	uint32_t *order;   /* operators in the order of their first task */
	size_t order_count;
	struct mp_intervals intervals;
	struct mp_window *windows;
	size_t window_count;
};

/* Put the samples and items of all groups that have a step into the side. Returns 0, or -1 with err. */
int mp_put_groups(struct mp_reading_tasks *t, struct mp_error *err);

#endif

/*
 * tasks.h: the tasks of a PROF job, joined while their records are read: runs of the device, launches and operators of
 * the host, counters. Internal to the store.
 *
 * A run is a start and an end of one stream, task and context; an end closes the latest open start. Its launch is the
 * first one of its device, stream, task and batch that no run before took; its counters likewise, by device, stream,
 * task and context. Its operator is the first that was said of the node call in which it was launched. What joins
 * nothing goes to the tables of records. The maps "node" (calls of nodes by thread), "batch" (of a device and stream,
 * from when on) and "frequency" (of a device) must be there before. Stretches in which devices compute go to `overlap`.
 */
#ifndef MP_STORE_TASKS_H
#define MP_STORE_TASKS_H

#include "store/load.h"

struct mp_tasks;

/* Whether records of that layout are joined, rather than loaded. */
bool mp_tasks_take(const struct mp_tasks *tasks, const struct mp_layout *layout);

/* Whether feeds will find its files: fails when records of such a table cannot be joined. device_id: of a file, or -1.
 */
int mp_tasks_accept(
    const struct mp_tasks *tasks, const struct mp_layout *layout, int64_t device_id, struct mp_error *err);

/*
 * Whether loaded records of that layout are calls: the values of each are to be seen, in the order of its rows, by
 * whatever thread. When all were, mp_tasks_seen makes temp.call_seen: a row for each level, type and thread, in the
 * order of their first calls, with sums of the durations. temp.calls_unsorted has a row if calls do not come in order
 * of start: then the map "node" is of no use.
 */
bool mp_tasks_look(const struct mp_tasks *tasks, const struct mp_layout *layout);
int mp_tasks_see(struct mp_tasks *tasks, const struct mp_layout *layout, const int64_t *values, struct mp_error *err);

int mp_tasks_seen(struct mp_tasks *tasks, struct mp_error *err);

/*
 * Make the table temp.joined_task, whose rows only cells can read, once. Its columns are device_id, stream_id, task_id,
 * batch_id, context_id, start_ns, end_ns, wait_ns, task_type, mhz, connection_id and is_first (1: of the tasks that ran
 * in its call), and those of the tables of records: launch_ (task_track), info_ (node_basic_info), aic_ and aiv_ (pmu).
 * At the end come tasks that were launched and did not run; in them start_ns is NULL. Columns that are no numbers are
 * NULL.
 */
int mp_tasks_create(struct mp_tasks **tasks, struct mp_load *load, struct mp_error *err);
void mp_tasks_free(struct mp_tasks *tasks);

/* Read the files: the rows of schema/sql/prof/task.sql, with the columns of temp.task_given as parameters, become those
 * of the table task. */
int mp_tasks_store(struct mp_tasks *tasks, struct mp_error *err);

#endif

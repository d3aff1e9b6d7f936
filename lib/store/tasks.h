/*
 * tasks.h: the tasks of a PROF job, joined while their records are read: runs of the device, launches and operators of the
 * host, counters. Internal to the store.
 *
 * A run is a start and an end of one stream, task and context; an end closes the latest open start. Its launch is the first one
 * of its device, stream, task and batch that no run before took; its counters likewise, by device, stream, task and context. Its
 * operator is the first that was said of the node call in which it was launched. What joins nothing goes to the tables of records.
 * The maps "node" (calls of nodes by thread) and "batch" (of a device and stream, from when on) must be there before.
 */
#ifndef MP_STORE_TASKS_H
#define MP_STORE_TASKS_H

#include "store/load.h"

struct mp_tasks;

/* Whether records of that layout are joined, rather than loaded. */
bool mp_tasks_take(const struct mp_layout *layout);

/*
 * Make the table temp.joined_task: a scan of it reads the files. Its columns are device_id, stream_id, task_id, batch_id,
 * context_id, start_ns, end_ns, task_type and connection_id, and those of the tables of records: launch_ (task_track),
 * info_ (node_basic_info), aic_ and aiv_ (pmu). At the end come tasks that were launched and did not run; in them start_ns is NULL.
 * It can be scanned once. Free it after the connection is closed, or never used again.
 */
int mp_tasks_create(struct mp_tasks **tasks, struct mp_load *load, struct mp_error *err);
void mp_tasks_free(struct mp_tasks *tasks);

#endif

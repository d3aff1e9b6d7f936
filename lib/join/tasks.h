/*
 * tasks.h: the tasks of a PROF job, joined while their records are read: runs of the device, launches and operators of
 * the host, counters. docs/PROF-RULES.md tells the rules.
 *
 * A struct mp_tasks belongs to one import. Records that join nothing go to their own tables; times in which a device
 * computes go to `overlap`. The maps "node" (calls of nodes by thread), "batch" (of a device and stream) and
 * "frequency" (of a device) must be filled before the first task. Functions that can fail return -1 and fill the error.
 */
#ifndef MP_JOIN_TASKS_H
#define MP_JOIN_TASKS_H

#include "store/load.h"

struct mp_tasks;

/* Returns the joiner of the tasks: it takes the records of joined tables, and sees the calls, in the order of their
 * rows. */
struct mp_joiner *mp_tasks_joiner(struct mp_tasks *tasks);

/*
 * When all files are loaded: fills temp.call_seen: a row for each level, type and
 * thread of calls with sums of the durations, in the order of the first calls. temp.calls_unsorted gets a row if the
 * calls are not in order of start; then the maps "node" and "outer" are useless.
 */
int mp_tasks_seen(struct mp_tasks *tasks, struct mp_error *err);

/*
 * Makes the temporary table joined_task, whose rows are the tasks (struct mp_source). Its own columns are device_id,
 * stream_id, task_id, batch_id, context_id, start_ns, end_ns, wait_ns, task_type, mhz, connection_id, node_id (its call
 * of a node), before_ns (the start of the operator before) and is_op (1: an operator). The other columns are those of
 * the joined tables with a prefix: launch_, info_ (the operator), aic_ and aiv_ (counters). Tasks that were launched
 * and did not run come last; their start_ns is NULL. A column that holds no number is NULL. Free *tasks with
 * mp_tasks_free, also after an error.
 */
int mp_tasks_create(struct mp_tasks **tasks, struct mp_load *load, struct mp_error *err);
void mp_tasks_free(struct mp_tasks *tasks); /* NULL is legal */

/* Joins all tasks, after mp_bulks_attach and the script `finish`: the rows of schema/sql/prof/task.sql, with the
 * columns of temp.task_given as parameters, become rows of `task`. */
int mp_tasks_store(struct mp_tasks *tasks, struct mp_error *err);

#endif

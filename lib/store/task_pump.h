/*
 * task_pump.h: joined tasks in batches, made by a thread of their own while SQLite stores those before. Internal to the store.
 *
 * The thread does not touch the database: what it needs there is done by the thread that takes the batches, see
 * mp_on_main. With one processor there is no thread, and all else is the same.
 */
#ifndef MP_STORE_TASK_PUMP_H
#define MP_STORE_TASK_PUMP_H

#include "store/tasks_internal.h"

struct mp_pump;

/* `used`: the columns that will be asked for, as mp_tasks_choose wants them. Fails without memory or a thread. */
int mp_pump_start(struct mp_pump **pump, struct mp_tasks *tasks, const struct mp_task_column *used, int count, struct mp_error *err);

/* The next task: 1; 0: all were given; -1: error. */
int mp_pump_next(struct mp_pump *pump, struct mp_error *err);

/* The used columns of the current task, and which of them are NULL; valid until the next one. */
const int64_t *mp_pump_row(const struct mp_pump *pump, const bool **nulls);

/* Ends the thread, whatever it does. NULL is fine. */
void mp_pump_stop(struct mp_pump *pump);

/* Called by the thread: let `function` run where the database may be used, and wait for it. */
int mp_pump_call(struct mp_pump *pump, int (*function)(void *user, struct mp_error *err), void *user, struct mp_error *err);

#endif

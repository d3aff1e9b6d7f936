/* task_pump.c: tasks as rows that a thread of their own joins. */
#include <stdlib.h>

#include "base/pump.h"
#include "prof/tasks_internal.h"

static int next(void *user, int64_t *values, bool *nulls, struct mp_error *err)
{
	struct mp_tasks *t = user;
	int status = mp_tasks_next(t, err);

	if (status == 1)
		mp_tasks_values(t, &t->used, values, nulls);
	return status;
}

/* Stretches that are over go to their table with the rows of the batch. */
static void begin(void *user, int batch)
{
	struct mp_tasks *t = user;

	t->stretch.out = &t->stretches[batch];
	t->stretch.out->count = 0;
}

static int take(void *user, int batch, struct mp_error *err)
{
	struct mp_tasks *t = user;

	return mp_stretches_insert(&t->stretches[batch], &t->stretch, err);
}

int mp_tasks_pump(struct mp_tasks *t, const struct mp_task_column *used, int count, struct mp_error *err)
{
	const struct mp_pump_rows rows = {t, count, next, begin, take};

	t->used = mp_tasks_choose(used, count);
	return mp_tasks_begin(t, err) ||
		       mp_pump_start(&t->load->pump, &rows, !(t->load->db->plain & MP_PLAIN_THREADS), err)
		   ? -1
		   : 0;
}

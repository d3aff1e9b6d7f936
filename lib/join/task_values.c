/* task_values.c: the columns of a task: its own, and those of the records that belong to it. */
#include <string.h>

#include "join/tasks_internal.h"

enum column {
	DEVICE_ID,
	STREAM_ID,
	TASK_ID,
	BATCH_ID,
	CONTEXT_ID,
	START_NS,
	END_NS,
	WAIT_NS,
	TASK_TYPE,
	MHZ,
	CONNECTION_ID,
	NODE_ID,
	BEFORE_NS,
	IS_OP
};

const char *const mp_task_own_names[MP_TASK_OWN_COUNT] = {"device_id", "stream_id", "task_id", "batch_id", "context_id",
    "start_ns", "end_ns", "wait_ns", "task_type", "mhz", "connection_id", "node_id", "before_ns", "is_op"};

struct mp_feed *mp_tasks_feed(struct mp_tasks *t, enum mp_task_part part)
{
	return part == MP_TASK_LAUNCH ? &t->track : part == MP_TASK_INFO ? &t->info : &t->pmu;
}

struct mp_task_columns mp_tasks_choose(const struct mp_task_column *used, int count)
{
	struct mp_task_columns columns = {.own_count = 0};

	for (int i = 0; i < count; i++) {
		struct mp_feed_columns *part = &columns.parts[used[i].part < 0 ? 0 : used[i].part];

		if (used[i].part < 0)
			columns.own[columns.own_count++] = used[i].index;
		else
			part->of_table[part->count++] = used[i].index;
	}
	return columns;
}

static bool own_value(const struct mp_tasks *t, enum column column, int64_t *value)
{
	switch (column) {
	case DEVICE_ID:
		*value = t->device_id;
		return true;
	case STREAM_ID:
		*value = t->stream_id;
		return true;
	case TASK_ID:
		*value = t->task_id;
		return true;
	case BATCH_ID:
		*value = t->batch_id;
		return true;
	case CONTEXT_ID:
		*value = t->run ? t->run->context_id : MP_NO_CONTEXT;
		return true;
	case START_NS:
		*value = t->run ? t->run->start_ns : 0;
		return t->run;
	case END_NS:
		*value = t->run ? t->run->end_ns : 0;
		return t->run;
	case WAIT_NS:
		*value = t->wait_ns;
		return t->has_wait;
	case TASK_TYPE:
		*value = t->run ? t->run->type : 0;
		return t->run && t->run->type >= 0;
	case NODE_ID:
		*value = t->node_id;
		return t->has_node;
	case BEFORE_NS:
		*value = t->before_ns;
		return t->has_wait;
	case IS_OP:
		*value = 1;
		return t->is_op;
	case MHZ:
		*value = t->mhz;
		return t->has_mhz;
	default:
		*value = t->call;
		return t->has_call;
	}
}

void mp_tasks_values(struct mp_tasks *t, struct mp_task_columns *columns, int64_t *values, bool *nulls)
{
	int at = columns->own_count;

	for (int i = 0; i < at; i++)
		nulls[i] = !own_value(t, (enum column)columns->own[i], &values[i]);
	for (int part = 0; part < MP_TASK_PART_COUNT; part++) {
		struct mp_feed_columns *wanted = &columns->parts[part];

		if (!wanted->count)
			continue;
		if (t->parts[part].is_there)
			mp_feed_kept_numbers(mp_tasks_feed(t, (enum mp_task_part)part), &t->parts[part].record, wanted,
			    values + at, nulls + at);
		else
			memset(nulls + at, true, (size_t)wanted->count);
		at += wanted->count;
	}
}

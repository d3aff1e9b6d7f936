/*
 * runs.c: runs of tasks, as rows of rules. PROF: runs without a launch of their own, since models are launched once and
 * run often, and sub-tasks are never launched. JOB since 2022: runs, and their records of tensors that are equal.
 */
#include "join/rules.h"

/* How often, and as which row, each device, stream, task and batch was launched. */
struct launches {
	struct mp_map *rows, *counts;
};

static int read_launches(struct mp_rule_call *call, const struct launches *l, struct mp_error *err)
{
	int64_t v[5], *count; /* id, device, stream, task, batch */
	bool is_new;
	int status;

	while ((status = mp_rule_next(call, 0, v, err)) == 1) {
		const struct mp_key key = {v + 1, 4};

		count = mp_map_number(l->counts, &key, &is_new);
		if (!count || (is_new && !mp_map_put(l->rows, &key, v[0])))
			return mp_fail_memory(err, "launches");
		++*count;
	}
	return status;
}

/* A run without a launch bears the only launch of its numbers; among several launches it has no launch. */
static int repeated_runs(struct mp_rule_call *call, struct mp_error *err)
{
	struct launches l = {mp_rule_map(call), mp_rule_map(call)};
	int64_t v[5], launched, *count; /* id, device, stream, task, batch */
	bool is_new;
	int status;

	if (read_launches(call, &l, err))
		return -1;
	while ((status = mp_rule_next(call, 1, v, err)) == 1) {
		const struct mp_key key = {v + 1, 4};

		count = mp_map_peek(l.rows, &key, &launched) ? mp_map_number(l.counts, &key, &is_new) : NULL;
		if (count && *count == 1 && mp_rule_put(call, (const int64_t[]){v[0], launched}, err))
			return -1;
	}
	return status;
}

const struct mp_rule mp_rule_repeated_runs = {"repeated_runs", "id, launched", 2, {5, 5, 0}, repeated_runs};

/* A sub-task is of the latest run of its task before it that has a launch. */
static int whole_runs(struct mp_rule_call *call, struct mp_error *err)
{
	struct mp_map *latest = mp_rule_map(call);
	int64_t v[5], *whole; /* id, device, stream, task, whether it is a sub-task */
	bool is_new;
	int status;

	while ((status = mp_rule_next(call, 0, v, err)) == 1) {
		whole = mp_map_number(latest, &(struct mp_key){v + 1, 3}, &is_new);
		if (!whole)
			return mp_fail_memory(err, "whole runs");
		if (!v[4])
			*whole = v[0];
		else if (*whole && mp_rule_put(call, (const int64_t[]){v[0], *whole}, err))
			return -1;
	}
	return status;
}

const struct mp_rule mp_rule_whole_runs = {"whole_runs", "id, launched", 2, {5, 0, 0}, whole_runs};

/* An end closes the start just before it of its device, stream and task. */
static int start_end_pairs(struct mp_rule_call *call, struct mp_error *err)
{
	struct mp_map *open = mp_rule_map(call);
	int64_t v[5], *start; /* row, whether it is an end, device, stream, task */
	bool is_new;
	int status;

	while ((status = mp_rule_next(call, 0, v, err)) == 1) {
		start = mp_map_number(open, &(struct mp_key){v + 2, 3}, &is_new);
		if (!start)
			return mp_fail_memory(err, "starts of tasks");
		if (v[1] && *start && mp_rule_put(call, (const int64_t[]){v[2], *start, v[0]}, err))
			return -1;
		*start = v[1] ? 0 : v[0];
	}
	return status;
}

const struct mp_rule mp_rule_start_end_pairs = {
    "start_end_pairs", "device_id, start_row, end_row", 3, {5, 0, 0}, start_end_pairs};

/* Counters by device, stream and task, in the order of their rows. */
static int read_counters(struct mp_rule_call *call, struct mp_map *counters, struct mp_error *err)
{
	int64_t v[4]; /* row, device, stream, task */
	int status;

	while ((status = mp_rule_next(call, 0, v, err)) == 1)
		if (!mp_map_put(counters, &(struct mp_key){v + 1, 3}, v[0]))
			return mp_fail_memory(err, "counters");
	return status;
}

/* The task before a run in its device, stream and iteration, and the batches that have begun there. */
struct batch {
	struct mp_map *tasks, *counts;
};

/* A batch begins when the task of a run does not exceed the task before it. */
static bool count_batch(const struct batch *b, const struct mp_key *key, int64_t task_id, int64_t *batch_id)
{
	bool is_new;
	int64_t *task = mp_map_number(b->tasks, key, &is_new), *count;

	if (!task)
		return false;
	if (!is_new && task_id <= *task)
		++*batch_id;
	*task = task_id;
	count = mp_map_number(b->counts, key, &is_new);
	if (!count)
		return false;
	*batch_id = *count += *batch_id;
	return true;
}

/* The batch of each run, and the first counters of its task that no earlier run took; 0: not found. */
static int batched_runs(struct mp_rule_call *call, struct mp_error *err)
{
	struct mp_map *counters = mp_rule_map(call);
	struct batch b = {mp_rule_map(call), mp_rule_map(call)};
	int64_t v[6], counter, batch_id; /* row, device, stream, task, iteration, first batch */
	int status;

	if (read_counters(call, counters, err))
		return -1;
	while ((status = mp_rule_next(call, 1, v, err)) == 1) {
		const int64_t parts[] = {v[1], v[2], v[4]};

		batch_id = 0;
		if (!count_batch(&b, &(struct mp_key){parts, 3}, v[3], &batch_id))
			return mp_fail_memory(err, "batches");
		if (!mp_map_take(counters, &(struct mp_key){v + 1, 3}, &counter))
			counter = 0;
		if (__builtin_add_overflow(batch_id, v[5], &batch_id))
			batch_id = INT64_MAX;
		if (mp_rule_put(call, (const int64_t[]){v[0], batch_id, counter}, err))
			return -1;
	}
	return status;
}

const struct mp_rule mp_rule_batched_runs = {"batched_runs", "row, batch_id, counter_row", 3, {4, 6, 0}, batched_runs};

enum { KEY = 2 /* after row and device */, TENSOR_COLUMNS = 56 };

/* Each record, with the first record that has the same tensors. */
static int alike_tensors(struct mp_rule_call *call, struct mp_error *err)
{
	struct mp_map *firsts = mp_rule_map(call);
	int64_t v[KEY + TENSOR_COLUMNS], *first;
	bool is_new;
	int status;

	while ((status = mp_rule_next(call, 0, v, err)) == 1) {
		first = mp_map_number(firsts, &(struct mp_key){v + KEY, TENSOR_COLUMNS}, &is_new);
		if (!first)
			return mp_fail_memory(err, "tensors");
		if (is_new)
			*first = v[0];
		if (mp_rule_put(call, (const int64_t[]){v[0], v[1], *first}, err))
			return -1;
	}
	return status;
}

const struct mp_rule mp_rule_alike_tensors = {
    "alike_tensors", "row, device_id, first_row", 3, {KEY + TENSOR_COLUMNS, 0, 0}, alike_tensors};

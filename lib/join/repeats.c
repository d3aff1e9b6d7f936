/* repeats.c: runs without a launch of their own: models are launched once and run often, sub-tasks are never launched.
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
		if (!count || (is_new && !mp_map_put(l->rows, &key, v[0], false)))
			return mp_fail_memory(err, "launches");
		++*count;
	}
	return status;
}

/* A run without a launch bears the only launch of its numbers; among several launches it has no launch. */
static int repeated_runs(struct mp_rule_call *call, struct mp_error *err)
{
	struct launches l = {.rows = mp_rule_map(call, "launches by numbers", err)};
	int64_t v[5], launched, *count; /* id, device, stream, task, batch */
	bool is_new;
	int status;

	l.counts = l.rows ? mp_rule_map(call, "counts of launches", err) : NULL;
	if (!l.counts || read_launches(call, &l, err))
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
	struct mp_map *latest = mp_rule_map(call, "whole runs", err);
	int64_t v[5], *whole; /* id, device, stream, task, whether it is a sub-task */
	bool is_new;
	int status;

	if (!latest)
		return -1;
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

/*
 * task_order.c: the order of tasks of equal start in the reference's task_time. It sorts the tasks of each device by
 * start, puts all of them into a hash table by stream, task and batch, and sorts what comes out of it by start once
 * more. Neither sort keeps the order of equal starts.
 */
#include "join/rules.h"

#include <stdlib.h>

#include "base/door.h"
#include "base/vec.h"
#include "join/hash_chain_internal.h"
#include "join/sort_order_internal.h"

enum { DEVICE, ID, START, STREAM, TASK, BATCH, HAS_RUN, HAS_ROW, SORTED, COLUMNS };
enum { NONE = -1 };

struct row {
	int64_t v[COLUMNS];
	int64_t next; /* of the same stream, task and batch; NONE: there is no further one */
};

struct orders {
	struct row *rows;
	struct mp_sort_item *items; /* of rows */
	int64_t count;
	struct mp_hash_chain chain;
};

static int read_rows(struct mp_rule_call *call, struct orders *o, struct mp_error *err)
{
	int status;

	for (;; o->count++) {
		if (!mp_vec_room(o->rows, (size_t)o->count, 1) || !mp_vec_room(o->items, (size_t)o->count, 1))
			return mp_fail_memory(err, "an order");
		status = mp_rule_next(call, 0, o->rows[o->count].v, err);
		if (status != 1)
			return status;
		o->rows[o->count].next = NONE;
		o->items[o->count] = (struct mp_sort_item){o->rows[o->count].v[START], o->count};
	}
}

static void sort_devices(struct orders *o)
{
	for (int64_t from = 0, to; from < o->count; from = to) {
		for (to = from + 1; to < o->count && o->rows[to].v[DEVICE] == o->rows[from].v[DEVICE]; to++)
			;
		if (o->rows[from].v[SORTED])
			mp_sort_order(o->items + from, to - from);
	}
}

/* Chains the runs; those of one stream, task and batch are a list of one item. */
static int chain_rows(struct orders *o, struct mp_map *last, struct mp_error *err)
{
	int64_t ran = 0, *end;
	bool is_new;

	for (int64_t i = 0; i < o->count; i++)
		ran += o->rows[i].v[HAS_RUN] != 0;
	if (mp_hash_chain_begin(&o->chain, ran / 2, err))
		return -1;
	for (int64_t i = 0; i < o->count; i++) {
		struct row *r = &o->rows[o->items[i].id];

		if (!r->v[HAS_RUN])
			continue;
		end = mp_map_number(last, &(struct mp_key){r->v + STREAM, 3}, &is_new);
		if (!end)
			return mp_fail_memory(err, "an order");
		if (!is_new)
			o->rows[*end].next = o->items[i].id;
		*end = o->items[i].id;
		if (is_new && mp_hash_chain_add(&o->chain, o->items[i].id,
				  (uint64_t)r->v[STREAM] ^ (uint64_t)r->v[TASK] << 1 ^ (uint64_t)r->v[BATCH] << 2, err))
			return -1;
	}
	return 0;
}

static int put_rows(struct mp_rule_call *call, struct orders *o, struct mp_error *err)
{
	int64_t count = 0;

	for (int64_t item = 0; mp_hash_chain_next(&o->chain, &item);) {
		int64_t row = o->chain.items[item].id;

		do {
			const struct row *r = &o->rows[row];

			if (r->v[HAS_ROW])
				o->items[count++] = (struct mp_sort_item){r->v[START], r->v[ID]};
			row = r->next;
		} while (row != NONE);
	}
	mp_sort_order(o->items, count);
	for (int64_t i = 0; i < count; i++)
		if (mp_rule_put(call, &o->items[i].id, err))
			return -1;
	return 0;
}

static int task_order(struct mp_rule_call *call, struct mp_error *err)
{
	struct mp_map *last = mp_rule_map(call, "rows of a task", err);
	struct orders o = {0};
	int status = last ? read_rows(call, &o, err) : -1;

	if (!status && o.count) {
		sort_devices(&o);
		status = chain_rows(&o, last, err) || put_rows(call, &o, err) ? -1 : 0;
	}
	free(o.rows);
	free(o.items);
	mp_hash_chain_free(&o.chain);
	return status;
}

/* The order in which the reference's sort leaves rows of which only the key counts. */
static int unstable_order(struct mp_rule_call *call, struct mp_error *err)
{
	struct mp_sort_item *items = NULL;
	int64_t count = 0, v[2]; /* id, key */
	int status;

	while ((status = mp_rule_next(call, 0, v, err)) == 1) {
		if (!mp_vec_room(items, (size_t)count, 1)) {
			status = mp_fail_memory(err, "an order");
			break;
		}
		items[count++] = (struct mp_sort_item){v[1], v[0]};
	}
	if (!status && count)
		mp_sort_order(items, count);
	for (int64_t i = 0; !status && i < count; i++)
		status = mp_rule_put(call, &items[i].id, err);
	free(items);
	return status;
}

const struct mp_rule mp_rule_unstable_order = {"unstable_order", "id", 1, {2, 0, 0}, unstable_order};
const struct mp_rule mp_rule_task_order = {"task_order", "id", 1, {COLUMNS, 0, 0}, task_order};

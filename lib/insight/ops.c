/* ops.c: a hash table of operators. Knows no table of the database. */
#include "insight/ops.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "insight/sweep.h"

struct wanted {
	const struct mp_ops *ops;
	const int64_t *keys;
	bool is_rest;
};

static bool same(const void *key, uint32_t item)
{
	const struct wanted *w = key;
	const struct mp_op *op = &w->ops->items[item];

	return op->is_rest == w->is_rest && memcmp(op->keys, w->keys, sizeof(op->keys)) == 0;
}

static uint64_t hash_of(const int64_t *keys)
{
	uint64_t hash = 0;

	for (int i = 0; i < MP_OP_KEYS; i++)
		hash = mp_hash_mix(hash, (uint64_t)keys[i]);
	return hash;
}

static bool insert(struct mp_ops *ops, uint32_t *place, const struct wanted *w, int class, uint32_t *op)
{
	const size_t sums = (size_t)ops->sum_count;

	if (!mp_vec_room(ops->items, ops->count, 1) || !mp_vec_room(ops->sums, ops->count * sums, sums))
		return false;
	*op = (uint32_t)ops->count++;
	ops->items[*op] = (struct mp_op){.class = class < 0 ? ops->class : class, .is_rest = w->is_rest};
	memcpy(ops->items[*op].keys, w->keys, sizeof(ops->items[*op].keys));
	memset(ops->sums + *op * sums, 0, sums * sizeof(*ops->sums));
	*place = *op + 1;
	return true;
}

/* Search the table for an operator, or add it. */
static bool search(struct mp_ops *ops, const int64_t *keys, int class, uint32_t *op)
{
	struct wanted w = {ops, keys, false};
	int64_t rest[MP_OP_KEYS] = {class < 0 ? ops->class : class};
	uint32_t *place = mp_index_find(&ops->index, ops->count, hash_of(keys), same, &w);

	if (place && !*place && ops->count >= MP_OPS_MAX) {
		w = (struct wanted){ops, rest, true};
		place = mp_index_find(&ops->index, ops->count, hash_of(rest), same, &w);
	}
	if (!place)
		return false;
	if (!*place)
		return insert(ops, place, &w, class, op);
	*op = *place - 1;
	return true;
}

bool mp_ops_find(struct mp_ops *ops, const int64_t keys[MP_OP_KEYS], int class, uint32_t *op)
{
	if (ops->count) {
		const struct wanted w = {ops, keys, false};

		*op = ops->items[ops->last].next;
		if (same(&w, *op)) {
			ops->last = *op;
			return true;
		}
	}
	if (!search(ops, keys, class, op))
		return false;
	ops->items[ops->last].next = *op;
	ops->last = *op;
	return true;
}

void mp_ops_add(struct mp_ops *ops, uint32_t op, uint32_t row, int64_t dur_ns, const int64_t *numbers)
{
	int64_t *sums = ops->sums + op * (size_t)ops->sum_count;
	struct mp_op *o = &ops->items[op];

	if (!o->count)
		o->first_row = row;
	if (!o->count || dur_ns < o->shortest_ns)
		o->shortest_ns = dur_ns;
	if (!o->count || dur_ns > o->longest_ns)
		o->longest_ns = dur_ns;
	o->count++;
	o->total_ns = mp_add_ns(o->total_ns, dur_ns);
	for (int i = 0; i < ops->sum_count; i++)
		sums[i] = mp_add_ns(sums[i], numbers[i]);
}

void mp_ops_free(struct mp_ops *ops)
{
	free(ops->items);
	free(ops->sums);
	mp_index_free(&ops->index);
	memset(ops, 0, sizeof(*ops));
}

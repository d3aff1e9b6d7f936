/* ops.c: a hash table of operators. Knows no table of the database. */
#include "insight/ops.h"

#include <stdlib.h>
#include <string.h>

#include "base/slots.h"
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
	return hash ^ hash >> 32;
}

static bool grow(struct mp_ops *ops)
{
	size_t room = ops->room ? 2 * ops->room : 1024, slot_count = 4 * room;
	struct mp_op *items = realloc(ops->items, room * sizeof(*items));
	int64_t *sums;
	uint32_t *slots;

	if (!items)
		return false;
	ops->items = items;
	sums = realloc(ops->sums, room * (size_t)(ops->sum_count + 1) * sizeof(*sums));
	if (!sums)
		return false;
	ops->sums = sums;
	slots = calloc(slot_count, sizeof(*slots));
	if (!slots)
		return false;
	free(ops->slots);
	ops->slots = slots;
	ops->slot_count = slot_count;
	ops->room = room;
	for (size_t i = 0; i < ops->count; i++) {
		const struct wanted w = {ops, items[i].keys, items[i].is_rest};

		*mp_slot_find(slots, slot_count, hash_of(items[i].keys), same, &w) = (uint32_t)i + 1;
	}
	return true;
}

static bool insert(struct mp_ops *ops, uint32_t *slot, const struct wanted *w, int class, uint32_t *op)
{
	if (ops->count == ops->room) {
		if (!grow(ops))
			return false;
		slot = mp_slot_find(ops->slots, ops->slot_count, hash_of(w->keys), same, w);
	}
	*op = (uint32_t)ops->count++;
	ops->items[*op] = (struct mp_op){.class = class < 0 ? ops->class : class, .is_rest = w->is_rest};
	memcpy(ops->items[*op].keys, w->keys, sizeof(ops->items[*op].keys));
	memset(ops->sums + *op * (size_t)ops->sum_count, 0, (size_t)ops->sum_count * sizeof(*ops->sums));
	*slot = *op + 1;
	return true;
}

/* Search the table for an operator, or add it. */
static bool search(struct mp_ops *ops, const int64_t *keys, int class, uint32_t *op)
{
	struct wanted w = {ops, keys, false};
	int64_t rest[MP_OP_KEYS] = {class < 0 ? ops->class : class};
	uint32_t *slot;

	if (!ops->room && !grow(ops))
		return false;
	slot = mp_slot_find(ops->slots, ops->slot_count, hash_of(keys), same, &w);
	if (!*slot && ops->count >= MP_OPS_MAX) {
		w = (struct wanted){ops, rest, true};
		slot = mp_slot_find(ops->slots, ops->slot_count, hash_of(rest), same, &w);
	}
	if (!*slot)
		return insert(ops, slot, &w, class, op);
	*op = *slot - 1;
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
	free(ops->slots);
	memset(ops, 0, sizeof(*ops));
}

/*
 * hash_order.c: the order in which the hash tables of the reference give their items, since it prints them as they
 * come. Such a table is one chain. A new item goes before the items of its place, or to the front of the chain if its
 * place has none. When there are more items than places, there are twice as many places, and the items are chained
 * anew.
 */
#include "join/rules.h"

#include <stdlib.h>

#include "base/vec.h"

enum { NONE = -1, HEAD = 0 };

struct item {
	int64_t id, next; /* an item, or NONE */
	uint64_t hash;
};

struct chain {
	struct item *items; /* the first is the head */
	int64_t *before;    /* by place: what comes before its items, or NONE */
	int64_t count;
	size_t most; /* items that there was room for */
	size_t size; /* of sizes */
};

static const int64_t sizes[] = {13, 29, 59, 127, 257, 541, 1109, 2357, 5087, 10273, 20753, 42043, 85229, 172933, 351061,
    712697, 1447153, 2938679, 5967347, 12117689, 24607243};

static uint64_t place_of(const struct chain *c, int64_t item)
{
	return c->items[item].hash % (uint64_t)sizes[c->size];
}

static void chain_item(struct chain *c, int64_t item)
{
	int64_t *before = &c->before[place_of(c, item)], front = c->items[HEAD].next;

	if (*before == NONE) {
		*before = HEAD;
		if (front != NONE)
			c->before[place_of(c, front)] = item;
	}
	c->items[item].next = c->items[*before].next;
	c->items[*before].next = item;
}

static int make_places(struct chain *c, struct mp_error *err)
{
	int64_t *places = realloc(c->before, (size_t)sizes[c->size] * sizeof(*places));

	if (!places)
		return mp_fail_memory(err, "an order");
	c->before = places;
	for (int64_t i = 0; i < sizes[c->size]; i++)
		places[i] = NONE;
	return 0;
}

static int grow(struct chain *c, struct mp_error *err)
{
	int64_t item = c->items[HEAD].next, next;

	if (c->size + 1 == sizeof(sizes) / sizeof(sizes[0]))
		return 0; /* only the order of so many items differs */
	c->size++;
	if (make_places(c, err))
		return -1;
	c->items[HEAD].next = NONE;
	for (; item != NONE; item = next) {
		next = c->items[item].next;
		chain_item(c, item);
	}
	return 0;
}

static int add(struct chain *c, int64_t id, uint64_t hash, struct mp_error *err)
{
	if (!mp_vec_reach(c->items, &c->most, (size_t)c->count + 1))
		return mp_fail_memory(err, "an order");
	if (c->count > sizes[c->size] && grow(c, err)) /* with the head there is one more */
		return -1;
	c->items[c->count] = (struct item){id, NONE, hash};
	if (c->count > HEAD)
		chain_item(c, c->count);
	c->count++;
	return 0;
}

static int begin(struct chain *c, struct mp_error *err)
{
	c->count = 0;
	c->size = 0;
	return make_places(c, err) || add(c, 0, 0, err) ? -1 : 0;
}

static int put_all(struct mp_rule_call *call, const struct chain *c, struct mp_error *err)
{
	for (int64_t item = c->count ? c->items[HEAD].next : NONE; item != NONE; item = c->items[item].next)
		if (mp_rule_put(call, &c->items[item].id, err))
			return -1;
	return 0;
}

static int order_sets(struct mp_rule_call *call, struct chain *c, struct mp_error *err)
{
	int64_t v[3], set = 0; /* set, id, hash */
	int status;

	while ((status = mp_rule_next(call, 0, v, err)) == 1) {
		if ((!c->count || v[0] != set) && (put_all(call, c, err) || begin(c, err)))
			return -1;
		set = v[0];
		if (add(c, v[1], (uint64_t)v[2], err))
			return -1;
	}
	return status || put_all(call, c, err) ? -1 : 0;
}

static int hash_order(struct mp_rule_call *call, struct mp_error *err)
{
	struct chain c = {0};
	int status = order_sets(call, &c, err);

	free(c.items);
	free(c.before);
	return status;
}

const struct mp_rule mp_rule_hash_order = {"hash_order", "id", 1, {3, 0, 0}, hash_order};

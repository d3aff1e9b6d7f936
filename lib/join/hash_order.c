/*
 * hash_order.c: the order in which the hash tables of the reference give their items, since it prints them as they
 * come.
 */
#include "join/hash_chain_internal.h"
#include "join/rules.h"

enum { FIRST_PLACES = 12 };

static int put_all(struct mp_rule_call *call, const struct mp_hash_chain *c, struct mp_error *err)
{
	for (int64_t item = 0; mp_hash_chain_next(c, &item);)
		if (mp_rule_put(call, &c->items[item].id, err))
			return -1;
	return 0;
}

static int order_sets(struct mp_rule_call *call, struct mp_hash_chain *c, struct mp_error *err)
{
	int64_t v[3], set = 0; /* set, id, hash */
	int status;

	while ((status = mp_rule_next(call, 0, v, err)) == 1) {
		if ((!c->count || v[0] != set) && (put_all(call, c, err) || mp_hash_chain_begin(c, FIRST_PLACES, err)))
			return -1;
		set = v[0];
		if (mp_hash_chain_add(c, v[1], (uint64_t)v[2], err))
			return -1;
	}
	return status || put_all(call, c, err) ? -1 : 0;
}

static int hash_order(struct mp_rule_call *call, struct mp_error *err)
{
	struct mp_hash_chain c = {0};
	int status = order_sets(call, &c, err);

	mp_hash_chain_free(&c);
	return status;
}

const struct mp_rule mp_rule_hash_order = {"hash_order", "id", 1, {3, 0, 0}, hash_order};

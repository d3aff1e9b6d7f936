/*
 * nesting.c: what lies within what, of intervals in the order of their starts: each lies within the latest one before
 * it that has not ended. For the operators of front ends, whose threads are one tree.
 */
#include <stdlib.h>

#include "base/vec.h"
#include "join/rules.h"

/* A row of the rule: numbers from 1 in the order of starts; 0 is the whole. */
struct nested {
	int64_t id, parent;
	int64_t last;  /* the last interval within it */
	int64_t since; /* the start, but the first one within another is taken to begin with that; the very first one
			  has no begin */
	int64_t until; /* the earliest end of it and of all around it */
	int64_t end;   /* no column */
};

struct nest {
	struct nested *items;
	size_t count;
};

static struct nested *at(const struct nest *n, int64_t id)
{
	return &n->items[id - 1];
}

/* The latest open interval that has not ended before `start`; 0: none. */
static int64_t find_open(const struct nest *n, int64_t open, int64_t start)
{
	while (open && start > at(n, open)->end)
		open = at(n, open)->parent;
	return open;
}

static int add(struct nest *n, int64_t *open, const int64_t *v, struct mp_error *err)
{
	const int64_t parent = find_open(n, *open, v[0]), id = (int64_t)n->count + 1;
	const struct nested *around = parent ? at(n, parent) : NULL;
	const bool first = around ? around->id == id - 1 : id == 1;
	struct nested one = {.id = id, .parent = parent, .last = id, .since = v[0], .until = v[1], .end = v[1]};

	if (first)
		one.since = around ? around->since : INT64_MIN;
	if (around && around->until < one.until)
		one.until = around->until;
	if (!mp_vec_room(n->items, n->count, 1))
		return mp_fail_memory(err, "intervals within each other");
	n->items[n->count++] = one;
	*open = id;
	return 0;
}

static int apply(struct mp_rule_call *call, struct nest *n, struct mp_error *err)
{
	int64_t v[2], open = 0;
	int status;

	while ((status = mp_rule_next(call, 0, v, err)) == 1)
		if (add(n, &open, v, err))
			return -1;
	for (size_t i = n->count; i-- > 0;) {
		const struct nested *one = &n->items[i];

		if (one->parent && at(n, one->parent)->last < one->last)
			at(n, one->parent)->last = one->last;
	}
	for (size_t i = 0; !status && i < n->count; i++)
		status = mp_rule_put(call, &n->items[i].id, err);
	return status;
}

static int nesting(struct mp_rule_call *call, struct mp_error *err)
{
	struct nest n = {NULL, 0};
	int status = apply(call, &n, err);

	free(n.items);
	return status;
}

const struct mp_rule mp_rule_nesting = {"nesting", "id, parent, last, since, until", 5, {2}, nesting};

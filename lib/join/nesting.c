/*
 * nesting.c: what lies within what, of intervals in the order of their starts: each lies within the latest one before
 * it that has not ended; and sums over what lies within. For the operators of front ends, whose threads are one tree.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "join/rules.h"

/* What lies deeper is taken to lie on this level: what is told of an interval costs each one around it a look. */
enum { DEPTH_MAX = 256 };

/* A row of the rule: numbers from 1 in the order of starts; 0 is the whole. */
struct nested {
	int64_t id, parent;
	int64_t last;   /* the last interval within it */
	int64_t since;  /* the start, but the first one within another is taken to begin with that; the very first one
			   has no begin */
	int64_t until;  /* the earliest end of it and of all around it */
	int64_t depth;  /* 1: within the whole; DEPTH_MAX + 1 where it lies deeper */
	int64_t inner;  /* the sum of those that lie in it, and in no other within it */
	int64_t record; /* as given */
	int64_t start, end; /* no columns */
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
	const int64_t open_id = find_open(n, *open, v[0]), id = (int64_t)n->count + 1;
	const bool deep = open_id && at(n, open_id)->depth >= DEPTH_MAX;
	const int64_t parent = deep ? at(n, open_id)->parent : open_id;
	const struct nested *around = parent ? at(n, parent) : NULL;
	const bool first = around ? around->id == id - 1 : id == 1;
	struct nested one = {.id = id,
	    .parent = parent,
	    .last = id,
	    .since = v[0],
	    .until = v[1],
	    .depth = deep ? DEPTH_MAX + 1 : 1 + (around ? around->depth : 0),
	    .record = v[2],
	    .start = v[0],
	    .end = v[1]};

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
	int64_t v[3], open = 0;
	int status;

	while ((status = mp_rule_next(call, 0, v, err)) == 1)
		if (add(n, &open, v, err))
			return -1;
	for (size_t i = n->count; i-- > 0;) {
		const struct nested *one = &n->items[i];
		struct nested *around = one->parent ? at(n, one->parent) : NULL;
		int64_t time;

		if (!around)
			continue;
		if (around->last < one->last)
			around->last = one->last;
		if (__builtin_sub_overflow(one->end, one->start, &time) ||
		    __builtin_add_overflow(around->inner, time, &around->inner))
			around->inner = INT64_MAX;
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

const struct mp_rule mp_rule_nesting = {
    "nesting", "id, parent, last, since, until, depth, inner, record", 8, {3}, nesting};

/* Doubles of an interval, added in the order of the rows: its own and those of all within it, all and those of a kind.
 */
struct sums {
	double own, whole, own_kind, whole_kind; /* NaN: none */
	int64_t parent;
};

static void add_to(double *sum, double one)
{
	*sum = isnan(*sum) ? one : *sum + one;
}

static int read_parents(struct mp_rule_call *call, struct sums **items, size_t *count, struct mp_error *err)
{
	int64_t parent;
	int status;

	while ((status = mp_rule_next(call, 0, &parent, err)) == 1) {
		if (!mp_vec_room(*items, *count, 1))
			return mp_fail_memory(err, "sums of intervals");
		(*items)[(*count)++] = (struct sums){NAN, NAN, NAN, NAN, parent};
	}
	return status;
}

/* Add each double to its interval and to all around it. */
static int add_rows(struct mp_rule_call *call, struct sums *items, size_t count, struct mp_error *err)
{
	int64_t v[3]; /* the interval, the bits of the double, whether it is of the kind */
	int status;

	while ((status = mp_rule_next(call, 1, v, err)) == 1) {
		double one;

		memcpy(&one, &v[1], sizeof(one));
		for (int64_t id = v[0], first = id; id > 0 && (size_t)id <= count; id = items[id - 1].parent) {
			struct sums *s = &items[id - 1];

			if (id == first)
				add_to(&s->own, one);
			if (id == first && v[2])
				add_to(&s->own_kind, one);
			add_to(&s->whole, one);
			if (v[2])
				add_to(&s->whole_kind, one);
		}
	}
	return status;
}

static int nested_sums(struct mp_rule_call *call, struct mp_error *err)
{
	struct sums *items = NULL;
	size_t count = 0;
	int status = read_parents(call, &items, &count, err) || add_rows(call, items, count, err) ? -1 : 0;

	for (size_t i = 0; !status && i < count; i++) {
		int64_t row[5] = {(int64_t)i + 1};

		memcpy(row + 1, &items[i], 4 * sizeof(double));
		if (!isnan(items[i].whole))
			status = mp_rule_put(call, row, err);
	}
	free(items);
	return status;
}

const struct mp_rule mp_rule_nested_sums = {
    "nested_sums", "id, own, whole, own_kind, whole_kind", 5, {1, 3}, nested_sums};

/* Which return ends which call, and which call is around it: of each thread the last one that is open. Columns of the
 * query, and what a row does: */
enum { THREAD, WHAT, COLUMNS };
enum { RETURNS = -1, CALLS = 1 };

struct stack {
	int64_t *items; /* open calls, as numbers of rows from 1 on */
	size_t count;
};

/* The last call ends with a row, or with none: 0. */
static int pop(struct mp_rule_call *call, struct stack *s, int64_t row, struct mp_error *err)
{
	const int64_t id = s->items[--s->count];

	return mp_rule_put(call, (const int64_t[]){id, row, s->count ? s->items[s->count - 1] : 0}, err);
}

static int pop_all(struct mp_rule_call *call, struct stack *s, struct mp_error *err)
{
	while (s->count)
		if (pop(call, s, 0, err))
			return -1;
	return 0;
}

static int step(struct mp_rule_call *call, struct stack *s, int64_t row, int64_t what, struct mp_error *err)
{
	if (what == RETURNS && s->count)
		return pop(call, s, row, err);
	if (what != CALLS)
		return 0;
	if (!mp_vec_room(s->items, s->count, 1))
		return mp_fail_memory(err, "calls");
	s->items[s->count++] = row;
	return 0;
}

static int apply_stacks(struct mp_rule_call *call, struct stack *s, struct mp_error *err)
{
	int64_t v[COLUMNS], row = 0, thread = 0;
	int status;

	while ((status = mp_rule_next(call, 0, v, err)) == 1) {
		if (v[THREAD] != thread && pop_all(call, s, err))
			return -1;
		thread = v[THREAD];
		if (step(call, s, ++row, v[WHAT], err))
			return -1;
	}
	return status ? -1 : pop_all(call, s, err);
}

static int call_stacks(struct mp_rule_call *call, struct mp_error *err)
{
	struct stack s = {NULL, 0};
	int status = apply_stacks(call, &s, err);

	free(s.items);
	return status;
}

const struct mp_rule mp_rule_call_stacks = {"call_stacks", "id, until, parent", 3, {COLUMNS}, call_stacks};

/* stacks.c: which return ends which call, and which call is around it: of each thread the last one that is open. */
#include <stdlib.h>

#include "base/vec.h"
#include "join/rules.h"

/* Columns of the query, and what a row does. */
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

static int apply(struct mp_rule_call *call, struct stack *s, struct mp_error *err)
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
	int status = apply(call, &s, err);

	free(s.items);
	return status;
}

const struct mp_rule mp_rule_call_stacks = {"call_stacks", "id, until, parent", 3, {COLUMNS}, call_stacks};

/*
 * transfers.c: what the steps of collective operations did on each plane, in order of time: copied, sent, or waited.
 * Payloads of RDMA that follow each other are one transfer, up to the end of the task that completes it.
 */
#include "join/rules.h"

#include <stdlib.h>

/* Columns of the query. */
enum { SET, ID, KIND, PAYLOAD, JUMP, SIZE, START, END, COLUMNS };

/* Kinds of steps: COPIED to another rank, NEAR within the device. */
enum { OTHER, COPIED, NEAR, WAIT };

/* What the table says: a wait is early before anything was copied or sent. */
enum { SAYS_COPIED = 1, SAYS_NEAR, SAYS_SENT, SAYS_WAITED, SAYS_WAITED_EARLY };

struct plane {
	const int64_t (*steps)[COLUMNS];
	size_t count;
	bool moved; /* something was copied or sent */
};

static int put(
    struct mp_rule_call *call, const int64_t *step, int64_t what, int64_t size, int64_t ns, struct mp_error *err)
{
	return mp_rule_put(call, (const int64_t[]){step[ID], what, size, ns}, err);
}

/* The payloads from `first` on; *next is the step after the transfer. */
static int put_sent(struct mp_rule_call *call, struct plane *p, size_t first, size_t *next, struct mp_error *err)
{
	size_t end = first, last;
	int64_t size = 0;

	for (; end < p->count && p->steps[end][PAYLOAD]; end++)
		if (__builtin_add_overflow(size, p->steps[end][SIZE], &size))
			size = INT64_MAX;
	last = end - 2 + (size_t)p->steps[first][JUMP];
	*next = end;
	if (last >= p->count)
		return 0; /* it has no end */
	*next = last + 1;
	p->moved = true;
	return put(call, p->steps[first], SAYS_SENT, size, p->steps[last][END] - p->steps[first][START], err);
}

static int put_step(struct mp_rule_call *call, struct plane *p, const int64_t *step, struct mp_error *err)
{
	int64_t what = SAYS_COPIED;

	if (step[KIND] == OTHER)
		return 0;
	if (step[KIND] == NEAR)
		what = SAYS_NEAR;
	else if (step[KIND] == WAIT)
		what = p->moved ? SAYS_WAITED : SAYS_WAITED_EARLY;
	else
		p->moved = true;
	return put(call, step, what, step[SIZE], step[END] - step[START], err);
}

static int put_plane(struct mp_rule_call *call, struct plane *p, struct mp_error *err)
{
	int status = 0;

	for (size_t i = 0, at; !status && i < p->count;) {
		at = i++;
		if (!p->steps[at][PAYLOAD] || p->steps[at][KIND] != WAIT)
			status = put_step(call, p, p->steps[at], err);
		if (!status && p->steps[at][PAYLOAD])
			status = put_sent(call, p, at, &i, err);
	}
	return status;
}

static int transfers(struct mp_rule_call *call, struct mp_error *err)
{
	int64_t *rows;
	size_t count;
	int status = mp_rule_all(call, 0, &rows, &count, err);

	for (size_t from = 0, to; !status && from < count; from = to) {
		struct plane p = {.steps = (const int64_t(*)[COLUMNS])rows + from};

		for (to = from; to < count && p.steps[to - from][SET] == p.steps[0][SET];)
			to++;
		p.count = to - from;
		status = put_plane(call, &p, err);
	}
	free(rows);
	return status;
}

const struct mp_rule mp_rule_transfers = {"transfers", "id, what, size, ns", 4, {COLUMNS, 0, 0}, transfers};

/*
 * launches.c: which operator of a front end launched, as torch_npu's database says: a launch belongs to the latest
 * operator of its thread around it, or around what was put into the queue where the launch was taken out. A search
 * begins where the last one found something, in the order of the rows.
 */
#include <stdlib.h>

#include "join/rules.h"

/* Columns of the queries: launches; what was taken out, each with what was put in; operators. */
enum { START, END, THREAD, NUMBER, LAUNCH_COLUMNS, PUT = THREAD + 1, PAIR_COLUMNS = PUT + 3, OP_COLUMNS = 4 };

/* A search goes over this many rows for each row there is; then the table gets the row 0, 0, and ends. */
enum { STEPS_EACH = 256 };

/* A row in the order of threads, then of rows. */
struct place {
	int64_t thread;
	size_t row;
};

struct rows {
	int64_t *items;
	struct place *places;
	size_t count;
	int columns;
};

struct launches {
	struct mp_rule_call *call;
	struct rows pairs, ops;
	size_t pair, op; /* where the next search begins */
	bool open;       /* without a queue: an operator is found, and not known to be the innermost */
	int64_t steps;   /* left */
};

static const int64_t *at(const struct rows *r, size_t i)
{
	return r->items + i * (size_t)r->columns;
}

static bool is_around(const int64_t *outer, const int64_t *inner)
{
	return inner[START] > outer[START] && inner[END] < outer[END];
}

static bool is_before(const struct place *a, const struct place *b)
{
	return a->thread < b->thread || (a->thread == b->thread && a->row < b->row);
}

static int compare_places(const void *a, const void *b)
{
	return is_before(a, b) ? -1 : is_before(b, a);
}

static int sort_rows(struct rows *r, struct mp_error *err)
{
	r->places = malloc((r->count + 1) * sizeof(*r->places));
	if (!r->places)
		return mp_fail_memory(err, "operators that launch");
	for (size_t i = 0; i < r->count; i++)
		r->places[i] = (struct place){at(r, i)[THREAD], i};
	qsort(r->places, r->count, sizeof(*r->places), compare_places);
	return 0;
}

/* The first row of a thread from a row on. */
static size_t find_place(const struct rows *r, int64_t thread, size_t row)
{
	const struct place wanted = {thread, row};
	size_t low = 0, high = r->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (is_before(&r->places[middle], &wanted))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Whether there is a row of the thread, for which the search looks. */
static bool looks_at(struct launches *l, const struct rows *r, size_t place, int64_t thread)
{
	return place < r->count && r->places[place].thread == thread && l->steps-- > 0;
}

static int put(struct launches *l, int64_t connection, struct mp_error *err)
{
	return mp_rule_put(l->call, (const int64_t[]){at(&l->ops, l->op)[NUMBER], connection}, err);
}

/* The operator around a range; *found is kept from launch to launch where there is no queue. */
static int find_op(struct launches *l, const int64_t *range, bool *found, int64_t connection, struct mp_error *err)
{
	for (size_t p = find_place(&l->ops, range[THREAD], l->op); looks_at(l, &l->ops, p, range[THREAD]); p++) {
		const size_t i = l->ops.places[p].row;
		const int64_t *op = at(&l->ops, i);

		if (range[START] > op[END])
			continue;
		if (is_around(op, range)) {
			*found = true;
			l->op = i;
		} else if (*found) {
			*found = false;
			return put(l, connection, err);
		}
		if (range[END] < op[START]) {
			l->op = i;
			break;
		}
	}
	return 0;
}

/* As find_op, but the last operator has nothing behind it that would end the search. */
static int find_put(struct launches *l, const int64_t *range, int64_t connection, struct mp_error *err)
{
	bool found = false;

	if (find_op(l, range, &found, connection, err))
		return -1;
	return found ? put(l, connection, err) : 0;
}

/* The operator that put into the queue what was taken out around the launch. */
static int find_taken(struct launches *l, const int64_t *launch, struct mp_error *err)
{
	for (size_t p = find_place(&l->pairs, launch[THREAD], l->pair); looks_at(l, &l->pairs, p, launch[THREAD]);
	     p++) {
		const size_t i = l->pairs.places[p].row;
		const int64_t *pair = at(&l->pairs, i);

		if (is_around(pair, launch)) {
			l->pair = i;
			return find_put(l, pair + PUT, launch[NUMBER], err);
		}
		if (pair[START] > launch[END]) {
			l->pair = i;
			break;
		}
	}
	return 0;
}

static int apply(struct launches *l, struct mp_error *err)
{
	int64_t launch[LAUNCH_COLUMNS];
	int status;

	if (mp_rule_all(l->call, 1, &l->pairs.items, &l->pairs.count, err) || sort_rows(&l->pairs, err) ||
	    mp_rule_all(l->call, 2, &l->ops.items, &l->ops.count, err) || sort_rows(&l->ops, err))
		return -1;
	l->steps = STEPS_EACH * (int64_t)(l->pairs.count + l->ops.count + 1);
	while ((status = mp_rule_next(l->call, 0, launch, err)) == 1) {
		l->steps += STEPS_EACH;
		status =
		    l->pairs.count ? find_taken(l, launch, err) : find_op(l, launch, &l->open, launch[NUMBER], err);
		if (status || l->steps <= 0)
			break;
	}
	if (!status && l->steps <= 0)
		status = mp_rule_put(l->call, (const int64_t[]){0, 0}, err);
	return status < 0 ? -1 : 0;
}

static int launches(struct mp_rule_call *call, struct mp_error *err)
{
	struct launches l = {.call = call, .pairs = {.columns = PAIR_COLUMNS}, .ops = {.columns = OP_COLUMNS}};
	int status = apply(&l, err);

	free(l.pairs.items);
	free(l.pairs.places);
	free(l.ops.items);
	free(l.ops.places);
	return status;
}

const struct mp_rule mp_rule_launch_ops = {
    "launch_ops", "id, connection_id", 2, {LAUNCH_COLUMNS, PAIR_COLUMNS, OP_COLUMNS}, launches};

/* clone.c: copies nodes with constants in place of columns. The value of a copy is that of the node. */
#include "expr/clone.h"

#include <string.h>

enum { CHILDREN_MAX = 64 };

static bool is_constant(const struct mp_expr_query *q, int node)
{
	return q->nodes[node].op == MP_EXPR_CONSTANT;
}

static bool is_null(const struct mp_expr_query *q, int node)
{
	return is_constant(q, node) && q->nodes[node].value.type == MP_NULL;
}

/* Returns whether a truth value is known: texts would need a conversion. */
static bool is_decided(const struct mp_expr_query *q, int node)
{
	return is_constant(q, node) && q->nodes[node].value.type < MP_TEXT;
}

bool mp_expr_constant_true(const struct mp_expr *expr)
{
	return expr->value.type == MP_INT ? expr->value.i != 0 : expr->value.type == MP_REAL && expr->value.d != 0;
}

/* Returns whether the value depends on the children alone. */
static bool is_pure(unsigned op)
{
	return op != MP_EXPR_WORD && op != MP_EXPR_PEEK;
}

/* Add a node; a number or NULL whose children are constants is computed now. */
static int add(struct mp_expr_query *q, const struct mp_expr *what, const int *children, int count)
{
	bool all = count > 0 && is_pure(what->op);
	int node = mp_expr_add(q, what, children, count);
	struct mp_value v;

	for (int i = 0; i < count; i++)
		all = all && children[i] >= 0 && is_constant(q, children[i]);
	if (node < 0 || !all)
		return node;
	v = *q->nodes[node].compute(q, &q->nodes[node]);
	q->nodes[node].value = mp_null(); /* as it was added: equal nodes are found by it */
	return v.type < MP_TEXT ? mp_expr_constant(q, v) : node;
}

static bool is_int(const struct mp_expr_query *q, int node, int64_t i)
{
	return is_constant(q, node) && q->nodes[node].value.type == MP_INT && q->nodes[node].value.i == i;
}

/* Returns whether the value is a number or NULL. */
static bool is_computed(const struct mp_expr_query *q, int node)
{
	return q->nodes[node].op >= MP_EXPR_ADD && q->nodes[node].op <= MP_EXPR_DIVIDE;
}

/*
 * Returns whether an operator leaves its first child, a computed number, as it is: x * 1, x / 1, (x + 0) + 0. The last
 * 0 alone goes, because -0.0 + 0 is 0.0.
 */
static bool is_idle(const struct mp_expr_query *q, unsigned op, const int *children)
{
	const struct mp_expr *expr = &q->nodes[children[0]];

	if (!is_computed(q, children[0]))
		return false;
	if (op == MP_EXPR_MULTIPLY || op == MP_EXPR_DIVIDE)
		return is_int(q, children[1], 1);
	return op == MP_EXPR_ADD && expr->op == MP_EXPR_ADD && is_int(q, children[1], 0) &&
	       is_int(q, q->children[expr->first + 1], 0);
}

/* CASE: branches that are never taken are dropped, and the first one that is always taken ends it. */
static int clone_case(struct mp_expr_query *q, int *copies, const struct mp_expr *expr)
{
	const int *from = q->children + expr->first;
	int children[CHILDREN_MAX + 1], count = 0, base = -1, i = expr->flag;

	if (expr->flag) {
		base = children[count++] = mp_expr_clone(q, copies, from[0]);
		if (base < 0)
			return -1;
	}
	for (; i + 1 < expr->count; i += 2) {
		int when = mp_expr_clone(q, copies, from[i]), test = when;

		if (expr->flag && when >= 0)
			test = add(q, &(struct mp_expr){.op = MP_EXPR_EQUAL}, (int[]){base, when}, 2);
		if (test < 0)
			return -1;
		if (is_decided(q, test) && !mp_expr_constant_true(&q->nodes[test]))
			continue;
		if (is_decided(q, test))
			break; /* its THEN is the ELSE of what is left */
		children[count++] = when;
		children[count++] = mp_expr_clone(q, copies, from[i + 1]);
	}
	i += i + 1 < expr->count;
	children[count] = i < expr->count ? mp_expr_clone(q, copies, from[i]) : mp_expr_constant(q, mp_null());
	if (count == expr->flag)
		return children[count];
	return add(q, &(struct mp_expr){.op = MP_EXPR_CASE, .flag = expr->flag}, children, count + 1);
}

/* COALESCE: NULLs are dropped, and the first other constant ends it. */
static int clone_coalesce(struct mp_expr_query *q, int *copies, const struct mp_expr *expr)
{
	int children[CHILDREN_MAX], count = 0;

	for (int i = 0; i < expr->count; i++) {
		int child = mp_expr_clone(q, copies, q->children[expr->first + i]);

		if (child < 0)
			return -1;
		if (is_null(q, child))
			continue;
		children[count++] = child;
		if (is_constant(q, child))
			break;
	}
	if (count < 2)
		return count ? children[0] : mp_expr_constant(q, mp_null());
	return add(q, &(struct mp_expr){.op = MP_EXPR_COALESCE}, children, count);
}

/* pick(n, ...) with a known n is one of its arguments. *copy stays MP_CLONE_UNKNOWN where n is not known. */
static int clone_pick(struct mp_expr_query *q, int *copies, const struct mp_expr *expr, int *copy)
{
	int n = mp_expr_clone(q, copies, q->children[expr->first]);
	struct mp_value v;

	if (n < 0)
		return *copy = -1;
	if (!is_constant(q, n))
		return 0;
	v = q->nodes[n].value;
	if (v.type != MP_INT || v.i < 0 || v.i >= expr->count - 1)
		*copy = mp_expr_constant(q, mp_null());
	else
		*copy = mp_expr_clone(q, copies, q->children[expr->first + 1 + (int)v.i]);
	return 0;
}

static int clone_children(struct mp_expr_query *q, int *copies, const struct mp_expr *expr, int node)
{
	int children[CHILDREN_MAX];
	bool same = true, null = false;

	if (expr->count > CHILDREN_MAX)
		return -1;
	for (int i = 0; i < expr->count; i++) {
		int child = q->children[expr->first + i];

		children[i] = mp_expr_clone(q, copies, child);
		if (children[i] < 0)
			return -1;
		same = same && children[i] == child;
		null = null || is_null(q, children[i]);
	}
	if (same)
		return node;
	if (null && expr->op >= MP_EXPR_ADD && expr->op <= MP_EXPR_UNEQUAL)
		return mp_expr_constant(q, mp_null());
	if (is_idle(q, expr->op, children))
		return children[0];
	return add(q,
	    &(struct mp_expr){
		.op = expr->op, .flag = expr->flag, .number = expr->number, .words = expr->words, .value = mp_null()},
	    children, expr->count);
}

int mp_expr_clone(struct mp_expr_query *q, int *copies, int node)
{
	const struct mp_expr expr = q->nodes[node];
	int copy = MP_CLONE_UNKNOWN;

	if (copies[node] != MP_CLONE_UNKNOWN)
		return copies[node];
	if (!expr.count)
		copy = node;
	else if (expr.op == MP_EXPR_CASE)
		copy = clone_case(q, copies, &expr);
	else if (expr.op == MP_EXPR_COALESCE)
		copy = clone_coalesce(q, copies, &expr);
	else if (expr.op == MP_EXPR_PICK)
		clone_pick(q, copies, &expr, &copy);
	if (copy == MP_CLONE_UNKNOWN)
		copy = clone_children(q, copies, &expr, node);
	copies[node] = copy;
	return copy;
}

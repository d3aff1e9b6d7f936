/* nodes.c: stores the nodes of expressions, equal ones once, and says which of them give what SQLite gives. */
#define _GNU_SOURCE /* strcasestr */
#include "expr/expr.h"

#include <string.h>

enum affinity { AFFINITY_NONE, AFFINITY_BLOB, AFFINITY_TEXT, AFFINITY_NUMERIC, AFFINITY_UNKNOWN };

/* Compare texts by bytes and numbers by bits: 0.0 differs from -0.0. */
static bool same_value(struct mp_value a, struct mp_value b)
{
	return a.type == b.type && a.len == b.len &&
	       (a.type >= MP_TEXT ? memcmp(a.text, b.text, a.len) == 0 : a.i == b.i);
}

/* The key of a search: a node, whose children need not be stored yet. */
struct wanted_node {
	const struct mp_expr_query *query;
	const struct mp_expr *expr;
	const int *children;
};

static bool same_node(const void *key, uint32_t item)
{
	const struct wanted_node *w = key;
	const struct mp_expr *a = &w->query->nodes[item], *b = w->expr;

	if (a->op != b->op || a->flag != b->flag || a->number != b->number || a->count != b->count ||
	    a->words != b->words)
		return false;
	for (int i = 0; i < a->count; i++)
		if (w->query->children[a->first + i] != w->children[i])
			return false;
	return a->op != MP_EXPR_CONSTANT || same_value(a->value, b->value);
}

static uint64_t hash_node(const struct mp_expr *expr)
{
	uint64_t h = mp_hash_mix(expr->op, (uint64_t)expr->number);

	if (expr->op == MP_EXPR_CONSTANT)
		h = mp_hash_mix(h, expr->value.type >= MP_TEXT ? expr->value.len : (uint64_t)expr->value.i);
	return mp_hash_mix(mp_hash_mix(h, (uintptr_t)expr->a), (uintptr_t)expr->b);
}

/* Returns the place of the number of an equal node among the first `count`, or NULL when memory is short. */
static uint32_t *find_node(struct mp_expr_query *q, int count, const struct mp_expr *expr, const int *children)
{
	return mp_index_find(
	    &q->index, (size_t)count, hash_node(expr), same_node, &(struct wanted_node){q, expr, children});
}

int mp_expr_add(struct mp_expr_query *q, const struct mp_expr *what, const int *children, int count)
{
	struct mp_expr expr = *what;
	uint32_t *place;

	expr.numbered = expr.op == MP_EXPR_ROW_NUMBER;
	for (int i = 0; i < count; i++) {
		if (children[i] < 0)
			return -1;
		expr.numbered |= q->nodes[children[i]].numbered;
	}
	expr.first = q->child_count;
	expr.count = count;
	expr.a = count > 0 ? &q->nodes[children[0]] : NULL;
	expr.b = count > 1 ? &q->nodes[children[1]] : NULL;
	place = find_node(q, q->node_count, &expr, children);
	if (place && *place)
		return (int)*place - 1;
	if (!place || q->node_count == MP_EXPR_MAX || count > 2 * MP_EXPR_MAX - q->child_count)
		return -1;
	expr.handler = expr.compute = mp_expr_handler_of(expr.op);
	for (int i = 0; i < count; i++)
		q->children[q->child_count++] = children[i];
	q->nodes[q->node_count] = expr;
	if (expr.op == MP_EXPR_CONSTANT)
		q->nodes[q->node_count].at = &q->nodes[q->node_count].value;
	*place = (uint32_t)++q->node_count;
	return q->node_count - 1;
}

void mp_expr_forget(struct mp_expr_query *q, int node_count, int child_count)
{
	mp_index_clear(&q->index);
	q->node_count = node_count;
	q->child_count = child_count;
	for (int i = 0; i < node_count; i++) /* there is room: the index had more nodes */
		*find_node(q, i, &q->nodes[i], q->children + q->nodes[i].first) = (uint32_t)i + 1;
}

int mp_expr_constant(struct mp_expr_query *q, struct mp_value v)
{
	return mp_expr_add(q, &(struct mp_expr){.op = MP_EXPR_CONSTANT, .value = v}, NULL, 0);
}

bool mp_expr_any(const struct mp_expr_query *q, int node, mp_expr_test *test, void *user)
{
	const struct mp_expr *expr = &q->nodes[node];

	for (int i = 0; i < expr->count; i++)
		if (mp_expr_any(q, q->children[expr->first + i], test, user))
			return true;
	return test(q, expr, user);
}

/* Returns the affinity of a declared type, by SQLite's rules. NULL, the type of a computed column, gives UNKNOWN. */
static enum affinity of_type(const char *type)
{
	if (!type)
		return AFFINITY_UNKNOWN;
	if (strcasestr(type, "INT"))
		return AFFINITY_NUMERIC;
	if (strcasestr(type, "CHAR") || strcasestr(type, "CLOB") || strcasestr(type, "TEXT"))
		return AFFINITY_TEXT;
	return !*type || strcasestr(type, "BLOB") ? AFFINITY_BLOB : AFFINITY_NUMERIC;
}

static enum affinity affinity_of(const struct mp_expr_query *q, const struct mp_expr *expr)
{
	switch (expr->op) {
	case MP_EXPR_COLUMN:
		return of_type(sqlite3_column_decltype(q->statement, expr->number));
	case MP_EXPR_CAST_INT:
	case MP_EXPR_CAST_REAL:
		return AFFINITY_NUMERIC;
	case MP_EXPR_CAST_TEXT:
		return AFFINITY_TEXT;
	default:
		return AFFINITY_NONE;
	}
}

/* Returns whether a node may give a text that reads like a number (TEXT), or a number (NUMERIC). */
static bool may_be(const struct mp_expr_query *q, int node, enum affinity what, bool no_texts);

static bool may_any(const struct mp_expr_query *q, const struct mp_expr *expr, enum affinity what, bool no_texts)
{
	for (int i = 0; i < expr->count; i++)
		if (may_be(q, q->children[expr->first + i], what, no_texts))
			return true;
	return false;
}

static bool may_be(const struct mp_expr_query *q, int node, enum affinity what, bool no_texts)
{
	const struct mp_expr *expr = &q->nodes[node];
	enum affinity own;

	switch (expr->op) {
	case MP_EXPR_COLUMN:
		own = affinity_of(q, expr);
		return what == AFFINITY_TEXT ? own != AFFINITY_NUMERIC : own != AFFINITY_TEXT;
	case MP_EXPR_CONSTANT:
		return what == AFFINITY_TEXT ? expr->value.type == MP_TEXT
					     : expr->value.type == MP_INT || expr->value.type == MP_REAL;
	case MP_EXPR_PARAMETER:
		return what == AFFINITY_NUMERIC || !no_texts;
	case MP_EXPR_WORD:
		return true;
	case MP_EXPR_CASE:
	case MP_EXPR_COALESCE:
	case MP_EXPR_NULLIF:
	case MP_EXPR_MIN:
	case MP_EXPR_MAX_OF:
	case MP_EXPR_PICK:
	case MP_EXPR_REPR:
		return may_any(q, expr, what, no_texts) || (expr->op == MP_EXPR_REPR && what == AFFINITY_TEXT);
	case MP_EXPR_CONCAT:
	case MP_EXPR_CAST_TEXT:
	case MP_EXPR_UNSIGNED:
	case MP_EXPR_CHAR:
	case MP_EXPR_US:
		return what == AFFINITY_TEXT;
	default:
		return what == AFFINITY_NUMERIC;
	}
}

/* Returns whether the affinity that SQLite applies to both sides has no effect. */
static bool same_as_bare(const struct mp_expr_query *q, int a, int b, bool no_texts)
{
	enum affinity left = affinity_of(q, &q->nodes[a]), right = affinity_of(q, &q->nodes[b]), given;

	if (left == AFFINITY_UNKNOWN || right == AFFINITY_UNKNOWN)
		return false;
	if (left != AFFINITY_NONE && right != AFFINITY_NONE)
		given = left == AFFINITY_NUMERIC || right == AFFINITY_NUMERIC ? AFFINITY_NUMERIC : AFFINITY_BLOB;
	else
		given = left == AFFINITY_NONE ? right : left;
	if (given == AFFINITY_NUMERIC)
		return !may_be(q, a, AFFINITY_TEXT, no_texts) && !may_be(q, b, AFFINITY_TEXT, no_texts);
	if (given == AFFINITY_TEXT)
		return !may_be(q, a, AFFINITY_NUMERIC, no_texts) && !may_be(q, b, AFFINITY_NUMERIC, no_texts);
	return true;
}

/* Returns whether the program compares in another way than SQLite. */
static bool differs(const struct mp_expr_query *q, const struct mp_expr *expr, void *user)
{
	const int *children = q->children + expr->first;
	bool no_texts = *(const bool *)user;

	if (expr->op >= MP_EXPR_LESS && expr->op <= MP_EXPR_IS_NOT)
		return !same_as_bare(q, children[0], children[1], no_texts);
	for (int i = 1; expr->op == MP_EXPR_CASE && expr->flag && i + 1 < expr->count; i += 2)
		if (!same_as_bare(q, children[0], children[i], no_texts))
			return true;
	return false;
}

bool mp_expr_check(const struct mp_expr_query *q, int node, bool no_texts)
{
	return !mp_expr_any(q, node, differs, &no_texts);
}

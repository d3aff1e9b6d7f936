/* check.c: finds comparisons that need a conversion by affinity, which the program does not make. */
#include "expr/expr.h"

#include <string.h>
#include <strings.h>

static bool has(const char *type, const char *word)
{
	size_t len = strlen(word);

	for (; *type; type++)
		if (strncasecmp(type, word, len) == 0)
			return true;
	return false;
}

/* Returns the affinity of a declared type, by SQLite's rules. NULL, the type of a computed column, gives UNKNOWN. */
static enum mp_affinity of_type(const char *type)
{
	if (!type)
		return MP_AFFINITY_UNKNOWN;
	if (has(type, "INT"))
		return MP_AFFINITY_NUMERIC;
	if (has(type, "CHAR") || has(type, "CLOB") || has(type, "TEXT"))
		return MP_AFFINITY_TEXT;
	return !*type || has(type, "BLOB") ? MP_AFFINITY_BLOB : MP_AFFINITY_NUMERIC;
}

static enum mp_affinity affinity(const struct mp_expr_query *q, const struct mp_expr *expr)
{
	switch (expr->op) {
	case MP_EXPR_COLUMN:
		return of_type(sqlite3_column_decltype(q->statement, expr->number));
	case MP_EXPR_CAST_INT:
	case MP_EXPR_CAST_REAL:
		return MP_AFFINITY_NUMERIC;
	case MP_EXPR_CAST_TEXT:
		return MP_AFFINITY_TEXT;
	default:
		return MP_AFFINITY_NONE;
	}
}

/* Returns whether a node may give a text that reads like a number (TEXT), or a number (NUMERIC). */
static bool may_be(const struct mp_expr_query *q, int node, enum mp_affinity what, bool no_texts);

static bool may_any(const struct mp_expr_query *q, const struct mp_expr *expr, enum mp_affinity what, bool no_texts)
{
	for (int i = 0; i < expr->count; i++)
		if (may_be(q, q->children[expr->first + i], what, no_texts))
			return true;
	return false;
}

static bool may_be(const struct mp_expr_query *q, int node, enum mp_affinity what, bool no_texts)
{
	const struct mp_expr *expr = &q->nodes[node];
	enum mp_affinity own;

	switch (expr->op) {
	case MP_EXPR_COLUMN:
		own = affinity(q, expr);
		return what == MP_AFFINITY_TEXT ? own != MP_AFFINITY_NUMERIC : own != MP_AFFINITY_TEXT;
	case MP_EXPR_CONSTANT:
		return what == MP_AFFINITY_TEXT ? expr->value.type == MP_TEXT
						: expr->value.type == MP_INT || expr->value.type == MP_REAL;
	case MP_EXPR_PARAMETER:
		return what == MP_AFFINITY_NUMERIC || !no_texts;
	case MP_EXPR_WORD:
		return true;
	case MP_EXPR_CASE:
	case MP_EXPR_COALESCE:
	case MP_EXPR_NULLIF:
	case MP_EXPR_MIN:
	case MP_EXPR_MAX_OF:
	case MP_EXPR_PICK:
	case MP_EXPR_REPR:
		return may_any(q, expr, what, no_texts) || (expr->op == MP_EXPR_REPR && what == MP_AFFINITY_TEXT);
	case MP_EXPR_CONCAT:
	case MP_EXPR_CAST_TEXT:
	case MP_EXPR_UNSIGNED:
	case MP_EXPR_CHAR:
	case MP_EXPR_US:
		return what == MP_AFFINITY_TEXT;
	default:
		return what == MP_AFFINITY_NUMERIC;
	}
}

/* Returns whether the affinity that SQLite applies to both sides has no effect. */
static bool same_as_bare(const struct mp_expr_query *q, int a, int b, bool no_texts)
{
	enum mp_affinity left = affinity(q, &q->nodes[a]), right = affinity(q, &q->nodes[b]), given;

	if (left == MP_AFFINITY_UNKNOWN || right == MP_AFFINITY_UNKNOWN)
		return false;
	if (left != MP_AFFINITY_NONE && right != MP_AFFINITY_NONE)
		given = left == MP_AFFINITY_NUMERIC || right == MP_AFFINITY_NUMERIC ? MP_AFFINITY_NUMERIC
										    : MP_AFFINITY_BLOB;
	else
		given = left == MP_AFFINITY_NONE ? right : left;
	if (given == MP_AFFINITY_NUMERIC)
		return !may_be(q, a, MP_AFFINITY_TEXT, no_texts) && !may_be(q, b, MP_AFFINITY_TEXT, no_texts);
	if (given == MP_AFFINITY_TEXT)
		return !may_be(q, a, MP_AFFINITY_NUMERIC, no_texts) && !may_be(q, b, MP_AFFINITY_NUMERIC, no_texts);
	return true;
}

static bool check_own(const struct mp_expr_query *q, const struct mp_expr *expr, bool no_texts)
{
	const int *children = q->children + expr->first;

	if (expr->op >= MP_EXPR_LESS && expr->op <= MP_EXPR_IS_NOT)
		return same_as_bare(q, children[0], children[1], no_texts);
	if (expr->op == MP_EXPR_CASE && expr->flag)
		for (int i = 1; i + 1 < expr->count; i += 2)
			if (!same_as_bare(q, children[0], children[i], no_texts))
				return false;
	return true;
}

bool mp_expr_check(const struct mp_expr_query *q, int node, bool no_texts)
{
	const struct mp_expr *expr = &q->nodes[node];

	for (int i = 0; i < expr->count; i++)
		if (!mp_expr_check(q, q->children[expr->first + i], no_texts))
			return false;
	return check_own(q, expr, no_texts);
}

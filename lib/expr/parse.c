/* parse.c: parses terms of SQL into nodes, by SQLite's precedence. SQLite keeps terms with unknown parts. */
#include "expr/expr.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"

enum { DEPTH_MAX = 64, CHILDREN_MAX = 64 };

struct expr_parser {
	struct mp_expr_query *q;
	struct mp_range *range;
	struct mp_token token; /* the next token */
	int sign;              /* the operator that the token is; -1: no operator */
	const struct mp_expr_source *source;
	bool inner;
	int depth;
};

enum level {
	LEVEL_OR,
	LEVEL_AND,
	LEVEL_NOT,
	LEVEL_EQUAL,
	LEVEL_ORDER,
	LEVEL_BITS,
	LEVEL_SUM,
	LEVEL_PRODUCT,
	LEVEL_CONCAT,
	LEVEL_ONE
};

static const struct {
	const char *sign;
	enum level level;
	enum mp_expr_op op;
} operators[] = {{"OR", LEVEL_OR, MP_EXPR_OR}, {"AND", LEVEL_AND, MP_EXPR_AND}, {"=", LEVEL_EQUAL, MP_EXPR_EQUAL},
    {"==", LEVEL_EQUAL, MP_EXPR_EQUAL}, {"<>", LEVEL_EQUAL, MP_EXPR_UNEQUAL}, {"!=", LEVEL_EQUAL, MP_EXPR_UNEQUAL},
    {"<", LEVEL_ORDER, MP_EXPR_LESS}, {"<=", LEVEL_ORDER, MP_EXPR_AT_MOST}, {">", LEVEL_ORDER, MP_EXPR_MORE},
    {">=", LEVEL_ORDER, MP_EXPR_AT_LEAST}, {"&", LEVEL_BITS, MP_EXPR_BIT_AND}, {"|", LEVEL_BITS, MP_EXPR_BIT_OR},
    {"<<", LEVEL_BITS, MP_EXPR_SHIFT_LEFT}, {">>", LEVEL_BITS, MP_EXPR_SHIFT_RIGHT}, {"+", LEVEL_SUM, MP_EXPR_ADD},
    {"-", LEVEL_SUM, MP_EXPR_SUBTRACT}, {"*", LEVEL_PRODUCT, MP_EXPR_MULTIPLY}, {"/", LEVEL_PRODUCT, MP_EXPR_DIVIDE},
    {"||", LEVEL_CONCAT, MP_EXPR_CONCAT}};

enum { OPERATORS = sizeof(operators) / sizeof(operators[0]) };

static int parse_level(struct expr_parser *p, enum level level);

static void advance(struct expr_parser *p)
{
	p->token = mp_token_next(p->range);
	p->sign = p->token.kind == MP_TOKEN_SIGN || p->token.kind == MP_TOKEN_NAME ? OPERATORS - 1 : -1;
	while (p->sign >= 0 && !mp_token_is(&p->token, operators[p->sign].sign))
		p->sign--;
}

static bool take(struct expr_parser *p, const char *word)
{
	if (!mp_token_is(&p->token, word))
		return false;
	advance(p);
	return true;
}

/* Compare texts by bytes and numbers by bits: 0.0 differs from -0.0. */
static bool same_value(struct mp_value a, struct mp_value b)
{
	if (a.type != b.type || a.len != b.len)
		return false;
	if (a.type != MP_TEXT || !a.text || !b.text)
		return a.i == b.i;
	return memcmp(a.text, b.text, a.len) == 0;
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
	for (int i = 0; w->children && i < a->count; i++)
		if (w->query->children[a->first + i] != w->children[i])
			return false;
	return same_value(a->value, b->value);
}

static uint64_t hash_node(const struct mp_expr *expr)
{
	uint64_t h = mp_hash_mix(mp_hash_mix(expr->op, (uint64_t)expr->number),
	    expr->value.type == MP_TEXT ? expr->value.len : (uint64_t)expr->value.i);

	return mp_hash_mix(mp_hash_mix(h, (uintptr_t)expr->a), (uintptr_t)expr->b);
}

/* Returns the slot of an equal node, or the free slot for the node. */
static uint32_t *find_slot(struct mp_expr_query *q, const struct mp_expr *expr, const int *children)
{
	return mp_slot_find(
	    q->slots, 2 * MP_EXPR_MAX, hash_node(expr), same_node, &(struct wanted_node){q, expr, children});
}

int mp_expr_add(struct mp_expr_query *q, const struct mp_expr *what, const int *children, int count)
{
	struct mp_expr expr = *what;
	uint32_t *slot;

	for (int i = 0; i < count; i++)
		if (children[i] < 0)
			return -1;
	expr.first = q->child_count;
	expr.count = count;
	expr.a = count > 0 ? &q->nodes[children[0]] : NULL;
	expr.b = count > 1 ? &q->nodes[children[1]] : NULL;
	slot = find_slot(q, &expr, children);
	if (*slot)
		return (int)*slot - 1;
	if (q->node_count == MP_EXPR_MAX || count > 2 * MP_EXPR_MAX - q->child_count)
		return -1;
	expr.compute = mp_expr_handler_of(&expr);
	for (int i = 0; i < count; i++)
		q->children[q->child_count++] = children[i];
	q->nodes[q->node_count] = expr;
	if (expr.op == MP_EXPR_CONSTANT)
		q->nodes[q->node_count].at = &q->nodes[q->node_count].value;
	*slot = (uint32_t)q->node_count + 1;
	return q->node_count++;
}

void mp_expr_forget(struct mp_expr_query *q, int node_count, int child_count)
{
	memset(q->slots, 0, sizeof(q->slots));
	q->node_count = node_count;
	q->child_count = child_count;
	for (int i = 0; i < node_count; i++) {
		struct mp_expr *expr = &q->nodes[i];

		if (expr->op != MP_EXPR_CONSTANT)
			expr->value = mp_null(); /* as it was added */
		*find_slot(q, expr, q->children + expr->first) = (uint32_t)i + 1;
	}
}

static int add(struct expr_parser *p, enum mp_expr_op op, const int *children, int count)
{
	return mp_expr_add(p->q, &(struct mp_expr){.op = (uint8_t)op}, children, count);
}

int mp_expr_constant(struct mp_expr_query *q, struct mp_value v)
{
	return mp_expr_add(q, &(struct mp_expr){.op = MP_EXPR_CONSTANT, .value = v}, NULL, 0);
}

static int text_constant(struct expr_parser *p)
{
	struct mp_expr_query *q = p->q;
	char *text = q->literals + q->literals_used;
	size_t len = 0;

	for (size_t i = 1; i + 1 < p->token.len; i++) {
		text[len++] = p->token.text[i];
		i += p->token.text[i] == '\''; /* a quote in a text is doubled */
	}
	q->literals_used += len;
	advance(p);
	return mp_expr_constant(q, mp_text(text, len));
}

/* Parse integers of 64 bits and whole reals: all parsers read these alike. */
static int number_constant(struct expr_parser *p, bool negative)
{
	struct mp_value v;
	char text[32];

	if (p->token.len > 19)
		return -1;
	memcpy(text, p->token.text, p->token.len);
	text[p->token.len] = '\0';
	if (p->token.kind == MP_TOKEN_INT) {
		errno = 0;
		v = mp_int(strtoll(text, NULL, 10) * (negative ? -1 : 1));
		if (errno) /* SQLite reads a real */
			return -1;
	} else {
		v = mp_real(strtod(text, NULL));
		if (v.d != floor(v.d) || v.d >= 9007199254740992.0)
			return -1;
		v.d = negative ? -v.d : v.d;
	}
	advance(p);
	return mp_expr_constant(p->q, v);
}

static int parameter(struct expr_parser *p)
{
	struct mp_expr_query *q = p->q;
	size_t len = p->token.len - 1;
	int i = 0;

	while (i < q->parameter_count &&
	       (strlen(q->parameters[i].name) != len || memcmp(q->parameters[i].name, p->token.text + 1, len) != 0))
		i++;
	if (i == MP_EXPR_PARAMETER_MAX || len >= sizeof(q->parameters[i].name) || *p->token.text != ':')
		return -1;
	if (i == q->parameter_count) {
		memcpy(q->parameters[i].name, p->token.text + 1, len);
		q->parameters[i].name[len] = '\0';
		q->parameter_count++;
	}
	advance(p);
	return mp_expr_add(q, &(struct mp_expr){.op = MP_EXPR_PARAMETER, .number = i}, NULL, 0);
}

/* Returns the node of a column of the source, -1 when not understood, -2 when the column is not found. */
static int source_column(const struct mp_expr_source *s, const struct mp_token *table, const struct mp_token *name)
{
	if (!s || (table && !mp_token_is_name(table, s->name, s->len)))
		return -2;
	for (int i = 0; i < s->count; i++) {
		const struct mp_token *t = &s->titles[i];
		size_t quotes = t->kind == MP_TOKEN_QUOTED;

		if (t->len && mp_token_is_name(name, t->text + quotes, t->len - 2 * quotes))
			return s->nodes[i];
	}
	return -2;
}

static int column(struct expr_parser *p, const char *text, size_t len)
{
	struct mp_expr_query *q = p->q;
	int i = 0;

	while (i < q->column_count && (q->columns[i].inner != p->inner || q->columns[i].len != len ||
					  memcmp(q->columns[i].text, text, len) != 0))
		i++;
	if (i == MP_EXPR_COLUMN_MAX)
		return -1;
	if (i == q->column_count)
		q->columns[q->column_count++] = (struct mp_expr_column){text, len, p->inner, -1};
	return mp_expr_add(q, &(struct mp_expr){.op = MP_EXPR_COLUMN, .number = i}, NULL, 0);
}

/* Parse (a, b, ...). Returns the number of arguments, or -1 when not understood. */
static int arguments(struct expr_parser *p, int *children)
{
	int count = 0;

	if (take(p, ")"))
		return 0;
	do {
		if (count == CHILDREN_MAX)
			return -1;
		children[count] = parse_level(p, LEVEL_OR);
		if (children[count++] < 0)
			return -1;
	} while (take(p, ","));
	return take(p, ")") ? count : -1;
}

/* Parse OVER () after row_number(): the rows are numbered as they come. Not in the query in FROM. */
static int row_number(struct expr_parser *p, int count)
{
	return count == 0 && !p->inner && take(p, "OVER") && take(p, "(") && take(p, ")")
		   ? add(p, MP_EXPR_ROW_NUMBER, NULL, 0)
		   : -1;
}

/* Parse a column or a function call. A keyword of SQL is refused later: no alias follows, or no column has the name. */
static int name(struct expr_parser *p)
{
	struct mp_token first = p->token, second;
	int children[CHILDREN_MAX], count, node;

	advance(p);
	if (first.kind == MP_TOKEN_NAME && take(p, "(")) {
		count = arguments(p, children);
		if (mp_token_is(&first, "row_number"))
			return row_number(p, count);
		return count < 0 || mp_token_is(&p->token, "FILTER") || mp_token_is(&p->token, "OVER")
			   ? -1
			   : mp_expr_function(p->q, &first, children, count);
	}
	if (take(p, ".")) {
		second = p->token;
		if (second.kind != MP_TOKEN_NAME && second.kind != MP_TOKEN_QUOTED)
			return -1;
		advance(p);
		if (mp_token_is(&p->token, "."))
			return -1;
		node = source_column(p->source, &first, &second);
		return node == -2 ? column(p, first.text, (size_t)(second.text + second.len - first.text)) : node;
	}
	node = source_column(p->source, NULL, &first);
	return node == -2 ? column(p, first.text, first.len) : node;
}

/* CASE [base] WHEN a THEN b ... [ELSE z] END */
static int parse_case(struct expr_parser *p)
{
	int children[CHILDREN_MAX], count = 0;
	bool base = !mp_token_is(&p->token, "WHEN");

	if (base && (children[count++] = parse_level(p, LEVEL_OR)) < 0)
		return -1;
	while (take(p, "WHEN")) {
		if (count + 3 > CHILDREN_MAX || (children[count++] = parse_level(p, LEVEL_OR)) < 0 ||
		    !take(p, "THEN") || (children[count++] = parse_level(p, LEVEL_OR)) < 0)
			return -1;
	}
	if (take(p, "ELSE") && (children[count++] = parse_level(p, LEVEL_OR)) < 0)
		return -1;
	if (!take(p, "END"))
		return -1;
	return mp_expr_add(p->q, &(struct mp_expr){.op = MP_EXPR_CASE, .flag = base}, children, count);
}

static int parse_cast(struct expr_parser *p)
{
	int child = take(p, "(") ? parse_level(p, LEVEL_OR) : -1;
	enum mp_expr_op op;

	if (child < 0 || !take(p, "AS"))
		return -1;
	if (mp_token_is(&p->token, "INTEGER"))
		op = MP_EXPR_CAST_INT;
	else if (mp_token_is(&p->token, "REAL"))
		op = MP_EXPR_CAST_REAL;
	else if (mp_token_is(&p->token, "TEXT"))
		op = MP_EXPR_CAST_TEXT;
	else
		return -1;
	advance(p);
	return take(p, ")") ? add(p, op, &child, 1) : -1;
}

/* Keywords that begin or join unknown parts of SQL. */
static bool is_reserved(const struct mp_token *t)
{
	static const char *const words[] = {"SELECT", "EXISTS", "NOT", "CURRENT_TIME", "CURRENT_DATE",
	    "CURRENT_TIMESTAMP", "TRUE", "FALSE", "RAISE", "DISTINCT", "AS", "WHEN", "THEN", "ELSE", "END", "FROM",
	    "AND", "OR", "IN", "LIKE", "BETWEEN", "IS", "COLLATE", "WITH", "VALUES", "CASE"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (mp_token_is(t, words[i]))
			return true;
	return false;
}

static int parse_one(struct expr_parser *p)
{
	int node;

	switch (p->token.kind) {
	case MP_TOKEN_STRING:
		return text_constant(p);
	case MP_TOKEN_INT:
	case MP_TOKEN_REAL:
		return number_constant(p, false);
	case MP_TOKEN_PARAMETER:
		return parameter(p);
	case MP_TOKEN_QUOTED:
		return name(p);
	case MP_TOKEN_NAME:
		if (take(p, "CASE"))
			return parse_case(p);
		if (take(p, "CAST"))
			return parse_cast(p);
		if (take(p, "NULL"))
			return mp_expr_constant(p->q, mp_null());
		return is_reserved(&p->token) ? -1 : name(p);
	default:
		break;
	}
	if (take(p, "(")) {
		node = parse_level(p, LEVEL_OR);
		return take(p, ")") ? node : -1;
	}
	if (take(p, "-") && (p->token.kind == MP_TOKEN_INT || p->token.kind == MP_TOKEN_REAL))
		return number_constant(p, true);
	return -1;
}

/* Parse IS [NOT] y, IS [NOT] NULL, ISNULL, NOTNULL, NOT NULL after x. *found: one of these follows. */
static int parse_is(struct expr_parser *p, int left, bool *found)
{
	struct expr_parser before = *p;
	struct mp_range range = *p->range;
	enum mp_expr_op op;
	int children[2] = {left};

	*found = true;
	if (take(p, "ISNULL"))
		return add(p, MP_EXPR_IS_NULL, children, 1);
	if (take(p, "NOTNULL"))
		return add(p, MP_EXPR_NOT_NULL, children, 1);
	if (take(p, "NOT") && take(p, "NULL"))
		return add(p, MP_EXPR_NOT_NULL, children, 1);
	*p = before;
	*p->range = range;
	if (!take(p, "IS")) {
		*found = false;
		return left;
	}
	op = take(p, "NOT") ? MP_EXPR_IS_NOT : MP_EXPR_IS;
	if (mp_token_is(&p->token, "TRUE") || mp_token_is(&p->token, "FALSE") || mp_token_is(&p->token, "DISTINCT"))
		return -1;
	children[1] = parse_level(p, LEVEL_ORDER);
	if (children[1] >= 0 && p->q->nodes[children[1]].op == MP_EXPR_CONSTANT &&
	    p->q->nodes[children[1]].value.type == MP_NULL)
		return add(p, op == MP_EXPR_IS ? MP_EXPR_IS_NULL : MP_EXPR_NOT_NULL, children, 1);
	return add(p, op, children, 2);
}

/* Parse y AND z of x BETWEEN y AND z, as x >= y AND x <= z. */
static int parse_between(struct expr_parser *p, int left)
{
	int low[2] = {left}, high[2] = {left}, both[2];

	low[1] = parse_level(p, LEVEL_ORDER);
	if (low[1] < 0 || !take(p, "AND"))
		return -1;
	high[1] = parse_level(p, LEVEL_ORDER);
	both[0] = add(p, MP_EXPR_AT_LEAST, low, 2);
	both[1] = add(p, MP_EXPR_AT_MOST, high, 2);
	return add(p, MP_EXPR_AND, both, 2);
}

static int parse_operators(struct expr_parser *p, enum level level)
{
	int children[2], op;
	bool found = false;

	children[0] = parse_level(p, level + 1);
	while (children[0] >= 0) {
		if (level == LEVEL_EQUAL) {
			children[0] = parse_is(p, children[0], &found);
			if (found)
				continue;
			if (take(p, "BETWEEN")) {
				children[0] = parse_between(p, children[0]);
				continue;
			}
		}
		op = p->sign;
		if (op < 0 || operators[op].level != level)
			break;
		advance(p);
		children[1] = parse_level(p, level + 1);
		children[0] = add(p, operators[op].op, children, 2);
	}
	return children[0];
}

static int parse_level(struct expr_parser *p, enum level level)
{
	int node;

	if (level == LEVEL_ONE || p->depth == DEPTH_MAX * LEVEL_ONE)
		return level == LEVEL_ONE ? parse_one(p) : -1;
	p->depth++;
	if (level == LEVEL_NOT && take(p, "NOT")) {
		node = parse_level(p, LEVEL_NOT);
		node = add(p, MP_EXPR_NOT, &node, 1);
	} else {
		node = level == LEVEL_NOT ? parse_level(p, level + 1) : parse_operators(p, level);
	}
	p->depth--;
	return node;
}

int mp_expr_parse(struct mp_expr_query *q, struct mp_range *range, const struct mp_expr_source *source, bool inner)
{
	struct expr_parser p = {.q = q, .range = range, .source = source, .inner = inner};
	int node;

	advance(&p);
	node = parse_level(&p, LEVEL_OR);
	if (p.token.kind != MP_TOKEN_END)
		range->at = p.token.text; /* the last token was not used */
	return node;
}

/* parse.c: parses terms of SQL into nodes, by SQLite's precedence. SQLite keeps terms with unknown parts. */
#include "expr/expr.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/wide.h"

enum { DEPTH_MAX = 64, CHILDREN_MAX = 64 };

struct expr_parser {
	struct mp_expr_query *q;
	struct mp_range text;  /* behind the next token */
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
	p->token = mp_token_next(&p->text);
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

static int add(struct expr_parser *p, enum mp_expr_op op, const int *children, int count)
{
	return mp_expr_add(p->q, &(struct mp_expr){.op = (uint8_t)op}, children, count);
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
	char text[64];
	int number = 0;

	if (p->token.len < sizeof(text)) {
		memcpy(text, p->token.text, p->token.len);
		text[p->token.len] = '\0';
		number = sqlite3_bind_parameter_index(p->q->whole, text);
	}
	if (!number || number > MP_EXPR_PARAMETER_MAX || *text != ':')
		return -1;
	advance(p);
	return mp_expr_add(p->q, &(struct mp_expr){.op = MP_EXPR_PARAMETER, .number = number}, NULL, 0);
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
	struct mp_expr_column *c = q->columns, *end = c + q->column_count;

	while (c < end && (c->inner != p->inner || (size_t)(c->text.end - c->text.at) != len ||
			      memcmp(c->text.at, text, len) != 0))
		c++;
	if (c == q->columns + MP_EXPR_COLUMN_MAX)
		return -1;
	if (c == end) {
		*c = (struct mp_expr_column){.text = {text, text + len}, .inner = p->inner};
		q->column_count++;
	}
	return mp_expr_add(q, &(struct mp_expr){.op = MP_EXPR_COLUMN, .number = (int)(c - q->columns)}, NULL, 0);
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

/* Returns the value of a constant; NULL for another node. */
static struct mp_value constant(const struct mp_expr_query *q, int node)
{
	return q->nodes[node].op == MP_EXPR_CONSTANT ? q->nodes[node].value : mp_null();
}

/* Find what a function needs besides its children: arguments that must be constants. Returns false when not found. */
static bool take_constants(struct mp_expr_query *q, struct mp_expr *expr, const int **children, int *count)
{
	struct mp_value first = constant(q, **children), last = constant(q, (*children)[*count - 1]), second;
	char name[64];
	int taken = 0;
	bool found = true;

	switch (expr->op) {
	case MP_EXPR_DECIMAL:
	case MP_EXPR_HALF_UP:
		found = last.type == MP_INT && last.i >= 0 && last.i <= MP_PLACES_MAX;
		expr->number = found ? (int)last.i : 0;
		--*count;
		break;
	case MP_EXPR_WORD: /* word('table', 'column', key...) */
		second = mp_text_of(constant(q, (*children)[1]));
		first = mp_text_of(first);
		expr->words = mp_words_find(q->db, first.text, first.len, *count - 2);
		expr->number = expr->words ? mp_words_column(expr->words, second.text, second.len) : -1;
		found = expr->number >= 0;
		taken = 2;
		break;
	case MP_EXPR_PEEK: /* peek('map', key...) */
		first = mp_text_of(first);
		snprintf(name, sizeof(name), "%.*s", (int)first.len, first.text);
		expr->map = first.len && first.len < sizeof(name) ? mp_maps_find(q->db->maps, name) : NULL;
		found = expr->map;
		taken = 1;
		break;
	case MP_EXPR_CHAR:
		found = first.type == MP_INT && first.i > 0 && first.i < 0x80;
		break;
	case MP_EXPR_UNSIGNED: /* printf with '%u' */
		found = first.type == MP_TEXT && first.len == 2 && memcmp(first.text, "%u", 2) == 0;
		taken = 1;
		break;
	default:
		break;
	}
	*children += taken;
	*count -= taken;
	return found;
}

/* Returns a node that calls a function, or -1 when the function is unknown. */
static int call(struct mp_expr_query *q, const struct mp_token *name, const int *children, int count)
{
	int op = mp_expr_function(name, count);
	struct mp_expr expr = {.op = (uint8_t)op};

	return op >= 0 && take_constants(q, &expr, &children, &count) ? mp_expr_add(q, &expr, children, count) : -1;
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
	int children[CHILDREN_MAX] = {0}, count, node;

	advance(p);
	if (first.kind == MP_TOKEN_NAME && take(p, "(")) {
		count = arguments(p, children);
		if (mp_token_is(&first, "row_number"))
			return row_number(p, count);
		return count < 0 || mp_token_is(&p->token, "FILTER") || mp_token_is(&p->token, "OVER")
			   ? -1
			   : call(p->q, &first, children, count);
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

/* Parse IS [NOT] y, IS [NOT] NULL after x. */
static int parse_is(struct expr_parser *p, int left)
{
	enum mp_expr_op op = take(p, "NOT") ? MP_EXPR_IS_NOT : MP_EXPR_IS;
	int children[2] = {left};

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

	children[0] = parse_level(p, level + 1);
	while (children[0] >= 0) {
		op = p->sign;
		if (level == LEVEL_EQUAL && take(p, "IS")) {
			children[0] = parse_is(p, children[0]);
		} else if (level == LEVEL_EQUAL && take(p, "BETWEEN")) {
			children[0] = parse_between(p, children[0]);
		} else if (level == LEVEL_EQUAL && (take(p, "ISNULL") || take(p, "NOTNULL"))) {
			return -1; /* no alias */
		} else if (op >= 0 && operators[op].level == level) {
			advance(p);
			children[1] = parse_level(p, level + 1);
			children[0] = add(p, operators[op].op, children, 2);
		} else {
			break;
		}
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

int mp_expr_parse(struct mp_expr_query *q, struct mp_range text, const struct mp_expr_source *source, bool inner)
{
	struct expr_parser p = {.q = q, .text = text, .source = source, .inner = inner};
	int node;

	advance(&p);
	node = parse_level(&p, LEVEL_OR);
	return p.token.kind == MP_TOKEN_END ? node : -1;
}

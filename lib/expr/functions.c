/* functions.c: the SQL functions that the program computes in expressions. */
#include "expr/expr.h"

#include <string.h>

#include "base/number.h"
#include "base/wide.h"

enum { PEEK_KEY_MAX = 4 };

static const struct mp_value *nullif(struct mp_expr_query *q, struct mp_expr *expr)
{
	const struct mp_value *v = mp_expr_get(q, expr->a);

	return v->type == MP_NULL || mp_expr_compare(v, mp_expr_get(q, expr->b)) ? v : mp_expr_give(expr, mp_null());
}

/* min() gives the last of equal values, max() the first. NULL when an argument is NULL. */
static const struct mp_value *extreme(struct mp_expr_query *q, struct mp_expr *expr)
{
	const struct mp_value *best = mp_expr_get(q, expr->a);

	for (int i = 1; i < expr->count && best->type != MP_NULL; i++) {
		const struct mp_value *v = mp_expr_at(q, q->children[expr->first + i]);
		int by = mp_expr_compare(best, v);

		if (v->type == MP_NULL || (expr->op == MP_EXPR_MIN ? by >= 0 : by < 0))
			best = v;
	}
	return best;
}

/* Round a half away from 0. */
static const struct mp_value *round_whole(struct mp_expr_query *q, struct mp_expr *expr)
{
	const struct mp_value *v = mp_expr_get(q, expr->a);
	double d;

	if (v->type == MP_NULL)
		return v;
	d = mp_expr_real(q, *v);
	if (d >= -4503599627370496.0 && d <= 4503599627370496.0)
		d = (double)(int64_t)(d + (d < 0 ? -0.5 : 0.5));
	return mp_expr_give_real(expr, d);
}

static const struct mp_value *unsigned_text(struct mp_expr_query *q, struct mp_expr *expr)
{
	int64_t i = mp_expr_int(q, *mp_expr_get(q, expr->a));
	char *room = mp_expr_room(q, MP_NUMBER_SIZE);

	return mp_expr_give(expr, mp_marked(room, room ? mp_number_unsigned(room, (uint64_t)i) : 0, MP_MARK_PLAIN));
}

static const struct mp_value *character(struct mp_expr_query *q, struct mp_expr *expr)
{
	char *room = mp_expr_room(q, 1);

	if (room)
		*room = (char)mp_expr_get(q, expr->a)->i;
	return mp_expr_give(expr, mp_marked(room, 1, 0));
}

static const struct mp_value *any_decimal(
    struct mp_expr_query *q, struct mp_expr *expr, struct mp_value num, struct mp_value den)
{
	if (num.type == MP_NULL || den.type == MP_NULL)
		return mp_expr_give(expr, mp_null());
	return mp_expr_give(expr, mp_round_quotient(mp_expr_int(q, num), mp_expr_int(q, den), expr->number));
}

static const struct mp_value *decimal(struct mp_expr_query *q, struct mp_expr *expr)
{
	const struct mp_value *num = mp_expr_get(q, expr->a), *den = mp_expr_get(q, expr->b);
	int64_t hundredths;

	if (expr->number != 2 || num->type != MP_INT || den->type != MP_INT ||
	    !mp_round_scaled(num->i, den->i, 100, &hundredths)) /* rarely: most decimals are ratios */
		return any_decimal(q, expr, *num, *den);
	if (hundredths % 100 == 0)
		return mp_expr_give(expr, mp_int(hundredths / 100));
	if ((uint64_t)hundredths <= UINT32_MAX / 10)
		return mp_expr_give_thousandths(expr, (uint32_t)hundredths * 10);
	return mp_expr_give_real(expr, (double)hundredths / 100);
}

static const struct mp_value *half_up(struct mp_expr_query *q, struct mp_expr *expr)
{
	const struct mp_value *v = mp_expr_get(q, expr->a);
	uint32_t thousandths;
	double x;

	if (v->type == MP_NULL)
		return v;
	x = mp_expr_real(q, *v);
	if (expr->number == 3 && mp_round_thousandths(x, &thousandths))
		return mp_expr_give_thousandths(expr, thousandths);
	return mp_expr_give_real(expr, mp_round_half_up(x, expr->number));
}

static const struct mp_value *trimmed(struct mp_expr_query *q, struct mp_expr *expr)
{
	const struct mp_value *v = mp_expr_get(q, expr->a);

	return v->type == MP_NULL ? v : mp_expr_give(expr, mp_round_trimmed(mp_expr_real(q, *v)));
}

static const struct mp_value *us(struct mp_expr_query *q, struct mp_expr *expr)
{
	const struct mp_value *v = mp_expr_get(q, expr->a);
	int64_t ns;
	char *room;

	if (v->type == MP_NULL)
		return v;
	ns = mp_expr_int(q, *v);
	room = mp_expr_room(q, MP_NUMBER_SIZE);
	return mp_expr_give(expr, mp_marked(room, room ? mp_number_us(room, ns) : 0, MP_MARK_PLAIN));
}

static const struct mp_value *repr(struct mp_expr_query *q, struct mp_expr *expr)
{
	const struct mp_value *v = mp_expr_get(q, expr->a);
	char *room;

	if (v->type == MP_INT)
		return mp_expr_give(expr, mp_expr_text(q, *v));
	if (v->type != MP_REAL)
		return v;
	room = mp_expr_room(q, MP_NUMBER_SIZE);
	return mp_expr_give(expr, mp_marked(room, room ? mp_number_real(room, v->d) : 0, MP_MARK_PLAIN));
}

static const struct mp_value *word(struct mp_expr_query *q, struct mp_expr *expr)
{
	int64_t keys[MP_WORD_KEYS] = {0};
	const struct mp_value *v;

	for (int i = 0; i < expr->count; i++) {
		v = mp_expr_at(q, q->children[expr->first + i]);
		if (v->type != MP_INT)
			return mp_expr_give(expr, mp_null());
		keys[i] = v->i;
	}
	v = mp_words_get(expr->words, keys, expr->number);
	if (v)
		return v;
	if (!q->rows.failed)
		mp_db_error(q->db, &q->error, "cannot query");
	q->rows.failed = true;
	return mp_expr_give(expr, mp_null());
}

static const struct mp_value *core_us(struct mp_expr_query *q, struct mp_expr *expr)
{
	struct mp_value v[4];
	double us;

	for (int i = 0; i < 4; i++)
		v[i] = *mp_expr_at(q, q->children[expr->first + i]);
	if (v[0].type == MP_NULL ||
	    !mp_core_us(mp_expr_int(q, v[0]), mp_expr_int(q, v[1]), mp_expr_int(q, v[2]), mp_expr_int(q, v[3]), &us))
		return mp_expr_give(expr, mp_null());
	return mp_expr_give_real(expr, us);
}

static const struct mp_value *peek(struct mp_expr_query *q, struct mp_expr *expr)
{
	int64_t parts[PEEK_KEY_MAX] = {0}, value;

	for (int i = 0; i < expr->count; i++)
		parts[i] = mp_expr_int(q, *mp_expr_at(q, q->children[expr->first + i]));
	return mp_map_peek(expr->map, &(struct mp_key){parts, expr->count}, &value) ? mp_expr_give(expr, mp_int(value))
										    : mp_expr_give(expr, mp_null());
}

static const struct mp_value *pick(struct mp_expr_query *q, struct mp_expr *expr)
{
	const struct mp_value *n = mp_expr_get(q, expr->a);

	return n->type == MP_INT && n->i >= 0 && n->i < expr->count - 1
		   ? mp_expr_at(q, q->children[expr->first + 1 + (int)n->i])
		   : mp_expr_give(expr, mp_null());
}

static const struct {
	const char *name;
	int least, most; /* arguments */
	enum mp_expr_op op;
	mp_expr_handler *handler; /* NULL: an operator has it */
} functions[] = {{"coalesce", 2, 64, MP_EXPR_COALESCE, NULL}, {"ifnull", 2, 2, MP_EXPR_COALESCE, NULL},
    {"iif", 3, 3, MP_EXPR_CASE, NULL}, {"nullif", 2, 2, MP_EXPR_NULLIF, nullif}, {"min", 2, 64, MP_EXPR_MIN, extreme},
    {"max", 2, 64, MP_EXPR_MAX_OF, extreme}, {"round", 1, 1, MP_EXPR_ROUND, round_whole},
    {"printf", 2, 2, MP_EXPR_UNSIGNED, unsigned_text}, {"char", 1, 1, MP_EXPR_CHAR, character},
    {"decimal", 3, 3, MP_EXPR_DECIMAL, decimal}, {"half_up", 2, 2, MP_EXPR_HALF_UP, half_up},
    {"trimmed", 1, 1, MP_EXPR_TRIMMED, trimmed}, {"us", 1, 1, MP_EXPR_US, us}, {"repr", 1, 1, MP_EXPR_REPR, repr},
    {"word", 3, 2 + MP_WORD_KEYS, MP_EXPR_WORD, word}, {"core_us", 4, 4, MP_EXPR_CORE_US, core_us},
    {"peek", 2, 1 + PEEK_KEY_MAX, MP_EXPR_PEEK, peek}, {"pick", 2, 64, MP_EXPR_PICK, pick}};

enum { FUNCTIONS = sizeof(functions) / sizeof(functions[0]) };

int mp_expr_function(const struct mp_token *name, int count)
{
	size_t i = 0;

	while (i < FUNCTIONS && !mp_token_is(name, functions[i].name))
		i++;
	return i < FUNCTIONS && count >= functions[i].least && count <= functions[i].most ? (int)functions[i].op : -1;
}

mp_expr_handler *mp_expr_call(unsigned op)
{
	size_t i = 0;

	while (i < FUNCTIONS && functions[i].op != op)
		i++;
	return i < FUNCTIONS ? functions[i].handler : NULL;
}

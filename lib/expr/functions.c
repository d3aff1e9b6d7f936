/* functions.c: the SQL functions that the program computes in expressions. */
#include "expr/expr.h"

#include <string.h>

#include "base/number.h"
#include "base/wide.h"

enum { PEEK_KEY_MAX = 4 };

static const struct {
	const char *name;
	int least, most;
	enum mp_expr_op op;
} functions[] = {{"coalesce", 2, 64, MP_EXPR_COALESCE}, {"ifnull", 2, 2, MP_EXPR_COALESCE}, {"iif", 3, 3, MP_EXPR_CASE},
    {"nullif", 2, 2, MP_EXPR_NULLIF}, {"min", 2, 64, MP_EXPR_MIN}, {"max", 2, 64, MP_EXPR_MAX_OF},
    {"round", 1, 1, MP_EXPR_ROUND}, {"printf", 2, 2, MP_EXPR_UNSIGNED}, {"char", 1, 1, MP_EXPR_CHAR},
    {"decimal", 3, 3, MP_EXPR_DECIMAL}, {"half_up", 2, 2, MP_EXPR_HALF_UP}, {"trimmed", 1, 1, MP_EXPR_TRIMMED},
    {"us", 1, 1, MP_EXPR_US}, {"repr", 1, 1, MP_EXPR_REPR}, {"word", 3, 2 + MP_WORD_KEYS, MP_EXPR_WORD},
    {"core_us", 4, 4, MP_EXPR_CORE_US}, {"peek", 2, 1 + PEEK_KEY_MAX, MP_EXPR_PEEK}, {"pick", 2, 64, MP_EXPR_PICK}};

static bool is_text(const struct mp_expr *expr, const char *text)
{
	return expr->op == MP_EXPR_CONSTANT && expr->value.type == MP_TEXT && expr->value.len == strlen(text) &&
	       memcmp(expr->value.text, text, expr->value.len) == 0;
}

static bool is_ascii(const struct mp_expr *expr)
{
	return expr->op == MP_EXPR_CONSTANT && expr->value.type == MP_INT && expr->value.i > 0 && expr->value.i < 0x80;
}

/* word('table', 'column', key...) */
static int find_word(struct mp_expr_query *q, const int *children, int count)
{
	const struct mp_expr *table = &q->nodes[children[0]], *column = &q->nodes[children[1]];
	struct mp_words *words = NULL;
	int number = -1;

	if (table->op == MP_EXPR_CONSTANT && table->value.type == MP_TEXT && column->op == MP_EXPR_CONSTANT &&
	    column->value.type == MP_TEXT)
		words = mp_words_find(q->db, table->value.text, table->value.len, count - 2);
	if (words)
		number = mp_words_column(words, column->value.text, column->value.len);
	if (number < 0)
		return -1;
	return mp_expr_add(
	    q, &(struct mp_expr){.op = MP_EXPR_WORD, .words = words, .number = number}, children + 2, count - 2);
}

/* peek('map', key...) */
static int find_map(struct mp_expr_query *q, const int *children, int count)
{
	const struct mp_expr *name = &q->nodes[children[0]];
	struct mp_map *map = NULL;
	char text[64];

	if (name->op == MP_EXPR_CONSTANT && name->value.type == MP_TEXT && name->value.len < sizeof(text)) {
		memcpy(text, name->value.text, name->value.len);
		text[name->value.len] = '\0';
		map = mp_maps_find(q->db->maps, text);
	}
	return map ? mp_expr_add(q, &(struct mp_expr){.op = MP_EXPR_PEEK, .map = map}, children + 1, count - 1) : -1;
}

/* Add a function whose last argument is a constant number of decimal places. */
static int add_rounding(struct mp_expr_query *q, enum mp_expr_op op, const int *children, int count)
{
	const struct mp_expr *places = &q->nodes[children[count - 1]];

	if (places->op != MP_EXPR_CONSTANT || places->value.type != MP_INT || places->value.i < 0 ||
	    places->value.i > MP_PLACES_MAX)
		return -1;
	return mp_expr_add(
	    q, &(struct mp_expr){.op = (uint8_t)op, .number = (int)places->value.i}, children, count - 1);
}

int mp_expr_function(struct mp_expr_query *q, const struct mp_token *name, const int *children, int count)
{
	size_t i = 0, known = sizeof(functions) / sizeof(functions[0]);

	while (i < known && !mp_token_is(name, functions[i].name))
		i++;
	if (i == known || count < functions[i].least || count > functions[i].most)
		return -1;
	switch (functions[i].op) {
	case MP_EXPR_DECIMAL:
	case MP_EXPR_HALF_UP:
		return add_rounding(q, functions[i].op, children, count);
	case MP_EXPR_WORD:
		return find_word(q, children, count);
	case MP_EXPR_PEEK:
		return find_map(q, children, count);
	case MP_EXPR_CHAR:
		return is_ascii(&q->nodes[children[0]])
			   ? mp_expr_add(q, &(struct mp_expr){.op = MP_EXPR_CHAR}, children, 1)
			   : -1;
	case MP_EXPR_UNSIGNED:
		return is_text(&q->nodes[children[0]], "%u")
			   ? mp_expr_add(q, &(struct mp_expr){.op = MP_EXPR_UNSIGNED}, children + 1, 1)
			   : -1;
	default:
		return mp_expr_add(q, &(struct mp_expr){.op = (uint8_t)functions[i].op}, children, count);
	}
}

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
	return mp_expr_give(expr, mp_real(d));
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
	return mp_expr_give(expr, mp_real((double)hundredths / 100));
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
	return mp_expr_give(expr, mp_real(mp_round_half_up(x, expr->number)));
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
	return mp_expr_give(expr, mp_real(us));
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

mp_expr_handler *mp_expr_call(enum mp_expr_op op)
{
	static mp_expr_handler *const handlers[] = {[MP_EXPR_NULLIF] = nullif,
	    [MP_EXPR_MIN] = extreme,
	    [MP_EXPR_MAX_OF] = extreme,
	    [MP_EXPR_ROUND] = round_whole,
	    [MP_EXPR_UNSIGNED] = unsigned_text,
	    [MP_EXPR_CHAR] = character,
	    [MP_EXPR_DECIMAL] = decimal,
	    [MP_EXPR_HALF_UP] = half_up,
	    [MP_EXPR_TRIMMED] = trimmed,
	    [MP_EXPR_US] = us,
	    [MP_EXPR_REPR] = repr,
	    [MP_EXPR_WORD] = word,
	    [MP_EXPR_CORE_US] = core_us,
	    [MP_EXPR_PEEK] = peek,
	    [MP_EXPR_PICK] = pick};

	return op < sizeof(handlers) / sizeof(handlers[0]) ? handlers[op] : NULL;
}

/*
 * eval.c: converts and compares values as SQLite does, and computes operators. Rare conversions are left to SQLite. A
 * value stays in its node; handlers return the place of the value.
 */
#include "expr/expr.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"

enum {
	PART_SIZE = 16 * 1024,
	TEXT_MAX = 16 << 20 /* the same limit as for SQLite (db_open.c) */
};

char *mp_expr_more_room(struct mp_expr_query *q, size_t size)
{
	size_t room = size > PART_SIZE ? size : PART_SIZE;
	struct mp_scratch_part *more = malloc(sizeof(*more) + room);

	if (!more) {
		if (!q->rows.failed)
			mp_fail_memory(&q->error, "an expression");
		q->rows.failed = true;
		return NULL;
	}
	more->room = room;
	more->next = q->scratch.part;
	q->scratch.part = more;
	q->scratch.used = size;
	return more->bytes;
}

static void free_parts(struct mp_scratch_part *part)
{
	while (part) {
		struct mp_scratch_part *next = part->next;

		free(part);
		part = next;
	}
}

void mp_expr_reuse(struct mp_scratch *s)
{
	s->used = 0;
	if (s->part && s->part->next) {
		free_parts(s->part->next);
		s->part->next = NULL;
	}
}

void mp_expr_clear(struct mp_scratch *s)
{
	free_parts(s->part);
	*s = (struct mp_scratch){NULL, 0};
}

/* Let SQLite convert a value, by a statement for each conversion, which stays open. */
static struct mp_value convert(struct mp_expr_query *q, enum mp_expr_conversion how, struct mp_value v)
{
	static const char *const sql[] = {
	    "SELECT :v * 1", "SELECT CAST(:v AS INTEGER)", "SELECT CAST(:v AS REAL)", "SELECT CAST(:v AS TEXT)"};
	struct mp_query **statement = &q->conversions[how];
	struct mp_value result;
	char *room;

	if (q->rows.failed)
		return mp_null();
	if ((!*statement && mp_query_open(statement, q->db, sql[how], strlen(sql[how]), &q->error)) ||
	    mp_query_bind(*statement, "v", &v, &q->error) || mp_query_next(*statement, &q->error) < 0) {
		q->rows.failed = true;
		return mp_null();
	}
	result = mp_query_value(*statement, 0);
	if (result.type == MP_TEXT) {
		room = mp_expr_room(q, result.len);
		if (room)
			memcpy(room, result.text, result.len);
		result = mp_text(room, result.len);
	}
	mp_query_rewind(*statement);
	return result;
}

int64_t mp_expr_to_int(struct mp_expr_query *q, struct mp_value v)
{
	if (v.type == MP_INT)
		return v.i;
	if (v.type == MP_REAL)
		return v.d <= -9223372036854775808.0  ? INT64_MIN
		       : v.d >= 9223372036854775808.0 ? INT64_MAX
						      : (int64_t)v.d;
	return v.type == MP_NULL ? 0 : convert(q, MP_EXPR_TO_INT, v).i;
}

double mp_expr_to_real(struct mp_expr_query *q, struct mp_value v)
{
	if (v.type == MP_INT)
		return (double)v.i;
	if (v.type == MP_REAL)
		return v.d;
	return v.type == MP_NULL ? 0 : convert(q, MP_EXPR_TO_REAL, v).d;
}

struct mp_value mp_expr_text(struct mp_expr_query *q, struct mp_value v)
{
	char *room;

	if (v.type == MP_REAL)
		return convert(q, MP_EXPR_TO_TEXT, v);
	if (v.type == MP_INT) {
		room = mp_expr_room(q, MP_NUMBER_SIZE);
		return mp_marked(room, room ? mp_number_int(room, v.i) : 0, MP_MARK_PLAIN);
	}
	v.type = MP_TEXT; /* a blob becomes a text */
	return v;
}

/* Compare exactly, without rounding the integer. */
static int compare_int_real(int64_t i, double d)
{
	int64_t whole;

	if (d < -9223372036854775808.0)
		return 1;
	if (d >= 9223372036854775808.0)
		return -1;
	whole = (int64_t)d;
	if (i != whole)
		return i < whole ? -1 : 1;
	return (double)whole < d ? -1 : (double)whole > d;
}

static int rank(unsigned type)
{
	return type == MP_NULL ? 0 : type == MP_TEXT ? 2 : type == MP_BLOB ? 3 : 1;
}

int mp_expr_compare(const struct mp_value *a, const struct mp_value *b)
{
	int by;

	if (a->type == MP_INT && b->type == MP_INT)
		return a->i < b->i ? -1 : a->i > b->i;
	if (rank(a->type) != rank(b->type))
		return rank(a->type) < rank(b->type) ? -1 : 1;
	switch (a->type) {
	case MP_NULL:
		return 0;
	case MP_INT:
		return compare_int_real(a->i, b->d);
	case MP_REAL:
		return b->type == MP_INT ? -compare_int_real(b->i, a->d) : a->d < b->d ? -1 : a->d > b->d;
	default:
		by = memcmp(a->text, b->text, a->len < b->len ? a->len : b->len);
		return by ? by : a->len < b->len ? -1 : a->len > b->len;
	}
}

static inline const struct mp_value *of_reals(struct mp_expr *expr, enum mp_expr_op op, double x, double y)
{
	switch (op) {
	case MP_EXPR_ADD:
		return mp_expr_give_real(expr, x + y);
	case MP_EXPR_SUBTRACT:
		return mp_expr_give_real(expr, x - y);
	case MP_EXPR_MULTIPLY:
		return mp_expr_give_real(expr, x * y);
	default:
		return y == 0 ? mp_expr_give(expr, mp_null()) : mp_expr_give_real(expr, x / y);
	}
}

/* A result that overflows becomes a real. */
static inline const struct mp_value *of_integers(struct mp_expr *expr, enum mp_expr_op op, int64_t a, int64_t b)
{
	int64_t result;
	bool fits;

	switch (op) {
	case MP_EXPR_ADD:
		fits = !__builtin_add_overflow(a, b, &result);
		break;
	case MP_EXPR_SUBTRACT:
		fits = !__builtin_sub_overflow(a, b, &result);
		break;
	case MP_EXPR_MULTIPLY:
		fits = !__builtin_mul_overflow(a, b, &result);
		break;
	default:
		fits = b != 0 && (b != -1 || a != INT64_MIN);
		result = fits ? a / b : 0;
	}
	return fits ? mp_expr_give(expr, mp_int(result)) : of_reals(expr, op, (double)a, (double)b);
}

/* The result is an integer only when both sides convert to integers. */
__attribute__((noinline)) static const struct mp_value *of_texts(
    struct mp_expr_query *q, struct mp_expr *expr, enum mp_expr_op op, struct mp_value a, struct mp_value b)
{
	struct mp_value x = a.type >= MP_TEXT ? convert(q, MP_EXPR_TO_NUMBER, a) : a,
			y = b.type >= MP_TEXT ? convert(q, MP_EXPR_TO_NUMBER, b) : b;

	if (x.type == MP_INT && y.type == MP_INT)
		return of_integers(expr, op, x.i, y.i);
	return of_reals(expr, op, mp_expr_real(q, a), mp_expr_real(q, b));
}

static inline bool is_number(const struct mp_value *v)
{
	return v->type == MP_INT || v->type == MP_REAL;
}

static inline double as_real(const struct mp_value *v)
{
	return v->type == MP_INT ? (double)v->i : v->d;
}

/* Inline, so that each operator has code of its own. */
__attribute__((always_inline)) static inline const struct mp_value *arithmetic(
    struct mp_expr_query *q, struct mp_expr *expr, enum mp_expr_op op)
{
	const struct mp_value *a = mp_expr_get(q, expr->a), *b = mp_expr_get(q, expr->b);

	if (a->type == MP_INT && b->type == MP_INT)
		return of_integers(expr, op, a->i, b->i);
	if (op == MP_EXPR_DIVIDE && a->type == MP_INT && b->type == MP_REAL && b->d == 1000.0 &&
	    (uint64_t)a->i <= UINT32_MAX) /* ns to us */
		return mp_expr_give_thousandths(expr, (uint32_t)a->i);
	if (is_number(a) && is_number(b))
		return of_reals(expr, op, as_real(a), as_real(b));
	if (a->type == MP_NULL || b->type == MP_NULL)
		return mp_expr_give(expr, mp_null());
	return of_texts(q, expr, op, *a, *b);
}

static const struct mp_value *add(struct mp_expr_query *q, struct mp_expr *expr)
{
	return arithmetic(q, expr, MP_EXPR_ADD);
}

static const struct mp_value *subtract(struct mp_expr_query *q, struct mp_expr *expr)
{
	return arithmetic(q, expr, MP_EXPR_SUBTRACT);
}

static const struct mp_value *multiply(struct mp_expr_query *q, struct mp_expr *expr)
{
	return arithmetic(q, expr, MP_EXPR_MULTIPLY);
}

static const struct mp_value *divide(struct mp_expr_query *q, struct mp_expr *expr)
{
	return arithmetic(q, expr, MP_EXPR_DIVIDE);
}

/* A shift by a negative number shifts in the other direction. */
static int64_t shift(bool left, int64_t v, int64_t by)
{
	if (by < 0) {
		left = !left;
		by = by > -64 ? -by : 64;
	}
	if (by >= 64)
		return v >= 0 || left ? 0 : -1;
	if (left)
		return (int64_t)((uint64_t)v << by);
	return v >= 0 ? v >> by : ~(~v >> by);
}

static const struct mp_value *bits(struct mp_expr_query *q, struct mp_expr *expr)
{
	const struct mp_value *a = mp_expr_get(q, expr->a), *b = mp_expr_get(q, expr->b);
	int64_t x, y;

	if (a->type == MP_NULL || b->type == MP_NULL)
		return mp_expr_give(expr, mp_null());
	x = mp_expr_int(q, *a);
	y = mp_expr_int(q, *b);
	return mp_expr_give(expr, mp_int(expr->op == MP_EXPR_BIT_AND  ? x & y
					 : expr->op == MP_EXPR_BIT_OR ? x | y
								      : shift(expr->op == MP_EXPR_SHIFT_LEFT, x, y)));
}

/* Put a value as text at `at`, where there is room. Returns the end of the text. */
static char *append(char *at, const struct mp_value *v)
{
	return v->type == MP_INT ? mp_digits_put_int(at, v->i) : mp_copy_text(at, v->text, v->len);
}

static const struct mp_value *concatenate(struct mp_expr_query *q, struct mp_expr *expr)
{
	const struct mp_value *parts[] = {mp_expr_get(q, expr->a), mp_expr_get(q, expr->b)};
	unsigned marks = MP_MARK_PLAIN;
	struct mp_value texts[2];
	size_t most = 0;
	char *room, *end;

	if (parts[0]->type == MP_NULL || parts[1]->type == MP_NULL)
		return mp_expr_give(expr, mp_null());
	for (int i = 0; i < 2; i++) {
		if (parts[i]->type == MP_REAL) {
			texts[i] = mp_expr_text(q, *parts[i]);
			parts[i] = &texts[i];
		}
		most += parts[i]->type == MP_INT ? MP_DIGITS_ROOM : parts[i]->len;
		marks &= parts[i]->type == MP_INT ? MP_MARK_PLAIN : parts[i]->marks;
	}
	room = q->rows.failed ? NULL : mp_expr_room(q, most);
	if (!room)
		return mp_expr_give(expr, mp_null());
	end = append(append(room, parts[0]), parts[1]);
	if (end - room > TEXT_MAX) {
		mp_fail(&q->error, "cannot query '%s': string or blob too big", q->db->path);
		q->rows.failed = true;
	}
	return mp_expr_give(expr, mp_marked(room, (size_t)(end - room), marks));
}

/* Returns 1 for true, 0 for false, -1 for NULL. */
static inline int compare_values(unsigned op, const struct mp_value *a, const struct mp_value *b)
{
	enum { LESS = 1, SAME = 2, MORE = 4 };
	static const uint8_t wanted[] = {[MP_EXPR_LESS] = LESS,
	    [MP_EXPR_AT_MOST] = LESS | SAME,
	    [MP_EXPR_MORE] = MORE,
	    [MP_EXPR_AT_LEAST] = MORE | SAME,
	    [MP_EXPR_EQUAL] = SAME,
	    [MP_EXPR_UNEQUAL] = LESS | MORE,
	    [MP_EXPR_IS] = SAME,
	    [MP_EXPR_IS_NOT] = LESS | MORE};
	int by;

	if (a->type == MP_INT && b->type == MP_INT) {
		by = (a->i > b->i) - (a->i < b->i);
	} else {
		if (op != MP_EXPR_IS && op != MP_EXPR_IS_NOT && (a->type == MP_NULL || b->type == MP_NULL))
			return -1;
		by = mp_expr_compare(a, b);
		by = (by > 0) - (by < 0);
	}
	return wanted[op] >> (by + 1) & 1;
}

static const struct mp_value *compare(struct mp_expr_query *q, struct mp_expr *expr)
{
	const struct mp_value *a = mp_expr_get(q, expr->a), *b = mp_expr_get(q, expr->b);
	int result = compare_values(expr->op, a, b);

	return result < 0 ? mp_expr_give(expr, mp_null()) : mp_expr_give(expr, mp_int(result));
}

static const struct mp_value *is_null(struct mp_expr_query *q, struct mp_expr *expr)
{
	return mp_expr_give(expr, mp_int((mp_expr_get(q, expr->a)->type == MP_NULL) == (expr->op == MP_EXPR_IS_NULL)));
}

enum truth { NO, YES, UNKNOWN };

static enum truth truth(struct mp_expr_query *q, struct mp_expr *expr)
{
	const struct mp_value *v = mp_expr_get(q, expr);

	switch (v->type) {
	case MP_NULL:
		return UNKNOWN;
	case MP_INT:
		return v->i ? YES : NO;
	default:
		return mp_expr_real(q, *v) != 0 ? YES : NO;
	}
}

static const struct mp_value *of_truth(struct mp_expr *expr, enum truth t)
{
	return t == UNKNOWN ? mp_expr_give(expr, mp_null()) : mp_expr_give(expr, mp_int(t == YES));
}

/* NO decides AND, YES decides OR. */
static const struct mp_value *logic(struct mp_expr_query *q, struct mp_expr *expr)
{
	enum truth a = truth(q, expr->a), b, decisive = expr->op == MP_EXPR_AND ? NO : YES;

	if (a == decisive)
		return of_truth(expr, a);
	b = truth(q, expr->b);
	return of_truth(expr, b == decisive ? b : a == UNKNOWN || b == UNKNOWN ? UNKNOWN : b);
}

static const struct mp_value *opposite(struct mp_expr_query *q, struct mp_expr *expr)
{
	enum truth t = truth(q, expr->a);

	return of_truth(expr, t == UNKNOWN ? t : t == YES ? NO : YES);
}

static const struct mp_value *choose(struct mp_expr_query *q, struct mp_expr *expr)
{
	const int *children = q->children + expr->first;
	const struct mp_value *base = expr->flag ? mp_expr_at(q, children[0]) : NULL;
	int i = expr->flag;

	for (; i + 1 < expr->count; i += 2)
		if (base ? compare_values(MP_EXPR_EQUAL, base, mp_expr_at(q, children[i])) > 0
			 : truth(q, &q->nodes[children[i]]) == YES)
			return mp_expr_at(q, children[i + 1]);
	return i < expr->count ? mp_expr_at(q, children[i]) : mp_expr_give(expr, mp_null());
}

static const struct mp_value *first_of(struct mp_expr_query *q, struct mp_expr *expr)
{
	const struct mp_value *v = mp_expr_get(q, expr->a);

	if (v->type == MP_NULL)
		v = mp_expr_get(q, expr->b);
	for (int i = 2; v->type == MP_NULL && i < expr->count; i++)
		v = mp_expr_at(q, q->children[expr->first + i]);
	return v;
}

static const struct mp_value *cast(struct mp_expr_query *q, struct mp_expr *expr)
{
	const struct mp_value *v = mp_expr_get(q, expr->a);

	if (v->type == MP_NULL)
		return v;
	switch (expr->op) {
	case MP_EXPR_CAST_INT:
		return mp_expr_give(expr, mp_int(mp_expr_int(q, *v)));
	case MP_EXPR_CAST_REAL:
		return mp_expr_give_real(expr, mp_expr_real(q, *v));
	default:
		return mp_expr_give(expr, mp_expr_text(q, *v));
	}
}

bool mp_expr_holds(struct mp_expr_query *q, int node)
{
	return truth(q, &q->nodes[node]) == YES;
}

mp_expr_handler *mp_expr_handler_of(unsigned op)
{
	static mp_expr_handler *const handlers[] = {[MP_EXPR_ADD] = add,
	    [MP_EXPR_SUBTRACT] = subtract,
	    [MP_EXPR_MULTIPLY] = multiply,
	    [MP_EXPR_DIVIDE] = divide,
	    [MP_EXPR_BIT_AND] = bits,
	    [MP_EXPR_BIT_OR] = bits,
	    [MP_EXPR_SHIFT_LEFT] = bits,
	    [MP_EXPR_SHIFT_RIGHT] = bits,
	    [MP_EXPR_CONCAT] = concatenate,
	    [MP_EXPR_LESS] = compare,
	    [MP_EXPR_AT_MOST] = compare,
	    [MP_EXPR_MORE] = compare,
	    [MP_EXPR_AT_LEAST] = compare,
	    [MP_EXPR_EQUAL] = compare,
	    [MP_EXPR_UNEQUAL] = compare,
	    [MP_EXPR_IS] = compare,
	    [MP_EXPR_IS_NOT] = compare,
	    [MP_EXPR_IS_NULL] = is_null,
	    [MP_EXPR_NOT_NULL] = is_null,
	    [MP_EXPR_CAST_INT] = cast,
	    [MP_EXPR_CAST_REAL] = cast,
	    [MP_EXPR_CAST_TEXT] = cast,
	    [MP_EXPR_AND] = logic,
	    [MP_EXPR_OR] = logic,
	    [MP_EXPR_NOT] = opposite,
	    [MP_EXPR_CASE] = choose,
	    [MP_EXPR_COALESCE] = first_of};
	return op < sizeof(handlers) / sizeof(handlers[0]) && handlers[op] ? handlers[op] : mp_expr_call(op);
}

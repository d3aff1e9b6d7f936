/* cell_eval.c: the value of a node in the current row. It stays with its node: what travels is where it is. */
#include "store/cells.h"

#include <string.h>

#include "base/digits.h"
#include "base/plain.h"

enum { TEXT_MAX = 16 << 20 }; /* as for SQLite itself */

static inline const struct mp_scalar *of_reals(struct mp_cell *cell, enum mp_cell_op op, double x, double y)
{
	switch (op) {
	case MP_CELL_ADD:
		return mp_cell_give_real(cell, x + y);
	case MP_CELL_SUBTRACT:
		return mp_cell_give_real(cell, x - y);
	case MP_CELL_MULTIPLY:
		return mp_cell_give_real(cell, x * y);
	default:
		return y == 0 ? mp_cell_give_null(cell) : mp_cell_give_real(cell, x / y);
	}
}

/* What does not fit is a real. */
static inline const struct mp_scalar *of_integers(struct mp_cell *cell, enum mp_cell_op op, int64_t a, int64_t b)
{
	int64_t result;
	bool fits;

	switch (op) {
	case MP_CELL_ADD:
		fits = !__builtin_add_overflow(a, b, &result);
		break;
	case MP_CELL_SUBTRACT:
		fits = !__builtin_sub_overflow(a, b, &result);
		break;
	case MP_CELL_MULTIPLY:
		fits = !__builtin_mul_overflow(a, b, &result);
		break;
	default:
		fits = b != 0 && (b != -1 || a != INT64_MIN);
		result = fits ? a / b : 0;
	}
	return fits ? mp_cell_give_int(cell, result) : of_reals(cell, op, (double)a, (double)b);
}

/* A text is taken for an integer only where both sides are. */
static const struct mp_scalar *of_texts(
    struct mp_cells *c, struct mp_cell *cell, enum mp_cell_op op, struct mp_scalar a, struct mp_scalar b)
{
	struct mp_scalar x = a.type >= MP_TEXT ? mp_cell_number(c, a) : a,
			 y = b.type >= MP_TEXT ? mp_cell_number(c, b) : b;

	if (x.type == MP_INT && y.type == MP_INT)
		return of_integers(cell, op, x.i, y.i);
	return of_reals(cell, op, mp_cell_real(c, a), mp_cell_real(c, b));
}

static inline bool is_number(const struct mp_scalar *v)
{
	return v->type == MP_INT || v->type == MP_REAL;
}

static inline double as_real(const struct mp_scalar *v)
{
	return v->type == MP_INT ? (double)v->i : v->d;
}

static inline const struct mp_scalar *of_values(
    struct mp_cells *c, struct mp_cell *cell, enum mp_cell_op op, const struct mp_scalar *a, const struct mp_scalar *b)
{
	if (a->type == MP_INT && b->type == MP_INT)
		return of_integers(cell, op, a->i, b->i);
	if (is_number(a) && is_number(b))
		return of_reals(cell, op, as_real(a), as_real(b));
	if (a->type == MP_NULL || b->type == MP_NULL)
		return mp_cell_give_null(cell);
	return of_texts(c, cell, op, *a, *b);
}

static inline const struct mp_scalar *arithmetic(struct mp_cells *c, struct mp_cell *cell, enum mp_cell_op op)
{
	const struct mp_scalar *a = mp_cell_get(c, cell->a), *b = mp_cell_get(c, cell->b);

	return of_values(c, cell, op, a, b);
}

static const struct mp_scalar *add(struct mp_cells *c, struct mp_cell *cell)
{
	return arithmetic(c, cell, MP_CELL_ADD);
}

static const struct mp_scalar *subtract(struct mp_cells *c, struct mp_cell *cell)
{
	return arithmetic(c, cell, MP_CELL_SUBTRACT);
}

static const struct mp_scalar *multiply(struct mp_cells *c, struct mp_cell *cell)
{
	return arithmetic(c, cell, MP_CELL_MULTIPLY);
}

static const struct mp_scalar *divide(struct mp_cells *c, struct mp_cell *cell)
{
	const struct mp_scalar *a = mp_cell_get(c, cell->a), *b = mp_cell_get(c, cell->b);

	if (a->type == MP_INT && b->type == MP_REAL && b->d == 1000.0 && (uint64_t)a->i <= UINT32_MAX) /* ns as us */
		return mp_cell_give_thousandths(cell, (uint32_t)a->i);
	return of_values(c, cell, MP_CELL_DIVIDE, a, b);
}

/* A shift by a negative number goes the other way. */
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

static const struct mp_scalar *bits(struct mp_cells *c, struct mp_cell *cell)
{
	const struct mp_scalar *a = mp_cell_get(c, cell->a), *b = mp_cell_get(c, cell->b);
	int64_t x, y;

	if (a->type == MP_NULL || b->type == MP_NULL)
		return mp_cell_give_null(cell);
	x = mp_cell_int(c, *a);
	y = mp_cell_int(c, *b);
	switch (cell->op) {
	case MP_CELL_BIT_AND:
		return mp_cell_give_int(cell, x & y);
	case MP_CELL_BIT_OR:
		return mp_cell_give_int(cell, x | y);
	default:
		return mp_cell_give_int(cell, shift(cell->op == MP_CELL_SHIFT_LEFT, x, y));
	}
}

/* A value as text behind what is at `at`, where there is room for it. */
static char *append(char *at, const struct mp_scalar *v)
{
	return v->type == MP_INT ? mp_digits_put_int(at, v->i) : mp_copy_text(at, v->text, v->len);
}

static const struct mp_scalar *concatenate(struct mp_cells *c, struct mp_cell *cell)
{
	const struct mp_scalar *parts[] = {mp_cell_get(c, cell->a), mp_cell_get(c, cell->b)};
	unsigned marks = MP_MARK_PLAIN;
	struct mp_scalar texts[2];
	size_t most = 0;
	char *room, *end;

	if (parts[0]->type == MP_NULL || parts[1]->type == MP_NULL)
		return mp_cell_give_null(cell);
	for (int i = 0; i < 2; i++) {
		if (parts[i]->type == MP_REAL) {
			texts[i] = mp_cell_text(c, *parts[i]);
			parts[i] = &texts[i];
		}
		most += parts[i]->type == MP_INT ? MP_DIGITS_ROOM : parts[i]->len;
		marks &= parts[i]->type == MP_INT ? MP_MARK_PLAIN : parts[i]->marks;
	}
	room = c->failed ? NULL : mp_cell_room(c, most);
	if (!room)
		return mp_cell_give_null(cell);
	end = append(append(room, parts[0]), parts[1]);
	if (end - room > TEXT_MAX) {
		mp_fail(&c->error, "cannot query '%s': string or blob too big", c->db->path);
		c->failed = true;
	}
	return mp_cell_give_text(cell, room, (size_t)(end - room), marks);
}

/* 1, 0, or -1 for NULL */
static inline int compare_values(unsigned op, const struct mp_scalar *a, const struct mp_scalar *b)
{
	enum { LESS = 1, SAME = 2, MORE = 4 };
	static const uint8_t wanted[] = {[MP_CELL_LESS] = LESS,
	    [MP_CELL_AT_MOST] = LESS | SAME,
	    [MP_CELL_MORE] = MORE,
	    [MP_CELL_AT_LEAST] = MORE | SAME,
	    [MP_CELL_EQUAL] = SAME,
	    [MP_CELL_UNEQUAL] = LESS | MORE,
	    [MP_CELL_IS] = SAME,
	    [MP_CELL_IS_NOT] = LESS | MORE};
	int by;

	if (a->type == MP_INT && b->type == MP_INT) {
		by = (a->i > b->i) - (a->i < b->i);
	} else {
		if (op != MP_CELL_IS && op != MP_CELL_IS_NOT && (a->type == MP_NULL || b->type == MP_NULL))
			return -1;
		by = mp_cell_compare(a, b);
		by = (by > 0) - (by < 0);
	}
	return wanted[op] >> (by + 1) & 1;
}

static const struct mp_scalar *compare(struct mp_cells *c, struct mp_cell *cell)
{
	const struct mp_scalar *a = mp_cell_get(c, cell->a), *b = mp_cell_get(c, cell->b);
	int result = compare_values(cell->op, a, b);

	return result < 0 ? mp_cell_give_null(cell) : mp_cell_give_int(cell, result);
}

static const struct mp_scalar *is_null(struct mp_cells *c, struct mp_cell *cell)
{
	return mp_cell_give_int(cell, (mp_cell_get(c, cell->a)->type == MP_NULL) == (cell->op == MP_CELL_IS_NULL));
}

enum truth { NO, YES, UNKNOWN };

static enum truth truth(struct mp_cells *c, struct mp_cell *cell)
{
	const struct mp_scalar *v = mp_cell_get(c, cell);

	switch (v->type) {
	case MP_NULL:
		return UNKNOWN;
	case MP_INT:
		return v->i ? YES : NO;
	default:
		return mp_cell_real(c, *v) != 0 ? YES : NO;
	}
}

static const struct mp_scalar *of_truth(struct mp_cell *cell, enum truth t)
{
	return t == UNKNOWN ? mp_cell_give_null(cell) : mp_cell_give_int(cell, t == YES);
}

/* A NO settles an AND, a YES an OR. */
static const struct mp_scalar *logic(struct mp_cells *c, struct mp_cell *cell)
{
	enum truth a = truth(c, cell->a), b, decisive = cell->op == MP_CELL_AND ? NO : YES;

	if (a == decisive)
		return of_truth(cell, a);
	b = truth(c, cell->b);
	return of_truth(cell, b == decisive ? b : a == UNKNOWN || b == UNKNOWN ? UNKNOWN : b);
}

static const struct mp_scalar *opposite(struct mp_cells *c, struct mp_cell *cell)
{
	enum truth t = truth(c, cell->a);

	return of_truth(cell, t == UNKNOWN ? t : t == YES ? NO : YES);
}

static const struct mp_scalar *choose(struct mp_cells *c, struct mp_cell *cell)
{
	const int *kids = c->kids + cell->first;
	const struct mp_scalar *base = cell->flag ? mp_cell_at(c, kids[0]) : NULL;
	int i = cell->flag;

	for (; i + 1 < cell->count; i += 2)
		if (base ? compare_values(MP_CELL_EQUAL, base, mp_cell_at(c, kids[i])) > 0
			 : truth(c, &c->nodes[kids[i]]) == YES)
			return mp_cell_at(c, kids[i + 1]);
	return i < cell->count ? mp_cell_at(c, kids[i]) : mp_cell_give_null(cell);
}

static const struct mp_scalar *first_of(struct mp_cells *c, struct mp_cell *cell)
{
	const struct mp_scalar *v = mp_cell_get(c, cell->a);

	if (v->type == MP_NULL)
		v = mp_cell_get(c, cell->b);
	for (int i = 2; v->type == MP_NULL && i < cell->count; i++)
		v = mp_cell_at(c, c->kids[cell->first + i]);
	return v;
}

static const struct mp_scalar *cast(struct mp_cells *c, struct mp_cell *cell)
{
	const struct mp_scalar *v = mp_cell_get(c, cell->a);

	if (v->type == MP_NULL)
		return v;
	switch (cell->op) {
	case MP_CELL_CAST_INT:
		return mp_cell_give_int(cell, mp_cell_int(c, *v));
	case MP_CELL_CAST_REAL:
		return mp_cell_give_real(cell, mp_cell_real(c, *v));
	default:
		return mp_cell_give(cell, mp_cell_text(c, *v));
	}
}

mp_cell_handler *mp_cell_operator(enum mp_cell_op op)
{
	static mp_cell_handler *const handlers[] = {[MP_CELL_ADD] = add,
	    [MP_CELL_SUBTRACT] = subtract,
	    [MP_CELL_MULTIPLY] = multiply,
	    [MP_CELL_DIVIDE] = divide,
	    [MP_CELL_BIT_AND] = bits,
	    [MP_CELL_BIT_OR] = bits,
	    [MP_CELL_SHIFT_LEFT] = bits,
	    [MP_CELL_SHIFT_RIGHT] = bits,
	    [MP_CELL_CONCAT] = concatenate,
	    [MP_CELL_LESS] = compare,
	    [MP_CELL_AT_MOST] = compare,
	    [MP_CELL_MORE] = compare,
	    [MP_CELL_AT_LEAST] = compare,
	    [MP_CELL_EQUAL] = compare,
	    [MP_CELL_UNEQUAL] = compare,
	    [MP_CELL_IS] = compare,
	    [MP_CELL_IS_NOT] = compare,
	    [MP_CELL_IS_NULL] = is_null,
	    [MP_CELL_NOT_NULL] = is_null,
	    [MP_CELL_CAST_INT] = cast,
	    [MP_CELL_CAST_REAL] = cast,
	    [MP_CELL_CAST_TEXT] = cast,
	    [MP_CELL_AND] = logic,
	    [MP_CELL_OR] = logic,
	    [MP_CELL_NOT] = opposite,
	    [MP_CELL_CASE] = choose,
	    [MP_CELL_COALESCE] = first_of};

	return op < sizeof(handlers) / sizeof(handlers[0]) ? handlers[op] : NULL;
}

mp_cell_handler *mp_cell_handler_of(const struct mp_cell *cell)
{
	mp_cell_handler *handler = mp_cell_operator(cell->op);

	return handler ? handler : mp_cell_call(cell->op);
}

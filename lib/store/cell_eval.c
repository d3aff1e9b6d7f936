/* cell_eval.c: the value of a node in the current row. Values travel in registers. */
#include "store/cells.h"

#include <string.h>

enum { TEXT_MAX = 16 << 20 }; /* as for SQLite itself */

static struct mp_scalar of_reals(unsigned op, double x, double y)
{
	switch (op) {
	case MP_CELL_ADD:
		return mp_real(x + y);
	case MP_CELL_SUBTRACT:
		return mp_real(x - y);
	case MP_CELL_MULTIPLY:
		return mp_real(x * y);
	default:
		return y == 0 ? mp_null() : mp_real(x / y);
	}
}

/* What does not fit is a real. */
static struct mp_scalar of_integers(unsigned op, int64_t a, int64_t b)
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
	return fits ? mp_int(result) : of_reals(op, (double)a, (double)b);
}

/* A text is taken for an integer only where both sides are. */
static struct mp_scalar of_texts(struct mp_cells *c, unsigned op, struct mp_scalar a, struct mp_scalar b)
{
	struct mp_scalar x = a.type >= MP_TEXT ? mp_cell_number(c, a) : a, y = b.type >= MP_TEXT ? mp_cell_number(c, b) : b;

	if (x.type == MP_INT && y.type == MP_INT)
		return of_integers(op, x.i, y.i);
	return of_reals(op, mp_cell_real(c, a), mp_cell_real(c, b));
}

static struct mp_scalar arithmetic(struct mp_cells *c, unsigned op, struct mp_scalar a, struct mp_scalar b)
{
	if (a.type == MP_NULL || b.type == MP_NULL)
		return mp_null();
	if (a.type == MP_INT && b.type == MP_INT)
		return of_integers(op, a.i, b.i);
	if (a.type >= MP_TEXT || b.type >= MP_TEXT)
		return of_texts(c, op, a, b);
	return of_reals(op, a.type == MP_INT ? (double)a.i : a.d, b.type == MP_INT ? (double)b.i : b.d);
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

static struct mp_scalar bits(struct mp_cells *c, unsigned op, struct mp_scalar a, struct mp_scalar b)
{
	int64_t x, y;

	if (a.type == MP_NULL || b.type == MP_NULL)
		return mp_null();
	x = mp_cell_int(c, a);
	y = mp_cell_int(c, b);
	switch (op) {
	case MP_CELL_BIT_AND:
		return mp_int(x & y);
	case MP_CELL_BIT_OR:
		return mp_int(x | y);
	default:
		return mp_int(shift(op == MP_CELL_SHIFT_LEFT, x, y));
	}
}

static struct mp_scalar concatenate(struct mp_cells *c, struct mp_scalar a, struct mp_scalar b)
{
	size_t len;
	char *room;

	if (a.type == MP_NULL || b.type == MP_NULL)
		return mp_null();
	a = mp_cell_text(c, a);
	b = mp_cell_text(c, b);
	len = (size_t)a.len + b.len;
	if (len > TEXT_MAX && !c->failed) {
		mp_fail(&c->error, "cannot query '%s': string or blob too big", c->db->path);
		c->failed = true;
	}
	room = c->failed ? NULL : mp_cell_room(c, len);
	if (!room)
		return mp_null();
	memcpy(room, a.text, a.len);
	memcpy(room + a.len, b.text, b.len);
	return mp_text(room, len);
}

static struct mp_scalar compare(unsigned op, struct mp_scalar a, struct mp_scalar b)
{
	int by;

	if (op != MP_CELL_IS && op != MP_CELL_IS_NOT && (a.type == MP_NULL || b.type == MP_NULL))
		return mp_null();
	by = mp_cell_compare(a, b);
	switch (op) {
	case MP_CELL_LESS:
		return mp_int(by < 0);
	case MP_CELL_AT_MOST:
		return mp_int(by <= 0);
	case MP_CELL_MORE:
		return mp_int(by > 0);
	case MP_CELL_AT_LEAST:
		return mp_int(by >= 0);
	case MP_CELL_EQUAL:
	case MP_CELL_IS:
		return mp_int(by == 0);
	default:
		return mp_int(by != 0);
	}
}

enum truth { NO, YES, UNKNOWN };

static enum truth truth(struct mp_cells *c, int node)
{
	struct mp_scalar v = mp_cell_value(c, node);

	switch (v.type) {
	case MP_NULL:
		return UNKNOWN;
	case MP_INT:
		return v.i ? YES : NO;
	default:
		return mp_cell_real(c, v) != 0 ? YES : NO;
	}
}

static struct mp_scalar of_truth(enum truth t)
{
	return t == UNKNOWN ? mp_null() : mp_int(t == YES);
}

/* `decisive` settles it: NO an AND, YES an OR. */
static struct mp_scalar logic(struct mp_cells *c, const struct mp_cell *cell, enum truth decisive)
{
	enum truth a = truth(c, cell->a), b;

	if (a == decisive)
		return of_truth(a);
	b = truth(c, cell->b);
	return of_truth(b == decisive ? b : a == UNKNOWN || b == UNKNOWN ? UNKNOWN : b);
}

static struct mp_scalar opposite(struct mp_cells *c, const struct mp_cell *cell)
{
	enum truth t = truth(c, cell->a);

	return of_truth(t == UNKNOWN ? t : t == YES ? NO : YES);
}

static struct mp_scalar choose(struct mp_cells *c, const struct mp_cell *cell)
{
	const int *kids = c->kids + cell->first;
	struct mp_scalar base = cell->flag ? mp_cell_value(c, kids[0]) : mp_null();
	int i = cell->flag;

	for (; i + 1 < cell->count; i += 2)
		if (cell->flag ? compare(MP_CELL_EQUAL, base, mp_cell_value(c, kids[i])).i != 0 : truth(c, kids[i]) == YES)
			return mp_cell_value(c, kids[i + 1]);
	return i < cell->count ? mp_cell_value(c, kids[i]) : mp_null();
}

static struct mp_scalar first_of(struct mp_cells *c, const struct mp_cell *cell)
{
	struct mp_scalar v = mp_cell_value(c, cell->a);

	for (int i = 1; v.type == MP_NULL && i < cell->count; i++)
		v = mp_cell_value(c, c->kids[cell->first + i]);
	return v;
}

static struct mp_scalar cast(struct mp_cells *c, unsigned op, struct mp_scalar v)
{
	if (v.type == MP_NULL)
		return v;
	switch (op) {
	case MP_CELL_CAST_INT:
		return mp_int(mp_cell_int(c, v));
	case MP_CELL_CAST_REAL:
		return mp_real(mp_cell_real(c, v));
	default:
		return mp_cell_text(c, v);
	}
}

static struct mp_scalar compute(struct mp_cells *c, const struct mp_cell *cell)
{
	switch (cell->op) {
	case MP_CELL_ADD:
	case MP_CELL_SUBTRACT:
	case MP_CELL_MULTIPLY:
	case MP_CELL_DIVIDE:
		return arithmetic(c, cell->op, mp_cell_value(c, cell->a), mp_cell_value(c, cell->b));
	case MP_CELL_BIT_AND:
	case MP_CELL_BIT_OR:
	case MP_CELL_SHIFT_LEFT:
	case MP_CELL_SHIFT_RIGHT:
		return bits(c, cell->op, mp_cell_value(c, cell->a), mp_cell_value(c, cell->b));
	case MP_CELL_CONCAT:
		return concatenate(c, mp_cell_value(c, cell->a), mp_cell_value(c, cell->b));
	case MP_CELL_LESS:
	case MP_CELL_AT_MOST:
	case MP_CELL_MORE:
	case MP_CELL_AT_LEAST:
	case MP_CELL_EQUAL:
	case MP_CELL_UNEQUAL:
	case MP_CELL_IS:
	case MP_CELL_IS_NOT:
		return compare(cell->op, mp_cell_value(c, cell->a), mp_cell_value(c, cell->b));
	case MP_CELL_IS_NULL:
		return mp_int(mp_cell_value(c, cell->a).type == MP_NULL);
	case MP_CELL_NOT_NULL:
		return mp_int(mp_cell_value(c, cell->a).type != MP_NULL);
	case MP_CELL_CAST_INT:
	case MP_CELL_CAST_REAL:
	case MP_CELL_CAST_TEXT:
		return cast(c, cell->op, mp_cell_value(c, cell->a));
	case MP_CELL_AND:
		return logic(c, cell, NO);
	case MP_CELL_OR:
		return logic(c, cell, YES);
	case MP_CELL_NOT:
		return opposite(c, cell);
	case MP_CELL_CASE:
		return choose(c, cell);
	case MP_CELL_COALESCE:
		return first_of(c, cell);
	default:
		return mp_cell_call(c, cell);
	}
}

struct mp_scalar mp_cell_compute(struct mp_cells *c, struct mp_cell *cell)
{
	struct mp_scalar v = compute(c, cell);

	if (cell->shared) {
		cell->value = v;
		cell->known = true;
	}
	return v;
}

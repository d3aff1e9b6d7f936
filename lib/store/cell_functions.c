/* cell_functions.c: functions of SQL that cells know: which there are, and what they give. */
#include "store/cells.h"

#include <string.h>

#include "base/number.h"
#include "base/rounding.h"

enum { PEEK_KEY_MAX = 4 };

static const struct {
	const char *name;
	int least, most;
	enum mp_cell_op op;
} functions[] = {{"coalesce", 2, 64, MP_CELL_COALESCE}, {"ifnull", 2, 2, MP_CELL_COALESCE}, {"iif", 3, 3, MP_CELL_CASE},
    {"nullif", 2, 2, MP_CELL_NULLIF}, {"min", 2, 64, MP_CELL_MIN}, {"max", 2, 64, MP_CELL_MAX_OF},
    {"round", 1, 1, MP_CELL_ROUND}, {"printf", 2, 2, MP_CELL_UNSIGNED}, {"char", 1, 1, MP_CELL_CHAR},
    {"decimal", 3, 3, MP_CELL_DECIMAL}, {"half_up", 2, 2, MP_CELL_HALF_UP}, {"trimmed", 1, 1, MP_CELL_TRIMMED},
    {"us", 1, 1, MP_CELL_US}, {"repr", 1, 1, MP_CELL_REPR}, {"word", 3, 3, MP_CELL_WORD},
    {"core_us", 4, 4, MP_CELL_CORE_US}, {"peek", 2, 1 + PEEK_KEY_MAX, MP_CELL_PEEK}};

static bool is_text(const struct mp_cell *cell, const char *text)
{
	return cell->op == MP_CELL_CONSTANT && cell->value.type == MP_TEXT && cell->value.len == strlen(text) &&
	       memcmp(cell->value.text, text, cell->value.len) == 0;
}

static bool is_ascii(const struct mp_cell *cell)
{
	return cell->op == MP_CELL_CONSTANT && cell->value.type == MP_INT && cell->value.i > 0 && cell->value.i < 0x80;
}

/* word('table', 'column', key) */
static int find_word(struct mp_cells *c, const int *kids)
{
	const struct mp_cell *table = &c->nodes[kids[0]], *column = &c->nodes[kids[1]];
	struct mp_words *words = NULL;
	int number = -1;

	if (table->op == MP_CELL_CONSTANT && table->value.type == MP_TEXT && column->op == MP_CELL_CONSTANT &&
	    column->value.type == MP_TEXT)
		words = mp_words_find(c->db, table->value.text, table->value.len);
	if (words)
		number = mp_words_column(words, column->value.text, column->value.len);
	if (number < 0)
		return -1;
	return mp_cell_add(c, &(struct mp_cell){.op = MP_CELL_WORD, .words = words, .number = number}, kids + 2, 1);
}

/* peek('map', key...) */
static int find_map(struct mp_cells *c, const int *kids, int count)
{
	const struct mp_cell *name = &c->nodes[kids[0]];
	struct mp_map *map = NULL;
	char text[64];

	if (name->op == MP_CELL_CONSTANT && name->value.type == MP_TEXT && name->value.len < sizeof(text)) {
		memcpy(text, name->value.text, name->value.len);
		text[name->value.len] = '\0';
		map = mp_maps_find(c->db->maps, text);
	}
	return map ? mp_cell_add(c, &(struct mp_cell){.op = MP_CELL_PEEK, .map = map}, kids + 1, count - 1) : -1;
}

/* A function whose last kid is a number of decimal places: what it is in other rows is not looked at. */
static int add_rounding(struct mp_cells *c, enum mp_cell_op op, const int *kids, int count)
{
	const struct mp_cell *places = &c->nodes[kids[count - 1]];

	if (places->op != MP_CELL_CONSTANT || places->value.type != MP_INT || places->value.i < 0 ||
	    places->value.i > MP_PLACES_MAX)
		return -1;
	return mp_cell_add(c, &(struct mp_cell){.op = (uint8_t)op, .number = (int)places->value.i}, kids, count - 1);
}

int mp_cell_function(struct mp_cells *c, const struct mp_token *name, const int *kids, int count)
{
	size_t i = 0, known = sizeof(functions) / sizeof(functions[0]);

	while (i < known && !mp_token_is(name, functions[i].name))
		i++;
	if (i == known || count < functions[i].least || count > functions[i].most)
		return -1;
	switch (functions[i].op) {
	case MP_CELL_DECIMAL:
	case MP_CELL_HALF_UP:
		return add_rounding(c, functions[i].op, kids, count);
	case MP_CELL_WORD:
		return find_word(c, kids);
	case MP_CELL_PEEK:
		return find_map(c, kids, count);
	case MP_CELL_CHAR:
		return is_ascii(&c->nodes[kids[0]]) ? mp_cell_add(c, &(struct mp_cell){.op = MP_CELL_CHAR}, kids, 1)
						    : -1;
	case MP_CELL_UNSIGNED:
		return is_text(&c->nodes[kids[0]], "%u")
			   ? mp_cell_add(c, &(struct mp_cell){.op = MP_CELL_UNSIGNED}, kids + 1, 1)
			   : -1;
	default:
		return mp_cell_add(c, &(struct mp_cell){.op = (uint8_t)functions[i].op}, kids, count);
	}
}

static const struct mp_scalar *nullif(struct mp_cells *c, struct mp_cell *cell)
{
	const struct mp_scalar *v = mp_cell_get(c, cell->a);

	return v->type == MP_NULL || mp_cell_compare(v, mp_cell_get(c, cell->b)) ? v : mp_cell_give_null(cell);
}

/* The least or greatest of all; NULL where one is. Of equal ones the last is the least, the first the greatest. */
static const struct mp_scalar *extreme(struct mp_cells *c, struct mp_cell *cell)
{
	const struct mp_scalar *best = mp_cell_get(c, cell->a);

	for (int i = 1; i < cell->count && best->type != MP_NULL; i++) {
		const struct mp_scalar *v = mp_cell_at(c, c->kids[cell->first + i]);
		int by = mp_cell_compare(best, v);

		if (v->type == MP_NULL || (cell->op == MP_CELL_MIN ? by >= 0 : by < 0))
			best = v;
	}
	return best;
}

/* A half goes away from 0. */
static const struct mp_scalar *round_whole(struct mp_cells *c, struct mp_cell *cell)
{
	const struct mp_scalar *v = mp_cell_get(c, cell->a);
	double d;

	if (v->type == MP_NULL)
		return v;
	d = mp_cell_real(c, *v);
	if (d >= -4503599627370496.0 && d <= 4503599627370496.0)
		d = (double)(int64_t)(d + (d < 0 ? -0.5 : 0.5));
	return mp_cell_give_real(cell, d);
}

static const struct mp_scalar *unsigned_text(struct mp_cells *c, struct mp_cell *cell)
{
	int64_t i = mp_cell_int(c, *mp_cell_get(c, cell->a));
	char *room = mp_cell_room(c, MP_NUMBER_SIZE);

	return mp_cell_give_text(cell, room, room ? mp_number_unsigned(room, (uint64_t)i) : 0, MP_MARK_PLAIN);
}

static const struct mp_scalar *character(struct mp_cells *c, struct mp_cell *cell)
{
	char *room = mp_cell_room(c, 1);

	if (room)
		*room = (char)mp_cell_get(c, cell->a)->i;
	return mp_cell_give_text(cell, room, 1, 0);
}

static const struct mp_scalar *decimal(struct mp_cells *c, struct mp_cell *cell)
{
	const struct mp_scalar *num = mp_cell_get(c, cell->a), *den = mp_cell_get(c, cell->b);
	struct mp_value v;

	if (num->type == MP_NULL || den->type == MP_NULL)
		return mp_cell_give_null(cell);
	v = mp_round_quotient(mp_cell_int(c, *num), mp_cell_int(c, *den), cell->number);
	return mp_cell_give(cell, mp_scalar_from(&v));
}

static const struct mp_scalar *half_up(struct mp_cells *c, struct mp_cell *cell)
{
	const struct mp_scalar *v = mp_cell_get(c, cell->a);
	uint32_t thousandths;
	double x;

	if (v->type == MP_NULL)
		return v;
	x = mp_cell_real(c, *v);
	if (cell->number == 3 && mp_round_thousandths(x, &thousandths))
		return mp_cell_give_thousandths(cell, thousandths);
	return mp_cell_give_real(cell, mp_round_half_up(x, cell->number));
}

static const struct mp_scalar *trimmed(struct mp_cells *c, struct mp_cell *cell)
{
	const struct mp_scalar *v = mp_cell_get(c, cell->a);
	struct mp_value result;

	if (v->type == MP_NULL)
		return v;
	result = mp_round_trimmed(mp_cell_real(c, *v));
	return mp_cell_give(cell, mp_scalar_from(&result));
}

static const struct mp_scalar *us(struct mp_cells *c, struct mp_cell *cell)
{
	const struct mp_scalar *v = mp_cell_get(c, cell->a);
	int64_t ns;
	char *room;

	if (v->type == MP_NULL)
		return v;
	ns = mp_cell_int(c, *v);
	room = mp_cell_room(c, MP_NUMBER_SIZE);
	return mp_cell_give_text(cell, room, room ? mp_number_us(room, ns) : 0, MP_MARK_PLAIN);
}

static const struct mp_scalar *repr(struct mp_cells *c, struct mp_cell *cell)
{
	const struct mp_scalar *v = mp_cell_get(c, cell->a);
	char *room;

	if (v->type == MP_INT)
		return mp_cell_give(cell, mp_cell_text(c, *v));
	if (v->type != MP_REAL)
		return v;
	room = mp_cell_room(c, MP_NUMBER_SIZE);
	return mp_cell_give_text(cell, room, room ? mp_number_real(room, v->d) : 0, MP_MARK_PLAIN);
}

static const struct mp_scalar *word(struct mp_cells *c, struct mp_cell *cell)
{
	const struct mp_scalar *key = mp_cell_get(c, cell->a), *v = NULL;

	if (key->type == MP_INT) {
		v = mp_words_get(cell->words, key->i, cell->number);
		if (v)
			return v;
		if (!c->failed)
			mp_db_error(c->db, &c->error, "cannot query");
		c->failed = true;
	}
	return mp_cell_give_null(cell);
}

static const struct mp_scalar *core_us(struct mp_cells *c, struct mp_cell *cell)
{
	struct mp_scalar v[4];
	double us;

	for (int i = 0; i < 4; i++)
		v[i] = *mp_cell_at(c, c->kids[cell->first + i]);
	if (v[0].type == MP_NULL ||
	    !mp_core_us(mp_cell_int(c, v[0]), mp_cell_int(c, v[1]), mp_cell_int(c, v[2]), mp_cell_int(c, v[3]), &us))
		return mp_cell_give_null(cell);
	return mp_cell_give_real(cell, us);
}

static const struct mp_scalar *peek(struct mp_cells *c, struct mp_cell *cell)
{
	int64_t parts[PEEK_KEY_MAX] = {0}, value;

	for (int i = 0; i < cell->count; i++)
		parts[i] = mp_cell_int(c, *mp_cell_at(c, c->kids[cell->first + i]));
	return mp_map_peek(cell->map, &(struct mp_key){parts, cell->count}, &value) ? mp_cell_give_int(cell, value)
										    : mp_cell_give_null(cell);
}

mp_cell_handler *mp_cell_call(enum mp_cell_op op)
{
	static mp_cell_handler *const handlers[] = {[MP_CELL_NULLIF] = nullif,
	    [MP_CELL_MIN] = extreme,
	    [MP_CELL_MAX_OF] = extreme,
	    [MP_CELL_ROUND] = round_whole,
	    [MP_CELL_UNSIGNED] = unsigned_text,
	    [MP_CELL_CHAR] = character,
	    [MP_CELL_DECIMAL] = decimal,
	    [MP_CELL_HALF_UP] = half_up,
	    [MP_CELL_TRIMMED] = trimmed,
	    [MP_CELL_US] = us,
	    [MP_CELL_REPR] = repr,
	    [MP_CELL_WORD] = word,
	    [MP_CELL_CORE_US] = core_us,
	    [MP_CELL_PEEK] = peek};

	return op < sizeof(handlers) / sizeof(handlers[0]) ? handlers[op] : NULL;
}

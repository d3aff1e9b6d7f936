/* value.c: converts and compares values as SQLite does. Rare conversions are left to SQLite. */
#include "expr/expr.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"

enum { PART_SIZE = 16 * 1024 };

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
	memset(s, 0, sizeof(*s));
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
	switch (v.type) {
	case MP_INT:
		return v.i;
	case MP_NULL:
		return 0;
	case MP_REAL:
		return v.d <= -9223372036854775808.0  ? INT64_MIN
		       : v.d >= 9223372036854775808.0 ? INT64_MAX
						      : (int64_t)v.d;
	default:
		return convert(q, MP_EXPR_TO_INT, v).i;
	}
}

double mp_expr_to_real(struct mp_expr_query *q, struct mp_value v)
{
	switch (v.type) {
	case MP_INT:
		return (double)v.i;
	case MP_NULL:
		return 0;
	case MP_REAL:
		return v.d;
	default:
		return convert(q, MP_EXPR_TO_REAL, v).d;
	}
}

struct mp_value mp_expr_number(struct mp_expr_query *q, struct mp_value v)
{
	return convert(q, MP_EXPR_TO_NUMBER, v);
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

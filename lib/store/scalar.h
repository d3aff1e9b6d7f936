/*
 * scalar.h: a value in two words, smaller than struct mp_value, and its conversions.
 *
 * A scalar borrows its text. No state, no allocation, no errors; any thread.
 */
#ifndef MP_STORE_SCALAR_H
#define MP_STORE_SCALAR_H

#include <math.h>

#include "store/connection.h"

struct mp_scalar {
	union {
		int64_t i;
		double d;
		const char *text; /* the text or blob, `len` bytes, borrowed */
	};
	uint16_t type;  /* enum mp_type */
	uint16_t marks; /* enum mp_mark */
	uint32_t len;   /* bytes of the text; a real uses this as MP_MARK_THOUSANDTHS says */
};

static inline struct mp_scalar mp_null(void)
{
	return (struct mp_scalar){.i = 0, .type = MP_NULL};
}

static inline struct mp_scalar mp_int(int64_t i)
{
	return (struct mp_scalar){.i = i, .type = MP_INT};
}

/* NaN becomes NULL, as in SQLite. */
static inline struct mp_scalar mp_real(double d)
{
	return isnan(d) ? mp_null() : (struct mp_scalar){.d = d, .type = MP_REAL};
}

/* A NULL pointer becomes NULL. */
static inline struct mp_scalar mp_text(const char *text, size_t len)
{
	return text ? (struct mp_scalar){.text = text, .type = MP_TEXT, .len = (uint32_t)len} : mp_null();
}

/* Like mp_text, with marks (enum mp_mark). */
static inline struct mp_scalar mp_marked(const char *text, size_t len, unsigned marks)
{
	return text ? (struct mp_scalar){.text = text, .type = MP_TEXT, .marks = (uint16_t)marks, .len = (uint32_t)len}
		    : mp_null();
}

/* Returns a value of SQLite as a scalar that borrows the text. */
static inline struct mp_scalar mp_scalar_of(sqlite3_value *v)
{
	struct mp_scalar s = {.i = 0, .type = MP_NULL};

	switch (sqlite3_value_type(v)) {
	case SQLITE_INTEGER:
		return mp_int(sqlite3_value_int64(v));
	case SQLITE_FLOAT:
		s.d = sqlite3_value_double(v);
		s.type = MP_REAL;
		return s;
	case SQLITE_NULL:
		return s;
	default:
		s.type = sqlite3_value_type(v) == SQLITE_BLOB ? MP_BLOB : MP_TEXT;
		s.text = (const char *)sqlite3_value_text(v);
		s.len = s.text ? (uint32_t)sqlite3_value_bytes(v) : 0;
		if (!s.text)
			s.text = "";
		return s;
	}
}

/* Store a scalar in a struct mp_value; a blob becomes a text. */
static inline void mp_scalar_put(struct mp_value *v, struct mp_scalar s)
{
	v->type = (enum mp_type)s.type;
	v->marks = s.marks;
	v->len = s.len;
	switch (s.type) {
	case MP_INT:
		v->i = s.i;
		break;
	case MP_REAL:
		v->d = s.d;
		break;
	case MP_NULL:
		break;
	default:
		v->type = MP_TEXT;
		v->text = s.text;
	}
}

/* Like mp_scalar_put, but faster without a branch: members of other types get undefined values. */
static inline void mp_scalar_spread(struct mp_value *v, struct mp_scalar s)
{
	v->type = s.type == MP_BLOB ? MP_TEXT : (enum mp_type)s.type;
	v->marks = s.marks;
	v->i = s.i;
	v->d = s.d;
	v->text = s.text;
	v->len = s.len;
}

/* Returns a scalar as a struct mp_value; a blob becomes a text. */
static inline struct mp_value mp_scalar_value(struct mp_scalar s)
{
	struct mp_value v = {.type = MP_NULL};

	mp_scalar_put(&v, s);
	return v;
}

/* Returns a struct mp_value as a scalar; a blob becomes a text. */
static inline struct mp_scalar mp_scalar_from(const struct mp_value *v)
{
	switch (v->type) {
	case MP_INT:
		return mp_int(v->i);
	case MP_REAL:
		return mp_real(v->d);
	case MP_NULL:
		return mp_null();
	default:
		return mp_marked(v->text, v->len, v->marks);
	}
}

#endif

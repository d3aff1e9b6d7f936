/*
 * value.h: one cell: a value on its way from a raw record or a query to a table or a writer.
 *
 * A cell borrows its text: it stays valid until the producer moves to the next row. A text is UTF-8 of `len` bytes, not
 * necessarily NUL-terminated. A blob is any `len` bytes. Only the member that the type names is valid. No resources, no
 * allocation, no errors; any thread.
 */
#ifndef MP_BASE_VALUE_H
#define MP_BASE_VALUE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum mp_type { MP_NULL, MP_INT, MP_REAL, MP_TEXT, MP_BLOB };

/* Separates the items of a list within one text; each writer chooses how to show a list. */
#define MP_LIST_SEPARATOR '\x1f'
#define MP_LINE_SEPARATOR '\x1e' /* ends a line within a cell of CSV */

/* Known properties of a text or a real. They spare a writer from reading the characters or computing the decimals. */
enum mp_mark {
	MP_MARK_JSON = 1, /* printable ASCII without '"' and '\\' */
	MP_MARK_CSV = 2,  /* printable ASCII and tabs, without '"' and ',' */
	MP_MARK_PLAIN = MP_MARK_JSON | MP_MARK_CSV,
	MP_MARK_STAYS = 4,      /* the text stays at this address, unchanged, while the producer has rows */
	MP_MARK_THOUSANDTHS = 8 /* of a real: the double nearest to len / 1000, with len below 2^32 */
};

struct mp_value {
	union {
		int64_t i;        /* of MP_INT */
		double d;         /* of MP_REAL */
		const char *text; /* of MP_TEXT and MP_BLOB: `len` bytes, borrowed */
	};
	uint16_t type;  /* enum mp_type */
	uint16_t marks; /* a set of enum mp_mark; 0: nothing is known */
	uint32_t len;   /* bytes of the text; a real uses this as MP_MARK_THOUSANDTHS says */
};

static inline struct mp_value mp_null(void)
{
	return (struct mp_value){.i = 0, .type = MP_NULL};
}

static inline struct mp_value mp_int(int64_t i)
{
	return (struct mp_value){.i = i, .type = MP_INT};
}

/* NaN becomes NULL, as in SQLite. */
static inline struct mp_value mp_real(double d)
{
	return isnan(d) ? mp_null() : (struct mp_value){.d = d, .type = MP_REAL};
}

/* Store mp_real(d), in two ways: a choice between two values would go through memory in pieces. */
static inline void mp_set_real(struct mp_value *v, double d)
{
	if (isnan(d))
		*v = mp_null();
	else
		*v = (struct mp_value){.d = d, .type = MP_REAL};
}

/* A text with marks (enum mp_mark). A NULL pointer becomes NULL. */
static inline struct mp_value mp_marked(const char *text, size_t len, unsigned marks)
{
	return text ? (struct mp_value){.text = text, .type = MP_TEXT, .marks = (uint16_t)marks, .len = (uint32_t)len}
		    : mp_null();
}

static inline struct mp_value mp_text(const char *text, size_t len)
{
	return mp_marked(text, len, 0);
}

/* The same for a text that ends with NUL. */
static inline struct mp_value mp_string(const char *text)
{
	return mp_text(text, text ? strlen(text) : 0);
}

/* Returns a text; "" for a value of another type. */
static inline struct mp_value mp_text_of(struct mp_value v)
{
	return v.type == MP_TEXT ? v : mp_text("", 0);
}

/* Returns an integer; 0 for a value of another type. */
static inline int64_t mp_int_of(struct mp_value v)
{
	return v.type == MP_INT ? v.i : 0;
}

#endif

/*
 * value.h: one cell on its way from a raw record or a query to a writer.
 *
 * Text is borrowed: it stays valid until the producer moves to its next row.
 * It is UTF-8, `len` bytes, not necessarily NUL-terminated. A blob is `len` bytes of anything.
 */
#ifndef MP_BASE_VALUE_H
#define MP_BASE_VALUE_H

#include <stddef.h>
#include <stdint.h>

enum mp_type { MP_NULL, MP_INT, MP_REAL, MP_TEXT, MP_BLOB };

/* Separates the items of a list within one text cell; a writer chooses how it looks. */
#define MP_LIST_SEPARATOR '\x1f'

struct mp_value {
	enum mp_type type;
	int64_t i;
	double d;
	const char *text;
	size_t len;
};

#endif

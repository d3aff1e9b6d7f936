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

/* What is known of a text or a real, so that a writer need not look at its characters or look for its decimals. */
enum mp_mark {
	MP_MARK_JSON = 1, /* printable ASCII without '"' and '\\' */
	MP_MARK_CSV = 2,  /* printable ASCII and tabs, without '"' and ',' */
	MP_MARK_PLAIN = MP_MARK_JSON | MP_MARK_CSV,
	MP_MARK_STAYS = 4,      /* it is the same, at the same place, as long as the producer has rows */
	MP_MARK_THOUSANDTHS = 8 /* of a real: it is the one nearest to len / 1000, and len below 2^32 */
};

struct mp_value {
	enum mp_type type;
	unsigned marks; /* enum mp_mark; 0: nothing is known */
	int64_t i;
	double d;
	const char *text;
	size_t len;
};

#endif

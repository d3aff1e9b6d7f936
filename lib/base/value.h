/*
 * value.h: one value on its way from a raw record or a query to a writer.
 *
 * A text is borrowed: it stays valid until the producer moves to the next row. A text is UTF-8 of `len` bytes, not
 * necessarily NUL-terminated. A blob is any `len` bytes. The struct holds no resources.
 */
#ifndef MP_BASE_VALUE_H
#define MP_BASE_VALUE_H

#include <stddef.h>
#include <stdint.h>

enum mp_type { MP_NULL, MP_INT, MP_REAL, MP_TEXT, MP_BLOB };

/* Separates the items of a list within one text; each writer chooses how to show a list. */
#define MP_LIST_SEPARATOR '\x1f'

/* Known properties of a text or a real. They spare a writer from reading the characters or computing the decimals. */
enum mp_mark {
	MP_MARK_JSON = 1, /* printable ASCII without '"' and '\\' */
	MP_MARK_CSV = 2,  /* printable ASCII and tabs, without '"' and ',' */
	MP_MARK_PLAIN = MP_MARK_JSON | MP_MARK_CSV,
	MP_MARK_STAYS = 4,      /* the text stays at this address, unchanged, while the producer has rows */
	MP_MARK_THOUSANDTHS = 8 /* of a real: the double nearest to len / 1000, with len below 2^32 */
};

struct mp_value {
	enum mp_type type;
	unsigned marks; /* a set of enum mp_mark; 0: nothing is known */
	int64_t i;
	double d;
	const char *text;
	size_t len;
};

#endif

/*
 * bulk.h: many rows for tables that are empty yet, without SQLite's interpreter. lib/fast implements this interface.
 *
 * Rows get the rowids 1, 2, ... SQLite does not see them until mp_bulks_attach. Between two batches of rows SQLite
 * works in a transaction: a batch ends this transaction and begins another one. So no statement may be half done while
 * rows are added, the connection must not be in exclusive locking mode and must not keep a journal, and nobody else may
 * use the file.
 */
#ifndef MP_STORE_BULK_H
#define MP_STORE_BULK_H

#include <string.h>

#include "store/scalar.h"

enum {
	MP_BULK_COLUMN_MAX = 128,
	MP_BULK_VALUE_EXTRA = 5 /* bytes of a value besides its text, or besides 8 bytes of a number */
};

struct mp_bulks;

/* The rows of a table; owned by the bulks. The implementation puts this struct first in its own. */
struct mp_bulk {
	const struct mp_bulks *all;
	char table[64];
	bool unfit; /* SQLite must store the rows */
	int count;  /* of columns, in the order of the table */
	char names[MP_BULK_COLUMN_MAX][64];
	unsigned char
	    takes[MP_BULK_COLUMN_MAX]; /* a bit for each enum mp_type; the column that is the rowid takes NULL */
	size_t row_max;                /* bytes that the values of a row may have */
	int64_t rows;                  /* so far */
};

/* The bulks of a database. */
struct mp_bulks {
	void (*close)(struct mp_bulks *bulks);
	int (*find)(struct mp_bulk **bulk, struct mp_bulks *bulks, const char *table, struct mp_error *err);
	int (*add)(struct mp_bulk *bulk, const struct mp_scalar *values, struct mp_error *err);
	int (*attach)(struct mp_bulks *bulks, struct mp_error *err);
};

/* Frees the bulks; NULL is legal. Rows that were not attached are lost. */
static inline void mp_bulks_close(struct mp_bulks *bulks)
{
	if (bulks)
		bulks->close(bulks);
}

/*
 * Finds the bulk of a table, always the same one until it is attached. *bulk is NULL where SQLite would do more than
 * store a row: a table with indices, triggers, defaults, conditions or conversions. Returns -1 on error.
 */
static inline int mp_bulk_find(struct mp_bulk **bulk, struct mp_bulks *bulks, const char *table, struct mp_error *err)
{
	return bulks->find(bulk, bulks, table, err);
}

/* Returns the number of a column, or -1. */
static inline int mp_bulk_column(const struct mp_bulk *bulk, const char *name)
{
	int at = bulk->count;

	while (at-- && strcmp(bulk->names[at], name) != 0)
		continue;
	return at;
}

static inline bool mp_bulk_takes(const struct mp_bulk *bulk, int column, enum mp_type type)
{
	return bulk->takes[column] >> type & 1;
}

/* Adds a row, a value for each column. Refuses values that a column does not take, and rows larger than row_max. */
static inline int mp_bulk_add(struct mp_bulk *bulk, const struct mp_scalar *values, struct mp_error *err)
{
	return bulk->all->add(bulk, values, err);
}

/* Makes the rows of all bulks those of their tables, and forgets the bulks. Returns -1 on error. */
static inline int mp_bulks_attach(struct mp_bulks *bulks, struct mp_error *err)
{
	return bulks->attach(bulks, err);
}

#endif

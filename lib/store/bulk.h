/*
 * bulk.h: stores many rows in empty tables without SQLite's interpreter. lib/fast implements this interface.
 *
 * A bulk takes the rows of one table. The bulks of a database own the bulk of each table; mp_bulks_close frees all. One
 * thread at a time. Functions that return int give 0, or -1 with err.
 *
 * Rows get the rowids 1, 2, ..., or those that the column of the rowid gives: these must ascend. SQLite does not see
 * the rows before mp_bulks_attach. Writing a batch of rows ends SQLite's transaction and begins another one. Therefore
 * no statement may be half done while rows are added. The connection must keep no journal and must not use the
 * exclusive locking mode, and nobody else may use the file.
 */
#ifndef MP_STORE_BULK_H
#define MP_STORE_BULK_H

#include <string.h>

#include "store/connection.h"

enum {
	MP_BULK_COLUMN_MAX = 160,
	MP_BULK_VALUE_EXTRA = 5 /* bytes of a value besides its text, or besides 8 bytes of a number */
};

struct mp_bulks;

/* The rows of a table. The implementation puts this struct first in its own. */
struct mp_bulk {
	const struct mp_bulks *all;
	char table[64];
	bool unfit; /* SQLite must store the rows */
	int count;  /* columns, in the order of the table */
	char names[MP_BULK_COLUMN_MAX][64];
	/* A bit for each enum mp_type that a column stores unchanged. The column of the rowid takes NULL and integers.
	 */
	unsigned char takes[MP_BULK_COLUMN_MAX];
	int key;        /* the column of the rowid, or -1 */
	size_t row_max; /* the most bytes of the values of a row */
	int64_t rows;   /* added so far */
	int64_t last;   /* the rowid of the last row; 0: no row */
	bool refused;   /* a row was refused that SQLite may be able to store */
};

/* The bulks of a database. The inline functions below document the members. */
struct mp_bulks {
	void (*close)(struct mp_bulks *bulks);
	int (*find)(struct mp_bulk **bulk, struct mp_bulks *bulks, const char *table, struct mp_error *err);
	int (*add)(struct mp_bulk *bulk, const struct mp_value *const *values, struct mp_error *err);
	int (*attach)(struct mp_bulks *bulks, struct mp_error *err);
	int (*discard)(struct mp_bulks *bulks, struct mp_error *err);
};

/* The file whose tables the bulks fill. The caller owns texts and descriptor. */
struct mp_bulk_file {
	const char *schema; /* "main", or the name that the file is attached by */
	const char *path;   /* for messages */
	int fd;
};

/* Free the bulks. NULL is allowed. Rows that were not attached are lost. */
static inline void mp_bulks_close(struct mp_bulks *bulks)
{
	if (bulks)
		bulks->close(bulks);
}

/*
 * Find the bulk of a table. Until mp_bulks_attach, each call gives the same bulk. *bulk is NULL where SQLite must store
 * the rows: a table with indices, triggers, defaults, conditions or conversions.
 */
static inline int mp_bulk_find(struct mp_bulk **bulk, struct mp_bulks *bulks, const char *table, struct mp_error *err)
{
	return bulks->find(bulk, bulks, table, err);
}

/* Returns the number of a column, or -1 when not found. */
static inline int mp_bulk_column(const struct mp_bulk *bulk, const char *name)
{
	int at = bulk->count;

	while (at-- && strcmp(bulk->names[at], name) != 0)
		continue;
	return at;
}

/* Returns whether a column stores values of this type unchanged. */
static inline bool mp_bulk_takes(const struct mp_bulk *bulk, int column, enum mp_type type)
{
	return bulk->takes[column] >> type & 1;
}

/*
 * Add a row with the place of a value for each column. A value that its column does not take, a row larger than a page,
 * and a rowid that does not ascend are errors that set bulk->refused.
 */
static inline int mp_bulk_add(struct mp_bulk *bulk, const struct mp_value *const *values, struct mp_error *err)
{
	return bulk->all->add(bulk, values, err);
}

/* Give the rows of all bulks to their tables, and free the bulk of each table. */
static inline int mp_bulks_attach(struct mp_bulks *bulks, struct mp_error *err)
{
	return bulks->attach(bulks, err);
}

/*
 * Drop the rows of all bulks, and free the bulk of each table. Only right after mp_bulks_attach or the opening, as long
 * as SQLite wrote nothing since: the file gets its earlier size.
 */
static inline int mp_bulks_discard(struct mp_bulks *bulks, struct mp_error *err)
{
	return bulks->discard(bulks, err);
}

#endif

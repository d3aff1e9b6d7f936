/*
 * columns.h: the columns of a table as they are declared, for all who read or write rows without SQLite.
 *
 * No allocation, no state; the thread of the connection. The caller owns the struct.
 */
#ifndef MP_ROW_COLUMNS_H
#define MP_ROW_COLUMNS_H

#include <stdbool.h>

#include "row/cell.h"

enum { MP_ROW_COLUMN_MAX = 160 };

enum mp_declared {
	MP_DECLARED_OTHER,
	MP_DECLARED_NOTHING,
	MP_DECLARED_INTEGER,
	MP_DECLARED_NUMERIC,
	MP_DECLARED_REAL,
	MP_DECLARED_TEXT,
	MP_DECLARED_BLOB
};

struct mp_row_column {
	char name[64];
	enum mp_declared declared;
	bool is_key;    /* of the primary key */
	bool is_filled; /* computed, hidden, or with a default: a row may lack it */
	bool not_null;
};

struct mp_row_columns {
	struct mp_row_column items[MP_ROW_COLUMN_MAX]; /* in the order of the table */
	int count;
};

/*
 * Read the columns of a table; one that is not found has none. Returns an SQLite code, SQLITE_TOOBIG for too many
 * columns or a name that is too long.
 */
int mp_row_columns_read(struct mp_row_columns *columns, sqlite3 *handle, const char *schema, const char *table);

/* Returns the number of a column, or -1 when not found. */
int mp_row_columns_find(const struct mp_row_columns *columns, const char *name);

#endif

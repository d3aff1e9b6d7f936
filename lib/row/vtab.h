/*
 * vtab.h: one read-only virtual table, for all modules of this program:
 *   CREATE VIRTUAL TABLE temp.NAME USING MODULE(SELECT ...)                 a module with `make`; the queries run once,
 *   CREATE VIRTUAL TABLE temp.NAME USING MODULE((SELECT ...), (SELECT ...)) when the table is made
 *   MODULE(key, ...)                                                        a module without: a table-valued function
 *
 * A module says which columns there are, which of them a query must give by "=", and the rows. SQLite owns tables and
 * cursors. One thread at a time. Functions that return int give 0, or -1 with err, unless the comment says otherwise.
 */
#ifndef MP_ROW_VTAB_H
#define MP_ROW_VTAB_H

#include <stdbool.h>

#include "base/error.h"
#include "base/map.h"
#include "row/cell.h"

enum { MP_VTAB_COLUMNS_MAX = 16, MP_VTAB_QUERIES_MAX = 3 };

/* A table; modules put it first in their own. */
struct mp_vtab {
	sqlite3_vtab base;
	const struct mp_vtab_module *module;
	const void *about; /* as registered */
	struct mp_maps *maps;
	char *columns;              /* "a INTEGER, b TEXT"; of sqlite3_malloc */
	int first_key, key_count;   /* columns that a query must give */
	sqlite3_int64 rows_to_come; /* for SQLite's plans; 0: unknown, 1: at most one */
};

/* What the statement says that makes a table. */
struct mp_vtab_content {
	sqlite3 *handle;
	const char *module, *name;
	bool is_new; /* false when SQLite read its schema again */
	sqlite3_stmt *queries[MP_VTAB_QUERIES_MAX];
	int count;
};

/* Go to the next row of a query. Returns 1, 0 at the end, -1 on error. */
int mp_vtab_next(struct mp_vtab_content *content, int query, struct mp_error *err);

/* The rows for one set of keys; modules put it first in their own. */
struct mp_vtab_rows {
	sqlite3_vtab_cursor base;
	struct mp_value values[MP_VTAB_COLUMNS_MAX]; /* of the current row */
	int64_t number;                              /* of the current row, from 0 */
	int status;                                  /* of `next` */
};

struct mp_vtab_module {
	size_t table_size, rows_size;
	/* Set what the table needs, and `columns`. */
	int (*make)(struct mp_vtab *table, struct mp_vtab_content *content, struct mp_error *err);
	/* Free what `make` made. `gone`: the table is dropped. May be NULL. */
	void (*drop)(struct mp_vtab *table, bool gone);
	/* For a module without `make`: */
	const char *columns;
	int first_key, key_count;
	/* Begin the rows for new keys. May be NULL. */
	int (*begin)(struct mp_vtab_rows *rows, sqlite3_value **keys, struct mp_error *err);
	/* Set the values of the next row. Returns 1, 0 at the end, -1 on error. */
	int (*next)(struct mp_vtab_rows *rows, struct mp_error *err);
	/* Free what `begin` made. May be NULL. */
	void (*end)(struct mp_vtab_rows *rows);
};

/* Returns the table of rows. */
static inline struct mp_vtab *mp_vtab_of(const struct mp_vtab_rows *rows)
{
	return (struct mp_vtab *)rows->base.pVtab;
}

/* Register a module. `module`, `about` and `maps` stay in place until the connection is closed. Returns an SQLite code.
 */
int mp_vtab_register(
    sqlite3 *handle, const char *name, const struct mp_vtab_module *module, const void *about, struct mp_maps *maps);

#endif

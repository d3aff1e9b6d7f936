/*
 * row_engine.h: what may give the rows of a query in place of SQLite's interpreter.
 *
 * The store knows this interface alone. lib/fast implements it; without an engine SQLite gives all rows. An engine
 * gives exactly the values, types and titles that SQLite would give. A query and its rows belong to one thread.
 */
#ifndef MP_STORE_ROW_ENGINE_H
#define MP_STORE_ROW_ENGINE_H

#include "store/row_source.h"

struct mp_row_engine;

/* The rows of one query. The engine fills the members, and puts the struct first in its own. */
struct mp_engine_rows {
	const struct mp_row_engine *engine;
	sqlite3_stmt *statement; /* takes the parameters, too */
	const char *text;        /* the whole query */
	int column_count;
	const struct mp_scalar *const *values; /* a pointer for each column of the current row */
	const struct mp_row_source *source;    /* whose rows the engine takes; or NULL */
	bool failed;                           /* a row had an error: the query is not used again */
};

struct mp_row_engine {
	/*
	 * Takes over a query whose statement is `whole`. *rows is NULL where SQLite must compute all of it. `whole`
	 * stays the caller's. Returns -1 on error.
	 */
	int (*open)(struct mp_engine_rows **rows, struct mp_db *db, sqlite3_stmt *whole, struct mp_error *err);
	void (*close)(struct mp_engine_rows *rows);

	/* The alias of a column; valid until close. */
	const char *(*title)(const struct mp_engine_rows *rows, int column);

	/* Gives a parameter its value; ignores an unknown name. unbind makes all parameters NULL. */
	int (*bind)(struct mp_engine_rows *rows, const char *name, const struct mp_value *value, struct mp_error *err);
	void (*unbind)(struct mp_engine_rows *rows);

	/* Returns 1 for a row, 0 at the end, -1 on error. rewind goes back to before the first row. */
	int (*next)(struct mp_engine_rows *rows, struct mp_error *err);
	int (*rewind)(struct mp_engine_rows *rows);
};

#endif

/*
 * row_engine.h: the interface of an engine, which gives the rows of a query in place of SQLite's interpreter.
 *
 * The store knows only this interface; lib/expr implements the engine. Without an engine SQLite gives all rows. An
 * engine gives exactly the values, types and titles that SQLite would give. The store owns the rows of a query and
 * frees them with `close`. A query and its rows belong to one thread.
 */
#ifndef MP_STORE_ROW_ENGINE_H
#define MP_STORE_ROW_ENGINE_H

#include "row/rows.h"
#include "store/connection.h"

/* The rows of one query. The engine fills the members, and puts this struct first in its own. */
struct mp_engine_rows {
	struct mp_rows base;
	const struct mp_row_engine *engine;
	sqlite3_stmt *statement; /* the store binds the parameters of this statement, too */
	const char *text;        /* the text of the whole query */
	int column_count;
	const struct mp_source *source; /* the source that the engine reads, or NULL */
	bool alone;                     /* since the first row: no statement of SQLite gives the rows */
	bool failed;                    /* a row had an error: the query must not be used again */
};

struct mp_row_engine {
	/*
	 * Makes rows for the query of the statement `whole`, which stays the caller's. *rows is NULL when SQLite must
	 * give the rows. Returns 0, or -1 on error.
	 */
	int (*open)(struct mp_engine_rows **rows, struct mp_db *db, sqlite3_stmt *whole, struct mp_error *err);
	/* Frees the rows and their statement. NULL is allowed. */
	void (*close)(struct mp_engine_rows *rows);

	/* Returns the alias of a column; valid until close. */
	const char *(*title)(const struct mp_engine_rows *rows, int column);

	/* Binds a value to a parameter; ignores an unknown name. Returns 0, or -1 on error. unbind makes all
	   parameters NULL. */
	int (*bind)(struct mp_engine_rows *rows, const char *name, const struct mp_value *value, struct mp_error *err);
	void (*unbind)(struct mp_engine_rows *rows);

	/* Goes back to before the first row. Returns an SQLite code. */
	int (*rewind)(struct mp_engine_rows *rows);
};

#endif

/*
 * sql_script.h: runs a text of schema/sql.
 *
 * A script is a list of statements without results. The line "-- @when CONDITION" begins a section, which the line
 * "-- @end" ends. The condition is an SQL expression, evaluated once. A section whose condition is not true is skipped.
 * Sections do not nest. No state; only the thread of the database may call.
 */
#ifndef MP_STORE_SQL_SCRIPT_H
#define MP_STORE_SQL_SCRIPT_H

#include "store/db.h"

/* May run statements in place of SQLite. */
struct mp_script_runner {
	void *user;
	/* Returns 1 when the statement was run, 0 when SQLite must run it, -1 with err. */
	int (*run)(void *user, const char *sql, struct mp_error *err);
};

/* Run a script. `path` is the path of the text below schema/. Returns 0, or -1 with "schema/PATH:LINE: REASON". */
int mp_script_run(struct mp_db *db, const char *path, const char *text, struct mp_error *err);

/* The same; `runner` is asked first for each statement outside conditions. NULL is allowed. */
int mp_script_run_by(
    struct mp_db *db, const char *path, const char *text, const struct mp_script_runner *runner, struct mp_error *err);

#endif

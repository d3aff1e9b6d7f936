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

/* Run a script. `path` is the path of the text below schema/. Returns 0, or -1 with "schema/PATH:LINE: REASON". */
int mp_script_run(struct mp_db *db, const char *path, const char *text, struct mp_error *err);

#endif

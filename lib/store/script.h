/*
 * script.h: runs a text of schema/sql.
 *
 * A script is a list of statements without results. The line "-- @when CONDITION" begins a section, which the line
 * "-- @end" ends. The condition is an expression of SQL, evaluated once: where it is not true, the section is skipped.
 * Sections do not nest.
 */
#ifndef MP_STORE_SCRIPT_H
#define MP_STORE_SCRIPT_H

#include "store/db.h"

/* `path` is that of the text below schema/. An error begins with "schema/PATH:LINE: ". */
int mp_script_run(struct mp_db *db, const char *path, const char *text, struct mp_error *err);

#endif

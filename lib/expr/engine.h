/*
 * engine.h: computes the rows of queries without SQLite's interpreter (store/connection.h). The door of lib/expr.
 *
 * The results are those of SQLite. Only the thread of the database may call.
 */
#ifndef MP_EXPR_ENGINE_H
#define MP_EXPR_ENGINE_H

#include "store/connection.h"

/* Set db->plain and db->engine: the connection does without the mechanisms in `plain` (bits of enum mp_plain). */
void mp_expr_attach(struct mp_db *db, unsigned plain);

#endif

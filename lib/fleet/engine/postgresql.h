/* postgresql.h: a connection to PostgreSQL, for the two files that use it. */
#ifndef MP_FLEET_POSTGRESQL_H
#define MP_FLEET_POSTGRESQL_H

#include <libpq-fe.h>
#include <stdbool.h>

#include "base/error.h"

/* Names of tables need no schema before them: those of msprof lie in one of their own. */
#define MP_POSTGRESQL_SETTINGS "SET search_path TO msprof; SET client_encoding TO 'UTF8'"

/* Store what failed and the server's words, in one line. Returns -1. */
int mp_postgresql_fail(PGconn *conn, const PGresult *result, const char *what, struct mp_error *err);

/* Whether a result begins a COPY: one that was not asked for, by a server that may be any, never ends. */
bool mp_postgresql_copies(ExecStatusType status);

/* Run statements without rows. Returns 0, or -1 with err. */
int mp_postgresql_run(PGconn *conn, const char *sql, const char *what, struct mp_error *err);

/* Load jobs (engine.h). */
int mp_postgresql_load(void *connection, int in, int out, struct mp_error *err);

#endif

/*
 * postgresql.h: a connection to PostgreSQL, for the files that use it.
 *
 * The server may be any, and may want to do harm: libpq itself bounds neither times nor bytes. So everything is sent
 * and taken here, without blocking, and a connection that misbehaved is lost: every later call fails at once, with the
 * same reason.
 */
#ifndef MP_FLEET_POSTGRESQL_H
#define MP_FLEET_POSTGRESQL_H

#include <libpq-fe.h>
#include <stdbool.h>

#include "base/error.h"
#include "fleet/engine/engine.h"

/* Names of tables need no schema before them: those of msprof lie in one of their own. */
#define MP_POSTGRESQL_SETTINGS "SET search_path TO msprof; SET client_encoding TO 'UTF8'"

struct mp_postgresql {
	PGconn *conn;
	struct mp_patience patience;
	int64_t login_ms, silence_ms;
	int reads;   /* since something came that was asked for */
	int notices; /* the same */
	int results; /* other than rows, since something was sent */
	bool lost;
	struct mp_error why; /* it is lost */
};

/* Store what failed and the server's words, in one line. Returns -1. */
int mp_postgresql_fail(PGconn *conn, const PGresult *result, const char *what, struct mp_error *err);

/* Log in, where PQconnectStart or PQresetStart began; `poll_login` belongs to that. Returns 0, or -1 with err. */
int mp_postgresql_login(
    struct mp_postgresql *p, PostgresPollingStatusType (*poll_login)(PGconn *conn), struct mp_error *err);

/* Send what libpq has in its buffer, until the server has it. Returns 0, or -1 with err. */
int mp_postgresql_send(struct mp_postgresql *p, const char *what, struct mp_error *err);

/* Send statements, whose rows come one by one. Returns 0, or -1 with err. */
int mp_postgresql_ask(struct mp_postgresql *p, const char *sql, const char *what, struct mp_error *err);

/* The next result, or NULL after the last: clear it. Returns 0, or -1 with err where the connection is lost. */
int mp_postgresql_next(struct mp_postgresql *p, PGresult **result, const char *what, struct mp_error *err);

/* Take the results until the last, or until the server waits for rows of a COPY; add the rows that it says it took.
 * Returns 0, or -1 with err. */
int mp_postgresql_finish(struct mp_postgresql *p, int64_t *rows, const char *what, struct mp_error *err);

/* Send statements, and take their results. Returns 0, or -1 with err. */
int mp_postgresql_run(struct mp_postgresql *p, const char *sql, const char *what, struct mp_error *err);

/* Give the connection up, with a reason; or because of an answer that is of another kind. Returns -1. */
int mp_postgresql_lose(struct mp_postgresql *p, const struct mp_error *why);
int mp_postgresql_refuse(struct mp_postgresql *p, const char *what, struct mp_error *err);

/* Load jobs (engine.h). */
int mp_postgresql_load(void *connection, int in, int out, struct mp_error *err);

#endif

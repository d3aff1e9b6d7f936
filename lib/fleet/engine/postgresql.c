/* postgresql.c: PostgreSQL through libpq, which reads the URL, ~/.pgpass and the variables PG… itself. */
#include "fleet/engine/postgresql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/engine/engine.h"

int mp_postgresql_fail(PGconn *conn, const PGresult *result, const char *what, struct mp_error *err)
{
	const char *text = result ? PQresultErrorMessage(result) : NULL;
	char line[512] = "";
	size_t used = 0;

	if (!text || !*text)
		text = PQerrorMessage(conn);
	for (; *text && used + 1 < sizeof(line); text++)
		line[used++] = *text == '\n' || *text == '\t' ? ' ' : *text;
	while (used && line[used - 1] == ' ')
		used--;
	return mp_fail(err, "%s: PostgreSQL: %.*s", what, (int)used, line);
}

int mp_postgresql_run(PGconn *conn, const char *sql, const char *what, struct mp_error *err)
{
	PGresult *result = PQexec(conn, sql);
	ExecStatusType status = PQresultStatus(result);
	int failed = 0;

	if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && status != PGRES_COPY_IN)
		failed = mp_postgresql_fail(conn, result, what, err);
	PQclear(result);
	return failed;
}

bool mp_postgresql_copies(ExecStatusType status)
{
	return status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH;
}

static void be_silent(void *user, const PGresult *result)
{
	(void)user;
	(void)result;
}

static void close_connection(void *connection)
{
	PQfinish(connection);
}

static int open_connection(
    void **connection, const char *text, const struct mp_fleet_url *url, int host, struct mp_error *err)
{
	/* what the URL says comes later, and wins */
	static const char *const keys[] = {"connect_timeout", "fallback_application_name", "dbname", NULL};
	const char *const values[] = {"15", "msprof", text, NULL};
	PGconn *conn = PQconnectdbParams(keys, values, 1);

	(void)url;
	(void)host;
	*connection = conn;
	if (!conn)
		return mp_fail_memory(err, "a connection");
	PQsetNoticeReceiver(conn, be_silent, NULL);
	if (PQstatus(conn) != CONNECTION_OK)
		mp_postgresql_fail(conn, NULL, "cannot connect", err);
	else if (PQserverVersion(conn) < 110000)
		mp_error_set(err, "PostgreSQL is older than version 11");
	else if (mp_postgresql_run(conn, MP_POSTGRESQL_SETTINGS, "cannot connect", err) == 0)
		return 0;
	close_connection(conn);
	*connection = NULL;
	return -1;
}

static int version(void *connection, int64_t *found, struct mp_error *err)
{
	PGresult *result = PQexec(connection, "SELECT to_regclass('msprof.schema_version') IS NOT NULL");
	int status = 0;

	*found = 0;
	if (PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) == 1 && PQnfields(result) == 1 &&
	    *PQgetvalue(result, 0, 0) == 't') {
		PQclear(result);
		result = PQexec(connection, "SELECT coalesce(max(version), 0) FROM msprof.schema_version");
	}
	if (PQresultStatus(result) != PGRES_TUPLES_OK || PQntuples(result) != 1 || PQnfields(result) != 1)
		status = mp_postgresql_fail(connection, result, "cannot read the version of the tables", err);
	else
		*found = strtoll(PQgetvalue(result, 0, 0), NULL, 10); /* 0 for 'f' */
	PQclear(result);
	return status;
}

/* The statements of one text are one transaction. */
static int script(void *connection, const char *text, struct mp_error *err)
{
	return mp_postgresql_run(connection, text, "cannot make the tables", err);
}

/* A cut transaction leaves nothing. */
static int sweep(void *connection, struct mp_error *err)
{
	(void)connection;
	(void)err;
	return 0;
}

static int refuse_answer(struct mp_error *err)
{
	return mp_fail(err, "an answer that PostgreSQL does not give: is it another server?");
}

/* The type of a column by its number, which PostgreSQL never changes. */
static bool is_number(Oid type)
{
	enum { INT8 = 20, INT2 = 21, INT4 = 23, FLOAT4 = 700, FLOAT8 = 701, NUMERIC = 1700 };

	return type == INT8 || type == INT2 || type == INT4 || type == FLOAT4 || type == FLOAT8 || type == NUMERIC;
}

/* Stores the number of columns, which that of each row must be. */
static int give_titles(const PGresult *result, const struct mp_answer *answer, int *columns, struct mp_error *err)
{
	const char *titles[MP_ANSWER_COLUMNS];
	char are_numbers[MP_ANSWER_COLUMNS];
	int count = PQnfields(result);

	if (count > MP_ANSWER_COLUMNS)
		return mp_fail(err, "an answer of more than %d columns", MP_ANSWER_COLUMNS);
	for (int i = 0; i < count; i++) {
		titles[i] = PQfname(result, i);
		are_numbers[i] = is_number(PQftype(result, i));
	}
	*columns = count;
	return answer->titles(answer->user, titles, count, err) ||
		       answer->numbers(answer->user, are_numbers, count, err)
		   ? -1
		   : 0;
}

static int give_row(const PGresult *result, const struct mp_answer *answer, int columns, struct mp_error *err)
{
	const char *cells[MP_ANSWER_COLUMNS];
	uint32_t sizes[MP_ANSWER_COLUMNS];
	int count = PQnfields(result);

	if (count != columns) /* a server may send anything */
		return refuse_answer(err);
	for (int i = 0; i < count; i++) {
		cells[i] = PQgetisnull(result, 0, i) ? NULL : PQgetvalue(result, 0, i);
		sizes[i] = (uint32_t)PQgetlength(result, 0, i);
	}
	return answer->row(answer->user, cells, sizes, count, err);
}

static int ask(void *connection, const char *sql, const struct mp_answer *answer, struct mp_error *err)
{
	static const char what[] = "the question failed";
	PGresult *result;
	int64_t rows = 0;
	int status = 0, columns = 0;

	if (!PQsendQuery(connection, sql) || !PQsetSingleRowMode(connection))
		return mp_postgresql_fail(connection, NULL, what, err);
	for (bool first = true; (result = PQgetResult(connection)) != NULL; first = false) {
		ExecStatusType state = PQresultStatus(result);

		if (!status && mp_postgresql_copies(state))
			status = refuse_answer(err);
		if (!status && state != PGRES_SINGLE_TUPLE && state != PGRES_TUPLES_OK)
			status = mp_postgresql_fail(connection, result, what, err);
		if (!status && first)
			status = give_titles(result, answer, &columns, err);
		if (!status && state == PGRES_SINGLE_TUPLE)
			status = ++rows > MP_ANSWER_ROWS
				     ? mp_fail(err, "an answer of more than %d rows", MP_ANSWER_ROWS)
				     : give_row(result, answer, columns, err);
		PQclear(result);
		if (status && (rows > MP_ANSWER_ROWS || mp_postgresql_copies(state)))
			return status; /* the rest is not read: the connection ends */
	}
	return status;
}

static int quote(void *connection, char *dst, size_t size, const char *text, struct mp_error *err)
{
	char *literal = PQescapeLiteral(connection, text, strlen(text));
	int status = 0;

	if (!literal)
		return mp_postgresql_fail(connection, NULL, "a parameter cannot be written", err);
	if (snprintf(dst, size, "%s", literal) >= (int)size)
		status = mp_fail(err, "a parameter is too long");
	PQfreemem(literal);
	return status;
}

const struct mp_engine mp_engine_postgresql = {.name = "postgresql",
    .open = open_connection,
    .close = close_connection,
    .version = version,
    .script = script,
    .sweep = sweep,
    .ask = ask,
    .quote = quote,
    .load = mp_postgresql_load};

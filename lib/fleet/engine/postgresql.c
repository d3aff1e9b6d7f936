/* postgresql.c: PostgreSQL through libpq, which reads the URL, ~/.pgpass and the variables PG… itself. */
#include "fleet/engine/postgresql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/engine/engine.h"

#define LOGIN_S "15"

/*
 * For questions: of tables that were just loaded the server does not know the sizes, and would go through one of them
 * for each row of another. Compiling takes longer than it saves.
 */
#define ASK_SETTINGS "SET enable_nestloop = off; SET jit = off"

/* Where an error of libpq has this, TLS was asked for. */
static const char NO_TLS[] = "server does not support SSL";
static const char ALLOW_CLEAR[] = ": sslmode=prefer in the URL lets passwords and rows cross the network in clear";

enum { VALUE_SIZE = 32 };

static void take_notice(void *user, const PGresult *result)
{
	struct mp_postgresql *p = user;

	(void)result;
	p->notices++;
}

/* What the URL says, or a variable of the environment; "" where neither does. */
static const char *said(const PQconninfoOption *url, const char *keyword, const char *variable)
{
	const char *value = getenv(variable);

	for (; url && url->keyword; url++)
		if (strcmp(url->keyword, keyword) == 0 && url->val)
			return url->val;
	return value ? value : "";
}

/* Whether all hosts are this machine. Where none is said it is a socket here, unless a service file says more. */
static bool is_here(const PQconninfoOption *url)
{
	const char *hosts = said(url, "hostaddr", "PGHOSTADDR");
	bool here = true;

	if (!*hosts)
		hosts = said(url, "host", "PGHOST");
	if (!*hosts)
		return !*said(url, "service", "PGSERVICE");
	while (here && *hosts) {
		char host[MP_FLEET_HOST_SIZE];
		size_t len = strcspn(hosts, ",");

		snprintf(host, sizeof(host), "%.*s", (int)len, hosts);
		here = len < sizeof(host) && (!len || host[0] == '/' || host[0] == '@' || mp_fleet_is_here(host));
		hosts += len + (hosts[len] == ',');
	}
	return here;
}

/*
 * Begin to connect; no byte of the server is read yet. A server may ask for the password in clear, and somebody on the
 * way may say that it has no TLS: so that is asked for, unless the user says what holds, or the server is this machine.
 */
static PGconn *start(const char *text, bool *is_required)
{
	PQconninfoOption *url = PQconninfoParse(text, NULL);
	/* what the URL says comes later, and wins */
	const char *keys[] = {"connect_timeout", "fallback_application_name", "dbname", "sslmode", NULL};
	const char *const values[] = {LOGIN_S, "msprof", text, "require", NULL};
	PGconn *conn;

	*is_required = !*said(url, "sslmode", "PGSSLMODE") && !is_here(url);
	if (!*is_required)
		keys[3] = NULL;
	conn = PQconnectStartParams(keys, values, 1);
	PQconninfoFree(url);
	return conn;
}

/* Give up all files but those that TLS may read from now on, and programs. */
static int confine(const PQconninfoOption *options, bool *is_confined, struct mp_error *err)
{
	static const char *const keywords[] = {"sslrootcert", "sslcert", "sslkey", "sslcrl", "sslcrldir"};
	const char *files[sizeof(keywords) / sizeof(keywords[0]) + 1];
	size_t count = 0;

	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++) {
		const char *file = said(options, keywords[i], "");

		if (*file)
			files[count++] = file;
	}
	files[count] = NULL;
	return mp_reach_confine(files, is_confined, err);
}

static void close_connection(void *connection)
{
	struct mp_postgresql *p = connection;

	PQfinish(p->conn);
	free(p);
}

/* Confine the process, and log in. */
static int log_in(struct mp_postgresql *p, bool *is_confined, struct mp_error *err)
{
	PQconninfoOption *options = PQconninfo(p->conn);
	int64_t seconds;
	int status;

	if (!options)
		return mp_fail_memory(err, "a connection");
	seconds = strtoll(said(options, "connect_timeout", ""), NULL, 10);
	p->login_ms = seconds > 0 && seconds < p->silence_ms / 1000 ? seconds * 1000 : p->silence_ms;
	status = confine(options, is_confined, err);
	PQconninfoFree(options);
	if (status)
		return -1;
	PQsetNoticeReceiver(p->conn, take_notice, p);
	if (mp_postgresql_login(p, PQconnectPoll, err))
		return -1;
	if (PQserverVersion(p->conn) < 110000)
		return mp_fail(err, "PostgreSQL is older than version 11");
	return mp_postgresql_run(p, MP_POSTGRESQL_SETTINGS, "cannot connect", err);
}

static int open_connection(void **connection, const char *text, const struct mp_fleet_url *url, int host,
    bool *is_confined, struct mp_error *err)
{
	struct mp_postgresql *p = calloc(1, sizeof(*p));
	bool is_required = false;
	int status = p ? mp_patience_limit(&p->silence_ms, err) : mp_fail_memory(err, "a connection");

	(void)url;
	(void)host;
	*connection = NULL;
	if (!status) {
		p->conn = start(text, &is_required);
		status = p->conn ? 0 : mp_fail_memory(err, "a connection");
	}
	if (!status && PQstatus(p->conn) == CONNECTION_BAD)
		status = mp_postgresql_fail(p->conn, NULL, "cannot connect", err);
	if (!status && log_in(p, is_confined, err)) {
		size_t used = strlen(err->text);

		if (is_required && strstr(PQerrorMessage(p->conn), NO_TLS)) /* libpq gives no code */
			snprintf(err->text + used, sizeof(err->text) - used, "%s", ALLOW_CLEAR);
		status = -1;
	}
	if (status && p)
		close_connection(p);
	if (!status)
		*connection = p;
	return status;
}

/* The error for a result that is neither a row nor the end of rows. What comes after an error is not read. */
static int fail_result(struct mp_postgresql *p, const PGresult *result, const char *what, struct mp_error *err)
{
	if (PQresultStatus(result) != PGRES_FATAL_ERROR)
		return mp_postgresql_refuse(p, what, err);
	mp_postgresql_fail(p->conn, result, what, err);
	return mp_postgresql_lose(p, err);
}

/* Ask for one short value. */
static int ask_value(
    struct mp_postgresql *p, const char *sql, const char *what, char value[VALUE_SIZE], struct mp_error *err)
{
	PGresult *result;
	int rows = 0, status = mp_postgresql_ask(p, sql, what, err);

	while (!status && (status = mp_postgresql_next(p, &result, what, err)) == 0 && result) {
		ExecStatusType state = PQresultStatus(result);

		if (state == PGRES_SINGLE_TUPLE && rows++ == 0 && PQnfields(result) == 1 &&
		    PQgetlength(result, 0, 0) < VALUE_SIZE)
			snprintf(value, VALUE_SIZE, "%s", PQgetvalue(result, 0, 0));
		else if (state != PGRES_TUPLES_OK)
			status = fail_result(p, result, what, err);
		PQclear(result);
	}
	return !status && rows != 1 ? mp_postgresql_refuse(p, what, err) : status;
}

static int version(void *connection, int64_t *found, struct mp_error *err)
{
	static const char what[] = "cannot read the version of the tables";
	char value[VALUE_SIZE] = "";

	*found = 0;
	if (ask_value(connection, "SELECT to_regclass('msprof.schema_version') IS NOT NULL", what, value, err))
		return -1;
	if (value[0] != 't')
		return 0;
	if (ask_value(connection, "SELECT coalesce(max(version), 0) FROM msprof.schema_version", what, value, err))
		return -1;
	*found = strtoll(value, NULL, 10);
	return 0;
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

/* The type of a column by its number, which PostgreSQL never changes. */
static enum mp_answer_kind kind_of(Oid type)
{
	enum { INT8 = 20, INT2 = 21, INT4 = 23, FLOAT4 = 700, FLOAT8 = 701, NUMERIC = 1700 };

	if (type == FLOAT4 || type == FLOAT8)
		return MP_ANSWER_REAL;
	return type == INT8 || type == INT2 || type == INT4 || type == NUMERIC ? MP_ANSWER_NUMBER : MP_ANSWER_TEXT;
}

/* Stores the number of columns, which that of each row must be. */
static int give_titles(const PGresult *result, const struct mp_answer *answer, int *columns, struct mp_error *err)
{
	const char *titles[MP_ANSWER_COLUMNS];
	char kinds[MP_ANSWER_COLUMNS];
	int count = PQnfields(result);

	if (count > MP_ANSWER_COLUMNS)
		return mp_fail(err, "an answer of more than %d columns", MP_ANSWER_COLUMNS);
	for (int i = 0; i < count; i++) {
		titles[i] = PQfname(result, i);
		kinds[i] = (char)kind_of(PQftype(result, i));
	}
	*columns = count;
	return answer->titles(answer->user, titles, count, err) || answer->numbers(answer->user, kinds, count, err) ? -1
														    : 0;
}

static int give_row(const PGresult *result, struct mp_answer *answer, struct mp_error *err)
{
	const char *cells[MP_ANSWER_COLUMNS];
	uint32_t sizes[MP_ANSWER_COLUMNS];
	int count = PQnfields(result);

	for (int i = 0; i < count; i++) {
		cells[i] = PQgetisnull(result, 0, i) ? NULL : PQgetvalue(result, 0, i);
		sizes[i] = (uint32_t)PQgetlength(result, 0, i);
	}
	return mp_answer_row(answer, cells, sizes, count, err);
}

/* What one result adds to the answer; *columns is -1 before the first. */
static int take_result(struct mp_postgresql *p, const PGresult *result, struct mp_answer *answer, int *columns,
    const char *what, struct mp_error *err)
{
	ExecStatusType state = PQresultStatus(result);
	int64_t begun = mp_patience_pause();
	int status = 0;

	if (state != PGRES_SINGLE_TUPLE && state != PGRES_TUPLES_OK)
		return fail_result(p, result, what, err);
	if (*columns < 0)
		status = give_titles(result, answer, columns, err);
	if (!status && state == PGRES_SINGLE_TUPLE)
		status =
		    PQnfields(result) == *columns ? give_row(result, answer, err) : mp_postgresql_refuse(p, what, err);
	mp_patience_resume(&p->patience, begun);
	return status;
}

static int ask(void *connection, const char *sql, struct mp_answer *answer, struct mp_error *err)
{
	static const char what[] = "the question failed";
	struct mp_postgresql *p = connection;
	PGresult *result;
	int columns = -1, status = mp_postgresql_run(p, ASK_SETTINGS, what, err);
	bool ended = false;

	if (!status)
		status = mp_postgresql_ask(p, sql, what, err);

	while (!status && (status = mp_postgresql_next(p, &result, what, err)) == 0 && result) {
		status =
		    ended ? mp_postgresql_refuse(p, what, err) : take_result(p, result, answer, &columns, what, err);
		ended = PQresultStatus(result) == PGRES_TUPLES_OK;
		PQclear(result);
	}
	return status ? mp_postgresql_lose(p, err) : 0; /* what comes after an error is not read */
}

static int quote(void *connection, char *dst, size_t size, const char *text, struct mp_error *err)
{
	struct mp_postgresql *p = connection;
	char *literal = PQescapeLiteral(p->conn, text, strlen(text));
	int status = 0;

	if (!literal)
		return mp_postgresql_fail(p->conn, NULL, "a parameter cannot be written", err);
	if (snprintf(dst, size, "%s", literal) >= (int)size)
		status = mp_fail(err, "a parameter is too long");
	PQfreemem(literal);
	return status;
}

static int forget(void *connection, const struct mp_forget *which, int64_t *jobs, struct mp_error *err)
{
	char sql[2048] = "SELECT forget_run(", value[VALUE_SIZE] = "";
	size_t used = strlen(sql);

	if (!which->run)
		snprintf(sql, sizeof(sql), "SELECT forget_before(now() - interval '%d days')", which->days);
	else if (quote(connection, sql + used, sizeof(sql) - used - 1, which->run, err))
		return -1;
	else
		strcat(sql, ")"); /* the size was checked */
	if (ask_value(connection, sql, "the jobs cannot be removed", value, err))
		return -1;
	*jobs = strtoll(value, NULL, 10);
	return 0;
}

const struct mp_engine mp_engine_postgresql = {.name = "postgresql",
    .open = open_connection,
    .close = close_connection,
    .version = version,
    .script = script,
    .sweep = sweep,
    .forget = forget,
    .in = "IN",
    .among = "= ANY (ARRAY",
    .ask = ask,
    .quote = quote,
    .load = mp_postgresql_load};

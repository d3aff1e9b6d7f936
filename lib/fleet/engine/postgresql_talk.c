/* postgresql_talk.c: what is sent to PostgreSQL and taken from it, within bounds of time and bytes. */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "fleet/engine/postgresql.h"

enum {
	READS_MAX = 8192,   /* of libpq, which reads 16 KiB at a time, without a result */
	NOTICES_MAX = 1000, /* without a result */
	RESULTS_MAX = 64,   /* of a text of statements */
	SLICE_MS = 100,     /* TLS may have bytes in its buffer that poll() knows nothing of */
	SYN_COUNT = 3       /* an address that never answers is given up after 15 s */
};

/* What libpq says where the limit of memory holds. */
static bool is_memory(const char *text)
{
	return strstr(text, "out of memory") || strstr(text, "cannot allocate memory") ||
	       strstr(text, "lost synchronization");
}

int mp_postgresql_fail(PGconn *conn, const PGresult *result, const char *what, struct mp_error *err)
{
	const char *text = result ? PQresultErrorMessage(result) : NULL;
	char line[512] = "";
	size_t used = 0;

	if (!text || !*text)
		text = PQerrorMessage(conn);
	if (is_memory(text))
		return mp_fail(err,
		    "%s: PostgreSQL sent a message that is no message, or longer than the memory that "
		    "MSPROF_MAX_MEMORY allows",
		    what);
	for (; *text && used + 1 < sizeof(line); text++)
		line[used++] = *text == '\n' || *text == '\t' ? ' ' : *text;
	while (used && line[used - 1] == ' ')
		used--;
	return mp_fail(err, "%s: PostgreSQL: %.*s", what, (int)used, line);
}

int mp_postgresql_lose(struct mp_postgresql *p, const struct mp_error *why)
{
	if (!p->lost)
		p->why = *why;
	p->lost = true;
	return -1;
}

/* Something came that was asked for. */
static void note_progress(struct mp_postgresql *p)
{
	p->reads = p->notices = 0;
	mp_patience_renew(&p->patience);
}

/* A server may send notices, parameters and notifications as long as it likes; nobody asks for the last. */
static bool is_flood(struct mp_postgresql *p)
{
	ConnStatusType stage = PQstatus(p->conn);
	PGnotify *unasked = stage == CONNECTION_OK || stage == CONNECTION_AUTH_OK ? PQnotifies(p->conn) : NULL;
	bool is_unasked = unasked != NULL;

	PQfreemem(unasked);
	return is_unasked || p->reads > READS_MAX || p->notices > NOTICES_MAX;
}

/* Wait a little for the socket. Returns 1 when it is ready, 0 when it may be, -1 with err when it is lost. */
static int await(struct mp_postgresql *p, short events, const char *what, struct mp_error *err)
{
	struct pollfd fd = {.fd = PQsocket(p->conn), .events = events};
	int64_t left_ms = mp_patience_left_ms(&p->patience);
	int n;

	if (is_flood(p)) {
		mp_error_set(err, "%s: PostgreSQL sends without end what nobody asked for", what);
		return mp_postgresql_lose(p, err);
	}
	if (!left_ms) {
		mp_patience_fail(&p->patience, what, err);
		return mp_postgresql_lose(p, err);
	}
	n = poll(&fd, 1, left_ms < SLICE_MS ? (int)left_ms : SLICE_MS);
	if (n < 0 && errno != EINTR) {
		mp_error_set_errno(err, "%s", what);
		return mp_postgresql_lose(p, err);
	}
	p->reads += n > 0 && (fd.revents & POLLIN);
	return n > 0;
}

static int fail_lost(const struct mp_postgresql *p, struct mp_error *err)
{
	*err = p->why;
	return -1;
}

int mp_postgresql_login(
    struct mp_postgresql *p, PostgresPollingStatusType (*poll_login)(PGconn *conn), struct mp_error *err)
{
	static const char what[] = "cannot connect";
	const int syn_count = SYN_COUNT;
	PostgresPollingStatusType step = PGRES_POLLING_WRITING;
	ConnStatusType stage = CONNECTION_BAD;

	if (p->lost)
		return fail_lost(p, err);
	p->patience.limit_ms = p->login_ms;
	while (step == PGRES_POLLING_WRITING || step == PGRES_POLLING_READING) {
		int ready;

		if (PQstatus(p->conn) != stage)
			mp_patience_renew(&p->patience);
		stage = PQstatus(p->conn);
		/* a socket of this machine has no such option */
		setsockopt(PQsocket(p->conn), IPPROTO_TCP, TCP_SYNCNT, &syn_count, sizeof(syn_count));
		ready = await(p, step == PGRES_POLLING_READING ? POLLIN : POLLOUT, what, err);
		if (ready < 0)
			return -1;
		if (ready)
			step = poll_login(p->conn);
	}
	p->patience.limit_ms = p->silence_ms;
	note_progress(p);
	if (step != PGRES_POLLING_OK)
		return mp_postgresql_fail(p->conn, NULL, what, err);
	return PQsetnonblocking(p->conn, 1) ? mp_postgresql_fail(p->conn, NULL, what, err) : 0;
}

int mp_postgresql_send(struct mp_postgresql *p, const char *what, struct mp_error *err)
{
	int left;

	if (p->lost)
		return fail_lost(p, err);
	note_progress(p);
	p->results = 0;
	while ((left = PQflush(p->conn)) == 1) {
		if (await(p, POLLIN | POLLOUT, what, err) < 0)
			return -1;
		if (!PQconsumeInput(p->conn)) /* a server that is not read may not read */
			return mp_postgresql_fail(p->conn, NULL, what, err);
	}
	return left ? mp_postgresql_fail(p->conn, NULL, what, err) : 0;
}

int mp_postgresql_ask(struct mp_postgresql *p, const char *sql, const char *what, struct mp_error *err)
{
	if (p->lost)
		return fail_lost(p, err);
	if (!PQsendQuery(p->conn, sql) || !PQsetSingleRowMode(p->conn))
		return mp_postgresql_fail(p->conn, NULL, what, err);
	return mp_postgresql_send(p, what, err);
}

/* Rows are progress by their bytes, other results by themselves: a text of statements has a few. */
static void note_result(struct mp_postgresql *p, const PGresult *result)
{
	int64_t bytes = 0;

	p->reads = p->notices = 0;
	if (PQresultStatus(result) != PGRES_SINGLE_TUPLE) {
		p->results++;
		mp_patience_renew(&p->patience);
		return;
	}
	for (int i = 0; i < PQnfields(result); i++)
		bytes += PQgetlength(result, 0, i);
	mp_patience_add(&p->patience, bytes);
}

int mp_postgresql_refuse(struct mp_postgresql *p, const char *what, struct mp_error *err)
{
	mp_error_set(err, "%s: an answer that PostgreSQL does not give: is it another server?", what);
	return mp_postgresql_lose(p, err);
}

int mp_postgresql_next(struct mp_postgresql *p, PGresult **result, const char *what, struct mp_error *err)
{
	*result = NULL;
	if (p->lost)
		return fail_lost(p, err);
	if (p->results > RESULTS_MAX)
		return mp_postgresql_refuse(p, what, err);
	while (PQisBusy(p->conn)) {
		if (await(p, POLLIN, what, err) < 0)
			return -1;
		if (!PQconsumeInput(p->conn))
			break; /* the result tells why */
	}
	*result = PQgetResult(p->conn);
	if (*result)
		note_result(p, *result);
	return 0;
}

int mp_postgresql_finish(struct mp_postgresql *p, int64_t *rows, const char *what, struct mp_error *err)
{
	struct mp_error ignored, *why = err; /* the first reason counts */
	ExecStatusType status = PGRES_COMMAND_OK;
	int failed = 0, count = 0;
	PGresult *result;

	while (status != PGRES_COPY_IN) {
		if (mp_postgresql_next(p, &result, what, why))
			return -1;
		if (!result)
			break;
		status = PQresultStatus(result);
		if (status == PGRES_COMMAND_OK)
			*rows += strtoll(PQcmdTuples(result), NULL, 10);
		else if (status != PGRES_TUPLES_OK && status != PGRES_SINGLE_TUPLE && status != PGRES_COPY_IN)
			failed = mp_postgresql_fail(p->conn, result, what, why);
		PQclear(result);
		if (failed)
			why = &ignored;
		if (++count > RESULTS_MAX || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH)
			return mp_postgresql_refuse(p, what, why);
	}
	return failed;
}

int mp_postgresql_run(struct mp_postgresql *p, const char *sql, const char *what, struct mp_error *err)
{
	int64_t rows = 0;

	return mp_postgresql_ask(p, sql, what, err) || mp_postgresql_finish(p, &rows, what, err) ? -1 : 0;
}

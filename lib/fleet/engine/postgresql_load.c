/* postgresql_load.c: a job is one transaction: the earlier load goes, and the rows come by COPY. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/engine/postgresql.h"
#include "fleet/wire.h"

/* What binary COPY begins and ends with. */
static const char COPY_HEAD[] = "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0"; /* and the NUL of the array */
static const char COPY_TAIL[] = "\377\377";
enum { COPY_HEAD_SIZE = 19, COPY_TAIL_SIZE = 2, SQL_SIZE = 4096 };

struct load {
	PGconn *conn;
	int in, out;
	bool open;    /* a job has begun */
	bool copying; /* rows of a table are sent */
	bool failed;  /* the rest of the job is skipped; `why` tells the reason */
	int64_t rows; /* that the server says it took */
	struct mp_error why;
	char buffer[MP_WIRE_SIZE_MAX + 1];
};

static void fail(struct load *l)
{
	l->failed = true;
}

/* Take the results of a COPY that has ended, and the number of its rows. */
static void take_results(struct load *l)
{
	PGresult *result;

	while ((result = PQgetResult(l->conn)) != NULL) {
		ExecStatusType status = PQresultStatus(result);

		if (status == PGRES_COMMAND_OK)
			l->rows += strtoll(PQcmdTuples(result), NULL, 10);
		else if (!l->failed)
			l->failed = mp_postgresql_fail(l->conn, result, "the load failed", &l->why) != 0;
		PQclear(result);
		if (mp_postgresql_copies(status)) {
			PQreset(l->conn);
			return;
		}
	}
}

static int end_copy(struct load *l)
{
	if (!l->copying)
		return 0;
	l->copying = false;
	if (PQputCopyData(l->conn, COPY_TAIL, COPY_TAIL_SIZE) != 1 || PQputCopyEnd(l->conn, NULL) != 1)
		return mp_postgresql_fail(l->conn, NULL, "the load failed", &l->why);
	take_results(l);
	return l->failed ? -1 : 0;
}

static int begin_job(struct load *l)
{
	struct mp_wire_job job;
	char sql[256];

	memcpy(&job, l->buffer, sizeof(job));
	l->open = true;
	l->failed = l->copying = false;
	l->rows = 0;
	if (PQstatus(l->conn) != CONNECTION_OK) {
		PQreset(l->conn);
		if (PQstatus(l->conn) != CONNECTION_OK)
			return mp_postgresql_fail(l->conn, NULL, "cannot connect", &l->why);
		if (mp_postgresql_run(l->conn, MP_POSTGRESQL_SETTINGS, "cannot connect", &l->why))
			return -1;
	}
	/* two loads of a job come one after the other */
	snprintf(sql, sizeof(sql), "BEGIN; SELECT pg_advisory_xact_lock(%lld); SELECT forget_job(%lld)",
	    (long long)job.job, (long long)job.job);
	return mp_postgresql_run(l->conn, sql, "the load failed", &l->why);
}

/* "TABLE\nCOLUMNS" */
static int begin_table(struct load *l, size_t size)
{
	size_t table = strcspn(l->buffer, "\n");
	char sql[SQL_SIZE];

	l->buffer[size] = '\0';
	if (table >= size || snprintf(sql, sizeof(sql), "COPY %.*s (%s) FROM STDIN (FORMAT binary)", (int)table,
				 l->buffer, l->buffer + table + 1) >= (int)sizeof(sql))
		return mp_fail(&l->why, "the rows of a table cannot be read");
	if (mp_postgresql_run(l->conn, sql, "the load failed", &l->why))
		return -1;
	l->copying = true;
	if (PQputCopyData(l->conn, COPY_HEAD, COPY_HEAD_SIZE) != 1)
		return mp_postgresql_fail(l->conn, NULL, "the load failed", &l->why);
	return 0;
}

static int put_rows(struct load *l, size_t size)
{
	if (l->copying && PQputCopyData(l->conn, l->buffer, (int)size) == 1)
		return 0;
	return mp_postgresql_fail(l->conn, NULL, "the load failed", &l->why);
}

/* What is open on the connection ends without a trace. */
static void roll_back(struct load *l)
{
	struct mp_error ignored;

	l->failed = true;
	if (l->copying && PQputCopyEnd(l->conn, "the job is dropped") == 1)
		take_results(l);
	l->copying = false;
	if (PQstatus(l->conn) == CONNECTION_OK)
		mp_postgresql_run(l->conn, "ROLLBACK", "", &ignored);
	l->open = false;
}

static int commit(struct load *l)
{
	int64_t expected;
	PGresult *result;
	int status = 0;

	memcpy(&expected, l->buffer, sizeof(expected));
	if (l->failed || end_copy(l))
		return -1;
	if (l->rows != expected)
		return mp_fail(&l->why, "the load failed: PostgreSQL took %lld rows of %lld", (long long)l->rows,
		    (long long)expected);
	result = PQexec(l->conn, "COMMIT");
	/* in a transaction that failed, COMMIT says ROLLBACK */
	if (PQresultStatus(result) != PGRES_COMMAND_OK || strcmp(PQcmdStatus(result), "COMMIT") != 0)
		status = mp_postgresql_fail(l->conn, result, "the load failed", &l->why);
	PQclear(result);
	return status;
}

static int answer(struct load *l, bool failed, struct mp_error *err)
{
	char bytes[sizeof(int64_t) + sizeof(l->why.text)];
	const int64_t jobs = 1;

	memcpy(bytes, &jobs, sizeof(jobs));
	memcpy(bytes + sizeof(jobs), l->why.text, sizeof(l->why.text));
	return mp_wire_write(l->out, failed ? MP_WIRE_FAILED : MP_WIRE_DONE, bytes,
	    sizeof(jobs) + (failed ? strlen(l->why.text) : 0), err);
}

static int take_frame(struct load *l, const struct mp_wire_head *head, struct mp_error *err)
{
	bool failed;

	switch (head->kind) {
	case MP_WIRE_JOB:
		if (head->size != sizeof(struct mp_wire_job))
			break;
		l->failed = begin_job(l) != 0;
		return 0;
	case MP_WIRE_TABLE:
	case MP_WIRE_BULK:
		if (!l->failed && (end_copy(l) || begin_table(l, head->size)))
			fail(l);
		return 0;
	case MP_WIRE_DATA:
		if (!l->failed && put_rows(l, head->size))
			fail(l);
		return 0;
	case MP_WIRE_DROP:
		roll_back(l);
		return 0;
	case MP_WIRE_END:
		if (head->size != sizeof(int64_t))
			break;
		failed = commit(l) != 0;
		if (failed)
			roll_back(l);
		l->open = false;
		return answer(l, failed, err);
	}
	return mp_fail(err, "msprof sent an unknown message");
}

int mp_postgresql_load(void *connection, int in, int out, struct mp_error *err)
{
	struct load *l = calloc(1, sizeof(*l));
	struct mp_wire_head head;
	int status;

	if (!l)
		return mp_fail_memory(err, "rows");
	l->conn = connection;
	l->in = in;
	l->out = out;
	while ((status = mp_wire_head(in, &head, err)) == 1) {
		if (head.size && mp_wire_read(in, l->buffer, head.size, err) != 1)
			status = mp_fail(err, "msprof ended in the middle of a message");
		if (status != 1 || (status = take_frame(l, &head, err)) != 0)
			break;
	}
	if (l->open)
		roll_back(l); /* msprof ended in the middle of a job */
	free(l);
	return status;
}

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

static const char FAILED[] = "the load failed";

struct load {
	struct mp_postgresql *p;
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

static int end_copy(struct load *l)
{
	if (!l->copying)
		return 0;
	l->copying = false;
	if (PQputCopyData(l->p->conn, COPY_TAIL, COPY_TAIL_SIZE) != 1 || PQputCopyEnd(l->p->conn, NULL) != 1)
		return mp_postgresql_fail(l->p->conn, NULL, FAILED, &l->why);
	return mp_postgresql_send(l->p, FAILED, &l->why) || mp_postgresql_finish(l->p, &l->rows, FAILED, &l->why) ? -1
														  : 0;
}

static int begin_job(struct load *l)
{
	struct mp_wire_job job;
	char sql[256];

	memcpy(&job, l->buffer, sizeof(job));
	l->open = true;
	l->failed = l->copying = false;
	l->rows = 0;
	if (PQstatus(l->p->conn) != CONNECTION_OK) {
		if (!PQresetStart(l->p->conn))
			return mp_postgresql_fail(l->p->conn, NULL, "cannot connect", &l->why);
		if (mp_postgresql_login(l->p, PQresetPoll, &l->why) ||
		    mp_postgresql_run(l->p, MP_POSTGRESQL_SETTINGS, "cannot connect", &l->why))
			return -1;
	}
	/* which makes two loads of a job come one after the other */
	snprintf(sql, sizeof(sql), "BEGIN; SELECT forget_job(%lld)", (long long)job.job);
	return mp_postgresql_run(l->p, sql, FAILED, &l->why);
}

static int send_rows(struct load *l, const char *bytes, int size)
{
	if (!l->copying || PQputCopyData(l->p->conn, bytes, size) != 1)
		return mp_postgresql_fail(l->p->conn, NULL, FAILED, &l->why);
	return mp_postgresql_send(l->p, FAILED, &l->why);
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
	if (mp_postgresql_run(l->p, sql, FAILED, &l->why))
		return -1;
	l->copying = true;
	return send_rows(l, COPY_HEAD, COPY_HEAD_SIZE);
}

/* What is open on the connection ends without a trace. */
static void roll_back(struct load *l)
{
	struct mp_error ignored;
	int64_t rows = 0;

	l->failed = true;
	if (l->copying && PQputCopyEnd(l->p->conn, "the job is dropped") == 1 &&
	    mp_postgresql_send(l->p, "", &ignored) == 0)
		mp_postgresql_finish(l->p, &rows, "", &ignored);
	l->copying = false;
	if (PQstatus(l->p->conn) == CONNECTION_OK)
		mp_postgresql_run(l->p, "ROLLBACK", "", &ignored);
	l->open = false;
}

static int commit(struct load *l)
{
	struct mp_error ignored;
	int64_t expected, rows = 0;
	PGresult *result;
	int status = 0;

	memcpy(&expected, l->buffer, sizeof(expected));
	if (l->failed || end_copy(l))
		return -1;
	if (l->rows != expected)
		return mp_fail(&l->why, "the load failed: PostgreSQL took %lld rows of %lld", (long long)l->rows,
		    (long long)expected);
	if (mp_postgresql_ask(l->p, "COMMIT", FAILED, &l->why) || mp_postgresql_next(l->p, &result, FAILED, &l->why))
		return -1;
	/* in a transaction that failed, COMMIT says ROLLBACK */
	if (!result || PQresultStatus(result) != PGRES_COMMAND_OK || strcmp(PQcmdStatus(result), "COMMIT") != 0)
		status = mp_postgresql_fail(l->p->conn, result, FAILED, &l->why);
	PQclear(result);
	mp_postgresql_finish(l->p, &rows, FAILED, &ignored); /* what is lost now is told by the next job */
	return status;
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
		if (!l->failed && send_rows(l, l->buffer, (int)head->size))
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
		return mp_engine_answer(l->out, 1, failed ? l->why.text : NULL, err);
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
	l->p = connection;
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

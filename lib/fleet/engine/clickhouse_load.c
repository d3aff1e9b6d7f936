/*
 * clickhouse_load.c: several jobs are one batch. Their rows come first, with the number of this load, and nobody sees
 * them; then one INSERT of a block tells for each job that this load is its own: all tables change at that moment.
 *
 * Rows of most tables wait in memory until the batch ends. Those of a bulk table go into an INSERT that stays open:
 * libcurl asks for its next bytes, and the frames are read then.
 */
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/vec.h"
#include "fleet/engine/clickhouse.h"
#include "fleet/wire.h"

enum {
	TABLE_MAX = 16,
	TABLE_SIZE = 64,
	JOB_MAX = 128,           /* jobs of a batch */
	WAITING_MAX = 8 << 20,   /* bytes of a table in memory */
	BATCH_MIN = 4 << 20,     /* with so many bytes in memory a batch ends after a job */
	BULK_MIN = 256 << 20,    /* the same for a bulk table */
	MINUTE_S = 60,           /* clocks may differ by that */
	IDLE_MS = 1000,          /* a batch does not wait longer for the next job */
	LIST_SIZE = 24 * JOB_MAX /* numbers of the jobs as text */
};

struct table {
	char name[TABLE_SIZE];
	char columns[1024];
	char *rows;
	size_t used, most; /* now, and so far */
	bool in_batch;     /* rows of the batch were sent */
};

/* What a frame leads to. */
enum step { STEP_ON, STEP_BULK, STEP_BATCH, STEP_END, STEP_ERROR };

struct load {
	struct mp_clickhouse *c;
	int in, out;
	struct table tables[TABLE_MAX];
	int table_count;
	struct table *current, *bulk; /* of the rows that come; that of the open INSERT */
	int64_t jobs[JOB_MAX];        /* complete ones */
	int job_count;
	int64_t load, rows;
	struct mp_wire_job job;
	bool in_job;
	size_t job_mark; /* where the job begins among the rows of the table `job` */
	size_t left;     /* bytes of a frame of the bulk table that are not read */
	int64_t bulk_bytes;
	enum step step;
	bool failed; /* the batch; `why` tells the reason */
	struct mp_error why, lost;
};

static struct table *find_table(struct load *l, const char *name, size_t len)
{
	for (int i = 0; i < l->table_count; i++)
		if (strlen(l->tables[i].name) == len && strncmp(l->tables[i].name, name, len) == 0)
			return &l->tables[i];
	return NULL;
}

static bool is_job_table(const struct table *t)
{
	return strcmp(t->name, "job") == 0;
}

static void fail(struct load *l)
{
	l->failed = true;
}

/* The statement that inserts rows of a table. */
static void insert_sql(const struct load *l, const struct table *t, char *sql, size_t size)
{
	snprintf(sql, size, "INSERT INTO %s.%s_shard (%s) FORMAT RowBinary", l->c->database, t->name, t->columns);
}

/* Send what waits of a table. */
static void flush_table(struct load *l, struct table *t)
{
	const struct mp_http_body body = {.bytes = t->rows, .size = t->used};
	char sql[2048];

	insert_sql(l, t, sql, sizeof(sql));
	if (t->used && !l->failed && mp_http_run(l->c->http, sql, false, &body, &l->why))
		fail(l);
	t->in_batch = t->in_batch || t->used;
	t->used = 0;
}

static int read_all(struct load *l, void *bytes, size_t size)
{
	if (size && mp_wire_read(l->in, bytes, size, &l->lost) != 1)
		return mp_fail(&l->lost, "msprof ended in the middle of a message");
	return 0;
}

/* "TABLE\nCOLUMNS" */
static int begin_table(struct load *l, size_t size, bool is_bulk)
{
	char text[TABLE_SIZE + 1024];
	size_t len;

	if (size >= sizeof(text))
		return mp_fail(&l->lost, "msprof sent an unknown message");
	if (read_all(l, text, size))
		return -1;
	text[size] = '\0';
	len = strcspn(text, "\n");
	l->current = find_table(l, text, len);
	if (!l->current) {
		if (l->table_count == TABLE_MAX || len >= TABLE_SIZE || len == size || size - len > 1024)
			return mp_fail(&l->lost, "msprof sent an unknown message");
		l->current = &l->tables[l->table_count++];
		memcpy(l->current->name, text, len);
		memcpy(l->current->columns, text + len + 1, size - len);
	}
	if (is_bulk && l->bulk && l->bulk != l->current)
		return mp_fail(&l->lost, "msprof sent an unknown message");
	if (is_bulk)
		l->bulk = l->current;
	return 0;
}

/* Keep rows in memory. */
static int keep_rows(struct load *l, size_t size)
{
	struct table *t = l->current;

	if (t->used + size > WAITING_MAX && !is_job_table(t))
		flush_table(l, t);
	if (!mp_vec_reach(t->rows, &t->most, t->used + size))
		return mp_fail_memory(&l->lost, "rows");
	if (read_all(l, t->rows + t->used, size))
		return -1;
	t->used += size;
	return 0;
}

static int begin_job(struct load *l, size_t size)
{
	const struct table *t = find_table(l, "job", 3);

	if (size != sizeof(l->job) || l->in_job)
		return mp_fail(&l->lost, "msprof sent an unknown message");
	if (read_all(l, &l->job, size))
		return -1;
	l->load = l->job.load;
	l->job_mark = t ? t->used : 0;
	l->in_job = true;
	l->current = NULL;
	return 0;
}

/* Of a job that is not complete no row of the table `job` may stay. Its other rows are never seen. */
static void drop_job(struct load *l)
{
	struct table *t = find_table(l, "job", 3);

	if (t && l->in_job)
		t->used = l->job_mark;
	l->in_job = false;
}

/* A job is complete. Returns whether the batch ends here. */
static enum step end_job(struct load *l, size_t size)
{
	int64_t rows;
	size_t waiting = 0;

	if (size != sizeof(rows) || !l->in_job || read_all(l, &rows, size))
		return mp_fail(&l->lost, "msprof sent an unknown message"), STEP_ERROR;
	l->in_job = false;
	l->jobs[l->job_count++] = l->job.job;
	l->rows += rows - 1; /* each job is one row of the table `job` */
	for (int i = 0; i < l->table_count; i++)
		waiting += l->tables[i].used;
	return l->job_count == JOB_MAX || waiting >= BATCH_MIN || l->bulk_bytes >= BULK_MIN ? STEP_BATCH : STEP_ON;
}

static enum step take_data(struct load *l, size_t size)
{
	if (!l->current || !l->in_job) {
		mp_error_set(&l->lost, "msprof sent an unknown message");
		return STEP_ERROR;
	}
	if (l->current != l->bulk)
		return keep_rows(l, size) ? STEP_ERROR : STEP_ON;
	l->left = size;
	l->bulk_bytes += (int64_t)size;
	return size ? STEP_BULK : STEP_ON;
}

/* Take the next frame. */
static enum step take_frame(struct load *l)
{
	struct pollfd input = {.fd = l->in, .events = POLLIN};
	struct mp_wire_head head;
	int status;

	if (!l->in_job && l->job_count && poll(&input, 1, IDLE_MS) == 0)
		return STEP_BATCH;
	status = mp_wire_head(l->in, &head, &l->lost);
	if (status <= 0)
		return status < 0 ? STEP_ERROR : STEP_END;
	switch (head.kind) {
	case MP_WIRE_JOB:
		return begin_job(l, head.size) ? STEP_ERROR : STEP_ON;
	case MP_WIRE_TABLE:
	case MP_WIRE_BULK:
		return begin_table(l, head.size, head.kind == MP_WIRE_BULK) ? STEP_ERROR : STEP_ON;
	case MP_WIRE_DATA:
		return take_data(l, head.size);
	case MP_WIRE_DROP:
		drop_job(l);
		return STEP_ON;
	case MP_WIRE_END:
		return end_job(l, head.size);
	default:
		mp_error_set(&l->lost, "msprof sent an unknown message");
		return STEP_ERROR;
	}
}

/* Take frames until one has rows of the bulk table, or something ends. */
static void go_on(struct load *l)
{
	do
		l->step = take_frame(l);
	while (l->step == STEP_ON);
}

/* The next bytes of the open INSERT. */
static size_t next_bytes(void *user, char *dst, size_t size)
{
	struct load *l = user;

	if (l->left == 0)
		go_on(l);
	if (l->step != STEP_BULK)
		return l->step == STEP_ERROR || l->failed ? MP_HTTP_STOP : 0;
	if (size > l->left)
		size = l->left;
	if (read_all(l, dst, size)) {
		l->step = STEP_ERROR;
		return MP_HTTP_STOP;
	}
	l->left -= size;
	return size;
}

/* Insert rows of the bulk table until the batch ends. */
static void insert_bulk(struct load *l)
{
	const struct mp_http_body body = {.next = next_bytes, .user = l};
	char sql[2048], skipped[4096];

	insert_sql(l, l->bulk, sql, sizeof(sql));
	l->bulk->in_batch = true;
	if (!l->failed && mp_http_run(l->c->bulk, sql, false, &body, l->failed ? &l->lost : &l->why))
		fail(l);
	while (l->step == STEP_BULK) { /* after an error the rest is not wanted */
		while (l->left && l->step == STEP_BULK) {
			size_t size = l->left < sizeof(skipped) ? l->left : sizeof(skipped);

			if (read_all(l, skipped, size))
				l->step = STEP_ERROR;
			l->left -= size;
		}
		if (l->step == STEP_BULK)
			go_on(l);
	}
}

/* The numbers of the batch's jobs, separated by commas. */
static void list_jobs(const struct load *l, char list[LIST_SIZE])
{
	size_t used = 0;

	for (int i = 0; i < l->job_count; i++)
		used += (size_t)snprintf(list + used, LIST_SIZE - used, "%s%" PRId64, i ? "," : "", l->jobs[i]);
}

/* What the shard has of the batch must be what was sent: a server may take the beginning of a cut INSERT for all. */
static int check_rows(struct load *l, const char *list, struct mp_error *err)
{
	const size_t size = TABLE_MAX * (LIST_SIZE + 256);
	char *sql = malloc(size);
	size_t used;
	int64_t rows;
	int status;

	if (!sql)
		return mp_fail_memory(err, "a statement");
	used = (size_t)snprintf(sql, size, "SELECT 0");
	for (int i = 0; i < l->table_count; i++)
		if (l->tables[i].in_batch && !is_job_table(&l->tables[i]))
			used += (size_t)snprintf(sql + used, size - used,
			    " + (SELECT count() FROM %s.%s_shard WHERE load = %" PRId64 " AND job IN (%s))",
			    l->c->database, l->tables[i].name, l->load, list);
	status = mp_http_number(l->c->http, sql, &rows, err);
	free(sql);
	if (status)
		return -1;
	return rows == l->rows
		   ? 0
		   : mp_fail(err, "the load failed: ClickHouse has %" PRId64 " rows of %" PRId64, rows, l->rows);
}

/* The load with the latest time counts: one from the future, by a machine whose clock was wrong, would hide this one.
 */
static int refuse_future(struct load *l, const char *list, struct mp_error *err)
{
	char sql[LIST_SIZE + 256];
	int64_t later;

	snprintf(sql, sizeof(sql), "SELECT count() FROM %s.job_shard WHERE job IN (%s) AND load > %" PRId64 "000000000",
	    l->c->database, list, (int64_t)time(NULL) + MINUTE_S);
	if (mp_http_number(l->c->http, sql, &later, err))
		return -1;
	return !later
		   ? 0
		   : mp_fail(err,
			 "a job was loaded in the future: correct the clock, or remove the rows of %s.job_shard whose "
			 "load, in ns since 1970, is later than now",
			 l->c->database);
}

/* The loads that this one replaces. */
static int find_replaced(struct load *l, const char *list, char **pairs, struct mp_error *err)
{
	char sql[LIST_SIZE + 256];

	snprintf(sql, sizeof(sql), "SELECT job, load FROM %s.job_shard WHERE job IN (%s) AND load < %" PRId64,
	    l->c->database, list, l->load);
	return mp_clickhouse_pairs(l->c, sql, pairs, err);
}

/* Make the batch what its jobs are. */
static void commit(struct load *l)
{
	struct table *jobs = find_table(l, "job", 3);
	struct mp_error ignored;
	char list[LIST_SIZE], *replaced = NULL;

	list_jobs(l, list);
	for (int i = 0; i < l->table_count; i++)
		if (!is_job_table(&l->tables[i]))
			flush_table(l, &l->tables[i]);
	if (l->failed || refuse_future(l, list, &l->why) || check_rows(l, list, &l->why) ||
	    find_replaced(l, list, &replaced, &l->why))
		fail(l);
	if (!l->failed && jobs)
		flush_table(l, jobs);
	if (!l->failed && replaced)
		mp_clickhouse_remove(l->c, replaced, &ignored); /* nobody sees them; --init removes them later */
	free(replaced);
}

/* End a batch, and begin the next one. */
static int end_batch(struct load *l, struct mp_error *err)
{
	int status = 0;

	if (l->job_count) {
		commit(l);
		status = mp_engine_answer(l->out, l->job_count, l->failed ? l->why.text : NULL, err);
	}
	for (int i = 0; i < l->table_count; i++) {
		l->tables[i].used = 0;
		l->tables[i].in_batch = false;
	}
	l->job_count = 0;
	l->rows = l->bulk_bytes = 0;
	l->bulk = NULL;
	l->failed = false;
	return status;
}

int mp_clickhouse_load(void *connection, int in, int out, struct mp_error *err)
{
	struct load *l = calloc(1, sizeof(*l));
	int status = 0;

	if (!l)
		return mp_fail_memory(err, "rows");
	l->c = connection;
	l->in = in;
	l->out = out;
	while (!status && l->step != STEP_END && l->step != STEP_ERROR) {
		go_on(l);
		if (l->step == STEP_BULK)
			insert_bulk(l);
		drop_job(l); /* msprof ended in the middle of a job */
		status = end_batch(l, err);
	}
	if (!status && l->step == STEP_ERROR) {
		*err = l->lost;
		status = -1;
	}
	for (int i = 0; i < l->table_count; i++)
		free(l->tables[i].rows);
	free(l);
	return status;
}

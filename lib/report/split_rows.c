/*
 * split_rows.c: divides queries into ranges, and opens each query once for every thread that takes a range. Knows no
 * format.
 */
#include "report/split_rows.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "report/report.h"

enum {
	RANGE_ROWS = 2048,
	RANGE_MAX = 65536 /* ranges of a query, however far apart its keys are */,
	ROW_LEAST = 2 /* bytes of a row in the database */,
	WORTH_THREADS = 8 /* ranges beyond one for each query that make further threads worthwhile */
};

struct query {
	bool is_split;
	int64_t first, last;
	uint64_t step;
	int64_t ranges;
	struct mp_query *rows[MP_TEAM_MAX];
};

struct run {
	const struct mp_split_rows *what;
	int members; /* threads */
	int64_t parts;
	pthread_mutex_t opening;
	const struct mp_team *team;
	struct query queries[MP_SPLIT_ROWS_MAX];
};

/* The range of all rows of a query; as many as a database of `bytes` may have. Returns 1, 0 if it has none, -1 with
 * err. */
static int whole(const struct mp_split_rows *s, const struct mp_sql *sql, struct mp_db *db, int64_t bytes,
    struct mp_report_range *range, struct mp_error *err)
{
	if (mp_report_within(sql, s->each, range))
		return 1;
	range->rows = (uint64_t)(bytes / ROW_LEAST) + 1;
	return mp_report_split(sql, db, &range->first, &range->last, err);
}

/*
 * Find the range of a query's key, and divide it. A table without rows is one range. Rows that are few among their keys
 * have few ranges.
 */
static int cut(struct query *query, const struct mp_split_rows *s, const struct mp_sql *sql, struct mp_db *db,
    int64_t bytes, struct mp_error *err)
{
	struct mp_report_range range;
	uint64_t keys;
	int status = whole(s, sql, db, bytes, &range, err);

	query->ranges = 1;
	if (status != 1)
		return status;
	query->is_split = true;
	query->first = range.first;
	query->last = range.last;
	if (range.first > range.last)
		return 0;
	keys = (uint64_t)range.last - (uint64_t)range.first;
	query->step = keys / RANGE_MAX + 1;
	if (query->step < RANGE_ROWS)
		query->step = RANGE_ROWS;
	if (query->step <= keys / (range.rows / RANGE_ROWS + 1))
		query->step = keys / (range.rows / RANGE_ROWS + 1) + 1;
	query->ranges = (int64_t)(keys / query->step) + 1;
	return 0;
}

/* Bind the n-th range. */
static int bind_range(const struct query *query, struct mp_query *rows, int64_t n, struct mp_error *err)
{
	uint64_t first = (uint64_t)query->first + (uint64_t)n * query->step;
	int64_t last = n + 1 == query->ranges ? query->last : (int64_t)(first + query->step - 1);

	return mp_query_bind_int(rows, "split_first", (int64_t)first, err) ||
		       mp_query_bind_int(rows, "split_last", last, err)
		   ? -1
		   : 0;
}

/* The query of a thread, prepared at first use. Most queries have one range, so only one thread prepares them. */
static int open_rows(struct run *r, int member, int query, struct mp_query **rows, struct mp_error *err)
{
	int status = 0;

	*rows = r->queries[query].rows[member];
	if (*rows) {
		mp_query_rewind(*rows);
		return 0;
	}
	pthread_mutex_lock(&r->opening);
	status = r->what->open(r->what->user, query, r->team->dbs[member], rows, err);
	pthread_mutex_unlock(&r->opening);
	r->queries[query].rows[member] = *rows;
	return status;
}

static int make(void *user, int member, int64_t at, struct mp_out *out, struct mp_error *err)
{
	struct run *r = user;
	struct mp_query *rows;
	int i = 0;

	if (r->what->backwards)
		at = r->parts - 1 - at;
	for (; at >= r->queries[i].ranges; i++)
		at -= r->queries[i].ranges;
	if (open_rows(r, member, i, &rows, err) ||
	    (r->queries[i].is_split && bind_range(&r->queries[i], rows, at, err)))
		return -1;
	return r->what->write(r->what->user, member, i, rows, out, err);
}

static void waited(void *user)
{
	const struct run *r = user;

	r->what->waited(r->what->user);
}

static int pass_on(void *user, struct mp_out *out, const char *bytes, size_t size, struct mp_error *err)
{
	const struct run *r = user;

	return r->what->take(r->what->user, out, bytes, size, err);
}

int mp_split_rows_write(const struct mp_split_rows *s, struct mp_team *team, struct mp_out *out, struct mp_error *err)
{
	struct run *r = calloc(1, sizeof(*r));
	struct mp_ordered parts = {
	    .make = make, .take = s->take ? pass_on : NULL, .waited = s->waited ? waited : NULL, .user = r};
	int64_t bytes;
	int status;

	if (!r)
		return mp_fail_memory(err, "a report");
	r->what = s;
	r->team = team;
	status = mp_db_size(team->dbs[0], &bytes, err);
	for (int i = 0; !status && i < s->count; i++) {
		status = cut(&r->queries[i], s, s->queries[i], team->dbs[0], bytes, err);
		parts.count += r->queries[i].ranges;
	}
	r->parts = parts.count;
	r->members = 1;
	if (!status && parts.count - s->count >= WORTH_THREADS) {
		mp_team_grow(team);
		r->members = team->count;
	}
	pthread_mutex_init(&r->opening, NULL); /* without attributes it does not fail */
	if (!status)
		status = mp_ordered_write(&parts, r->members, out, err);
	pthread_mutex_destroy(&r->opening);
	for (int i = 0; i < s->count; i++)
		for (int member = 0; member < r->members; member++)
			mp_query_close(r->queries[i].rows[member]);
	free(r);
	return status;
}

/*
 * Threads take the parts in order, and a ring of buffers is written in that order.
 *
 * There is no deadlock: a part waits only for earlier parts, and the earliest unfinished part waits for nothing.
 */

enum { ROOM = 1 << 20, SLOTS_EACH = 2, SLOT_MAX = SLOTS_EACH * MP_ORDERED_MAX };

struct crew;

/* A part that is being made, or waits to be written. */
struct slot {
	struct crew *crew;
	struct mp_out *out;
	int64_t part;
	int member;
	bool done;
};

struct crew {
	const struct mp_ordered *parts;
	struct mp_out *out;    /* the output of the part whose turn it is */
	pthread_mutex_t lock;  /* guards all members below */
	pthread_cond_t moved;  /* a change that threads wait for */
	int64_t next;          /* the first part that no thread has taken */
	int64_t turn;          /* the first part that is not written */
	int64_t end;           /* the first failed part, or the number of parts */
	struct mp_error error; /* of the first failed part */
	int members, slot_count;
	struct slot slots[SLOT_MAX];
};

struct worker {
	struct crew *crew;
	int number;
	pthread_t thread;
};

static void wait_for_others(struct crew *c, int member)
{
	pthread_cond_wait(&c->moved, &c->lock);
	if (member == 0 && c->parts->waited) {
		pthread_mutex_unlock(&c->lock);
		c->parts->waited(c->parts->user);
		pthread_mutex_lock(&c->lock);
	}
}

/* Write or hand over what is kept of the part whose turn it is. */
static int move(struct crew *c, struct mp_out *from, struct mp_error *err)
{
	const char *bytes;
	size_t size;
	int status;

	if (!c->parts->take) {
		mp_out_move(c->out, from);
		return 0;
	}
	bytes = mp_out_kept(from, &size);
	status = size ? c->parts->take(c->parts->user, c->out, bytes, size, err) : 0;
	mp_out_restart(from);
	return status;
}

/* Under the lock: a part has failed. */
static void end_at(struct crew *c, int64_t part, const struct mp_error *err)
{
	if (part >= c->end)
		return;
	c->end = part;
	c->error = *err;
}

/* The buffer of a part is full: wait for the part's turn, then write the buffer. */
static void write_slot(void *user)
{
	struct slot *s = user;
	struct crew *c = s->crew;
	struct mp_error err;
	bool in_vain;

	pthread_mutex_lock(&c->lock);
	while (c->turn != s->part && s->part < c->end)
		wait_for_others(c, s->member);
	in_vain = s->part >= c->end;
	pthread_mutex_unlock(&c->lock);
	if (!in_vain && move(c, s->out, &err)) {
		pthread_mutex_lock(&c->lock);
		end_at(c, s->part, &err);
		pthread_mutex_unlock(&c->lock);
		in_vain = true;
	}
	if (in_vain) {
		mp_out_restart(s->out);
		mp_out_stop(s->out);
	}
	pthread_cond_broadcast(&c->moved); /* wakes threads that wait for a turn */
}

static struct slot *take_slot(struct crew *c, int member)
{
	struct slot *s = NULL;

	pthread_mutex_lock(&c->lock);
	while (c->next < c->end && c->next >= c->turn + c->slot_count)
		wait_for_others(c, member);
	if (c->next < c->end) {
		s = &c->slots[c->next % c->slot_count];
		s->part = c->next++;
		s->member = member;
		s->done = false;
	}
	pthread_mutex_unlock(&c->lock);
	return s;
}

/* End a part. The thread that ends the current part writes it, and all later parts that are done. */
static void finish(struct slot *s, int status, struct mp_error *err)
{
	struct crew *c = s->crew;

	pthread_mutex_lock(&c->lock);
	s->done = true;
	if (status)
		end_at(c, s->part, err);
	while (s->done && s->part == c->turn && s->part <= c->end) {
		pthread_mutex_unlock(&c->lock);
		status = move(c, s->out, err);
		pthread_mutex_lock(&c->lock);
		if (status)
			end_at(c, s->part, err);
		c->turn++;
		s = &c->slots[c->turn % c->slot_count];
	}
	pthread_cond_broadcast(&c->moved);
	pthread_mutex_unlock(&c->lock);
}

static void *work(void *user)
{
	struct worker *m = user;
	const struct mp_ordered *parts = m->crew->parts;
	struct mp_error err;
	struct slot *s;

	while ((s = take_slot(m->crew, m->number)))
		finish(s, parts->make(parts->user, m->number, s->part, s->out, &err), &err);
	return NULL;
}

static void begin_threads(struct crew *c, struct worker *members, int threads)
{
	for (c->members = 1; c->members < threads; c->members++) {
		members[c->members] = (struct worker){.crew = c, .number = c->members};
		if (mp_thread_start(&members[c->members].thread, work, &members[c->members]))
			break; /* fewer threads suffice */
	}
}

static int write_alone(const struct mp_ordered *parts, struct mp_out *out, struct mp_error *err)
{
	for (int64_t i = 0; i < parts->count; i++)
		if (parts->make(parts->user, 0, i, out, err))
			return -1;
	return 0;
}

static int write_together(struct crew *c, int threads, struct mp_error *err)
{
	struct worker members[MP_ORDERED_MAX] = {{.crew = c}};

	pthread_mutex_init(&c->lock, NULL); /* neither fails without attributes */
	pthread_cond_init(&c->moved, NULL);
	c->members = 1;
	begin_threads(c, members, threads);
	work(&members[0]);
	for (int i = 1; i < c->members; i++)
		pthread_join(members[i].thread, NULL);
	pthread_cond_destroy(&c->moved);
	pthread_mutex_destroy(&c->lock);
	if (c->end == c->parts->count)
		return 0;
	*err = c->error;
	return -1;
}

int mp_ordered_write(const struct mp_ordered *parts, int threads, struct mp_out *out, struct mp_error *err)
{
	struct crew c = {.parts = parts, .out = out, .end = parts->count};
	int status;

	if (threads > MP_ORDERED_MAX)
		threads = MP_ORDERED_MAX;
	while ((threads > 1 || parts->take) && c.slot_count < SLOTS_EACH * threads) {
		struct slot *s = &c.slots[c.slot_count];

		*s = (struct slot){.crew = &c, .part = -1};
		if (mp_out_keep(&s->out, ROOM, write_slot, s, err))
			break; /* fewer slots suffice */
		c.slot_count++;
	}
	if (threads > c.slot_count / SLOTS_EACH)
		threads = c.slot_count / SLOTS_EACH;
	if (!parts->take && threads < 2)
		status = write_alone(parts, out, err);
	else
		status = threads ? write_together(&c, threads, err) : -1;
	for (int i = 0; i < c.slot_count; i++)
		mp_out_abort(c.slots[i].out);
	return status;
}

/* The range of the key by which a query is divided. */

static bool value_of(const struct mp_report_row *row, const char *title, int64_t *value)
{
	for (int i = 0; i < row->count; i++)
		if (strcmp(row->titles[i], title) == 0) {
			*value = row->values[i].i;
			return row->values[i].type == MP_INT;
		}
	return false;
}

bool mp_report_within(const struct mp_sql *sql, const struct mp_report_row *each, struct mp_report_range *range)
{
	int64_t rows;

	if (!sql->within[0][0] || !value_of(each, sql->within[0], &range->first) ||
	    !value_of(each, sql->within[1], &range->last) || !value_of(each, sql->within[2], &rows))
		return false;
	range->rows = rows > 0 ? (uint64_t)rows : 0;
	return true;
}

int mp_report_split(const struct mp_sql *sql, struct mp_db *db, int64_t *first, int64_t *last, struct mp_error *err)
{
	int table = (int)strcspn(sql->split, "."), status;
	struct mp_query *q;
	char text[5 * sizeof(sql->split)];

	if (!sql->split[0])
		return 0;
	snprintf(text, sizeof(text), "SELECT (SELECT min(%s) FROM %.*s), (SELECT max(%s) FROM %.*s)", sql->split, table,
	    sql->split, sql->split, table, sql->split);
	status = mp_query_ask(&q, db, text, NULL, 0, err);
	if (status == 1 && mp_query_value(q, 0).type == MP_INT) {
		*first = mp_query_int(q, 0);
		*last = mp_query_int(q, 1);
	} else if (status == 1) {
		status = 0;
	}
	mp_query_close(q);
	return status;
}

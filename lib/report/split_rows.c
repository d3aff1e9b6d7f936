/*
 * split_rows.c: divides queries into ranges, and opens each query once for every thread that takes a range. Knows no
 * format.
 */
#include "report/split_rows.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "report/ordered.h"

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

static int take(void *user, struct mp_out *out, const char *bytes, size_t size, struct mp_error *err)
{
	const struct run *r = user;

	return r->what->take(r->what->user, out, bytes, size, err);
}

int mp_split_rows_write(const struct mp_split_rows *s, struct mp_team *team, struct mp_out *out, struct mp_error *err)
{
	struct run *r = calloc(1, sizeof(*r));
	struct mp_ordered parts = {
	    .make = make, .take = s->take ? take : NULL, .waited = s->waited ? waited : NULL, .user = r};
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

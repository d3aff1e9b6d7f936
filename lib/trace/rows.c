/* rows.c: finds the columns of a trace report by their titles. */
#include "trace/feed.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

int mp_trace_columns_named(const struct mp_query *rows, const char *title, size_t len)
{
	for (int i = 0; i < mp_query_column_count(rows); i++)
		if (strlen(mp_query_title(rows, i)) == len && memcmp(mp_query_title(rows, i), title, len) == 0)
			return i;
	return -1;
}

static int find(const struct mp_query *rows, const char *title)
{
	return mp_trace_columns_named(rows, title, strlen(title));
}

/* The columns with a prefix, which are adjacent. */
static int find_keys(struct mp_trace_keys *keys, const struct mp_query *rows, const char *prefix,
    const struct mp_report *report, struct mp_error *err)
{
	size_t len = strlen(prefix);

	keys->count = 0;
	for (int i = 0; i < mp_query_column_count(rows); i++) {
		const char *title = mp_query_title(rows, i);

		if (strncmp(title, prefix, len) != 0)
			continue;
		if (!keys->count)
			keys->first = i;
		if (i != keys->first + keys->count)
			return mp_fail(err, "schema/%s: the columns %s… are not adjacent", report->path, prefix);
		keys->titles[keys->count++] = title + len;
	}
	return 0;
}

int mp_trace_columns_find(
    struct mp_trace_columns *c, const struct mp_query *rows, const struct mp_report *report, struct mp_error *err)
{
	const int start = find(rows, "start_ns"), sample = find(rows, "time_ns");

	c->count = mp_query_column_count(rows);
	if (c->count > MP_REPORT_COLUMN_MAX)
		return mp_fail(err, "schema/%s: more than %d columns", report->path, MP_REPORT_COLUMN_MAX);
	c->kind = start >= 0 ? MP_TRACE_SLICES : sample >= 0 ? MP_TRACE_SAMPLES : MP_TRACE_PROCESSES;
	c->time = start >= 0 ? start : sample;
	c->layer = find(rows, "layer");
	c->process = find(rows, "process");
	c->track = find(rows, "track");
	c->name = find(rows, "name");
	c->dur = find(rows, "dur_ns");
	c->call = find(rows, "caller");
	c->launch = find(rows, "launch");
	c->process_name = find(rows, "_process");
	c->thread_name = find(rows, "_thread");
	c->rank = find(rows, "_rank");
	if (c->layer < 0 || c->process < 0 || c->name < 0 ||
	    (c->kind == MP_TRACE_SLICES && (c->track < 0 || c->dur < 0)))
		return mp_fail(err, "schema/%s: rows of a trace lack a column", report->path);
	return find_keys(&c->keys, rows, c->kind == MP_TRACE_SAMPLES ? "value." : "args.", report, err);
}

/* Keeps the rows of one range at a time. */

enum { RANGE_KEYS = 1024, RANGE_MAX = 65536, ROWS_MAX = 65536, TEXTS_MAX = 32 << 20 };

int mp_trace_backwards_begin(struct mp_trace_backwards *b, struct mp_query *rows, const struct mp_sql *sql,
    struct mp_db *db, struct mp_error *err)
{
	int status;

	mp_trace_backwards_free(b); /* the next query may have more columns */
	b->rows = rows;
	b->columns = mp_query_column_count(rows);
	status = mp_report_split(sql, db, &b->first, &b->last, err);
	b->has_range = status == 1;
	b->step = ((uint64_t)b->last - (uint64_t)b->first) / RANGE_MAX;
	if (b->step < RANGE_KEYS)
		b->step = RANGE_KEYS;
	return status < 0 ? -1 : 0;
}

/* Copy a text that is gone with the next row. */
static bool keep_text(struct mp_trace_backwards *b, struct mp_value *v)
{
	if (!mp_vec_reach(b->texts, &b->texts_most, b->used + v->len))
		return false;
	if (v->len)
		memcpy(b->texts + b->used, v->text, v->len);
	v->i = (int64_t)b->used;
	b->used += v->len;
	return true;
}

static bool is_kept(const struct mp_value *v)
{
	return v->type >= MP_TEXT && !(v->marks & MP_MARK_STAYS);
}

/* Returns 0; -1 with err; -2 when the texts of the range take too much memory. */
static int keep_row(struct mp_trace_backwards *b, struct mp_error *err)
{
	struct mp_value *row;

	if (!mp_vec_reach(b->cells, &b->cells_most, (b->count + 1) * (size_t)b->columns))
		return mp_fail_memory(err, "a trace");
	row = b->cells + b->count++ * (size_t)b->columns;
	mp_query_row(b->rows, row, b->columns);
	for (int i = 0; i < b->columns; i++) {
		if (is_kept(&row[i]) && row[i].len > TEXTS_MAX - b->used)
			return -2;
		if (is_kept(&row[i]) && !keep_text(b, &row[i]))
			return mp_fail_memory(err, "a trace");
	}
	return 0;
}

/* Read the last range that is left. */
static int read_range(struct mp_trace_backwards *b, struct mp_error *err)
{
	bool is_first = (uint64_t)b->last - (uint64_t)b->first <= b->step;
	int64_t from = is_first ? b->first : (int64_t)((uint64_t)b->last - b->step);
	int status;

	b->count = b->used = 0;
	mp_query_rewind(b->rows);
	if (mp_query_bind_int(b->rows, "split_first", from, err) ||
	    mp_query_bind_int(b->rows, "split_last", b->last, err))
		return -1;
	while ((status = mp_query_next(b->rows, err)) == 1) {
		if (b->count == ROWS_MAX)
			return -2;
		status = keep_row(b, err);
		if (status)
			return status;
	}
	b->has_range = !is_first;
	b->last = (int64_t)((uint64_t)from - 1);
	return status;
}

int mp_trace_backwards_next(struct mp_trace_backwards *b, struct mp_value *cells, struct mp_error *err)
{
	const struct mp_value *row;

	while (!b->count) {
		int status = b->has_range ? read_range(b, err) : 0;

		if (status < 0 || (!b->count && !b->has_range))
			return status;
	}
	row = b->cells + --b->count * (size_t)b->columns;
	memcpy(cells, row, (size_t)b->columns * sizeof(*cells));
	for (int i = 0; i < b->columns; i++)
		if (is_kept(&cells[i]))
			cells[i].text = b->texts + cells[i].i;
	return 1;
}

void mp_trace_backwards_free(struct mp_trace_backwards *b)
{
	free(b->cells);
	free(b->texts);
	memset(b, 0, sizeof(*b));
}

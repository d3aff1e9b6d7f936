/*
 * timeline_ranges.c: rows of a timeline in ranges of a key, last range first, and the last layer before the others. A
 * thread makes the events of a range in order of the key, and hands them over backwards. Lanes and numbers of threads
 * need all events before them: they are added when it is the turn of the range.
 */
#include "report/timeline_internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "report/split_rows.h"

enum { ARENA = 1 << 20, ITEM_MAX = 60 << 10 };

/* An event without its number of a thread: `head` bytes before the number, `tail` after it. */
struct item {
	struct mp_trace_time time;
	uint32_t head, tail;
};

/* What a thread keeps between its ranges. */
struct maker {
	struct mp_trace_event event;
	struct mp_out *arena; /* the events of a range, each text followed by its item */
	bool too_long;
};

struct ranges {
	struct mp_trace *trace;
	struct mp_split_rows split;
	enum mp_trace_outcome outcome; /* of the events that were taken */
	atomic_bool too_long;
	struct maker *makers[MP_TEAM_MAX];
};

static void note_full(void *user)
{
	struct maker *m = user;

	m->too_long = true;
	mp_out_restart(m->arena);
}

static struct maker *maker_new(struct mp_error *err)
{
	struct maker *m = calloc(1, sizeof(*m));

	if (!m) {
		mp_fail_memory(err, "a timeline");
		return NULL;
	}
	if (mp_out_keep(&m->arena, ARENA, note_full, m, err)) {
		free(m);
		return NULL;
	}
	return m;
}

static size_t kept_bytes(const struct maker *m)
{
	size_t size;

	mp_out_kept(m->arena, &size);
	return size;
}

static void keep_event(struct maker *m, const struct mp_trace_time *time)
{
	struct item item = {.time = *time};
	size_t begun = kept_bytes(m), middle;

	mp_trace_event_head(&m->event);
	middle = kept_bytes(m);
	mp_trace_event_tail(&m->event, time->start_ns, mp_trace_duration(time));
	item.head = (uint32_t)(middle - begun);
	item.tail = (uint32_t)(kept_bytes(m) - middle);
	m->too_long = m->too_long || kept_bytes(m) - begun > ITEM_MAX;
	mp_out_write(m->arena, (const char *)&item, sizeof(item));
}

/* Write the events of the arena, last one first, each item before its text. */
static void hand_over(const struct maker *m, struct mp_out *out)
{
	size_t left;
	const char *bytes = mp_out_kept(m->arena, &left);

	while (left) {
		struct item item;
		size_t text;
		char *at;

		left -= sizeof(item);
		memcpy(&item, bytes + left, sizeof(item));
		text = (size_t)item.head + item.tail;
		left -= text;
		at = mp_out_reserve(out, sizeof(item) + text);
		memcpy(at, &item, sizeof(item));
		memcpy(at + sizeof(item), bytes + left, text);
		mp_out_advance(out, sizeof(item) + text);
	}
}

static int make(void *user, int member, int query, struct mp_query *rows, struct mp_out *out, struct mp_error *err)
{
	struct ranges *r = user;
	struct maker *m = r->makers[member];
	struct mp_trace_time time;
	int status;

	(void)query;
	if (!m && !(m = r->makers[member] = maker_new(err)))
		return -1;
	mp_out_restart(m->arena);
	if (mp_trace_event_begin(&m->event, r->trace->report, rows, m->arena, err))
		return -1;
	while (!m->too_long && (status = mp_query_next(rows, err)) != 0) {
		if (status < 0 || mp_trace_event_read(&m->event, rows, &time, err))
			return -1;
		keep_event(m, &time);
	}
	if (m->too_long) {
		atomic_store(&r->too_long, true);
		return mp_fail(err, "schema/%s: long events", r->trace->report->path);
	}
	hand_over(m, out);
	return mp_out_error(out, err);
}

/* Write events whose turn it is. */
static int take(void *user, struct mp_out *out, const char *bytes, size_t size, struct mp_error *err)
{
	struct ranges *r = user;
	const char *end = bytes + size;
	int64_t tid;

	while (bytes < end) {
		struct item item;
		char *begun, *at;

		memcpy(&item, bytes, sizeof(item));
		bytes += sizeof(item);
		r->outcome = mp_trace_place(r->trace, &item.time, &tid, err);
		if (r->outcome != MP_TRACE_WRITTEN)
			return -1;
		begun = mp_out_reserve(out, (size_t)item.head + item.tail + MP_DIGITS_ROOM);
		memcpy(begun, bytes, item.head);
		at = mp_digits_put_int(begun + item.head, tid);
		memcpy(at, bytes + item.head, item.tail);
		mp_out_advance(out, (size_t)(at - begun) + item.tail);
		bytes += item.head + item.tail;
	}
	return mp_out_error(out, err);
}

static void tell(void *user)
{
	const struct ranges *r = user;
	const struct mp_timeline_progress *p = r->trace->progress;

	if (p)
		p->update(p->user, atomic_load(&r->trace->events));
}

static int open_rows(void *user, int query, struct mp_db *db, struct mp_query **rows, struct mp_error *err)
{
	const struct ranges *r = user;
	const struct mp_sql *sql = r->split.queries[query];
	char order[sizeof(sql->split) + 16];

	snprintf(order, sizeof(order), "ORDER BY %s", sql->split);
	return mp_report_rows(rows, db, sql, "", order, r->trace->style, err)
		   ? -1
		   : mp_report_bind(*rows, &r->trace->each, err);
}

enum mp_trace_outcome mp_trace_write_ranges(struct mp_trace *t, struct mp_error *err)
{
	struct ranges r = {.trace = t};
	int status;

	r.split = (struct mp_split_rows){.count = 1 + t->report->layer_count,
	    .queries = {&t->report->rows},
	    .each = &t->each,
	    .open = open_rows,
	    .write = make,
	    .take = take,
	    .waited = tell,
	    .backwards = true,
	    .user = &r};
	for (int i = 0; i < t->report->layer_count; i++)
		r.split.queries[1 + i] = &t->report->layers[i];
	mp_trace_begin(t, true);
	status = mp_split_rows_write(&r.split, t->team, t->out, err);
	for (int i = 0; i < MP_TEAM_MAX; i++)
		if (r.makers[i]) {
			mp_out_abort(r.makers[i]->arena);
			free(r.makers[i]);
		}
	mp_trace_threads_clear(&t->threads);
	if (!status)
		return MP_TRACE_WRITTEN;
	if (r.outcome == MP_TRACE_OUT_OF_ORDER)
		return r.outcome;
	return atomic_load(&r.too_long) ? MP_TRACE_TOO_LONG : MP_TRACE_FAILED;
}

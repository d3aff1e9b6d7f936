/* task_stretch.c: tasks that compute, one into the other, are a stretch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/tasks_internal.h"

enum { TOGETHER = 32 /* rows of a statement: one for each would take twice as long */ };

static int read_kinds(struct mp_stretch *s, struct mp_db *db, struct mp_error *err)
{
	static const char sql[] = "SELECT kind FROM computing_kind WHERE kind BETWEEN 0 AND 511";
	struct mp_query *q;
	int status;

	if (mp_query_open(&q, db, sql, sizeof(sql) - 1, err))
		return -1;
	while ((status = mp_query_next(q, err)) == 1) {
		int64_t kind = mp_query_value(q, 0).i;

		s->computes[kind / 8] |= (unsigned char)(1 << kind % 8);
	}
	mp_query_close(q);
	return status;
}

int mp_stretch_open(struct mp_stretch *s, struct mp_db *db, struct mp_error *err)
{
	static const char row[] = "(?, 0, ?, ?, ?), ";
	char sql[128 + TOGETHER * sizeof(row)];
	size_t one, len = (size_t)snprintf(sql, 128, "INSERT INTO overlap(device_id, kind, start_ns, end_ns, free_ns) VALUES ");

	for (int i = 0; i < TOGETHER; i++, len += sizeof(row) - 1)
		memcpy(sql + len, row, sizeof(row));
	one = len - (TOGETHER - 1) * (sizeof(row) - 1) - 2; /* without the last ", " */
	return read_kinds(s, db, err) || mp_query_open(&s->insert, db, sql, one, err) ||
		       mp_query_open(&s->insert_many, db, sql, len - 2, err)
		   ? -1
		   : 0;
}

static int end_stretch(struct mp_stretch *s, int64_t device_id, struct mp_error *err)
{
	struct mp_stretches *out = s->out;

	if (out->count == out->room) {
		size_t room = out->room ? 2 * out->room : 1024;
		struct mp_stretch_row *more = realloc(out->items, room * sizeof(*more));

		if (!more)
			return mp_fail_memory(err, "stretches of time");
		out->items = more;
		out->room = room;
	}
	out->items[out->count++] = (struct mp_stretch_row){device_id, s->start_ns, s->end_ns, s->free_ns};
	return 0;
}

static int insert(struct mp_query *q, const struct mp_stretch_row *rows, int count, struct mp_error *err)
{
	int status = 0;

	for (int i = 0; !status && i < count; i++)
		status = mp_query_bind_at(q, 4 * i + 1, rows[i].device_id, err) || mp_query_bind_at(q, 4 * i + 2, rows[i].start_ns, err) ||
				 mp_query_bind_at(q, 4 * i + 3, rows[i].end_ns, err) ||
				 mp_query_bind_at(q, 4 * i + 4, rows[i].free_ns, err)
			     ? -1
			     : 0;
	if (!status)
		status = mp_query_next(q, err);
	mp_query_rewind(q);
	return status;
}

int mp_stretches_insert(struct mp_stretches *stretches, struct mp_stretch *s, struct mp_error *err)
{
	size_t at = 0;
	int status = 0;

	for (; !status && stretches->count - at >= TOGETHER; at += TOGETHER)
		status = insert(s->insert_many, &stretches->items[at], TOGETHER, err);
	for (; !status && at < stretches->count; at++)
		status = insert(s->insert, &stretches->items[at], 1, err);
	stretches->count = 0;
	return status;
}

int mp_stretch_add(struct mp_stretch *s, int64_t device_id, const struct mp_run *run, struct mp_error *err)
{
	if (run->type < 0 || run->type >= MP_TASK_KINDS || !(s->computes[run->type / 8] >> run->type % 8 & 1))
		return 0;
	if (s->is_open && run->start_ns <= s->end_ns) {
		if (run->end_ns > s->end_ns)
			s->end_ns = run->end_ns;
		return 0;
	}
	if (s->is_open && end_stretch(s, device_id, err))
		return -1;
	if (!s->is_open || __builtin_sub_overflow(run->start_ns, s->end_ns, &s->free_ns))
		s->free_ns = 0;
	s->is_open = true;
	s->start_ns = run->start_ns;
	s->end_ns = run->end_ns;
	return 0;
}

int mp_stretch_end(struct mp_stretch *s, int64_t device_id, struct mp_error *err)
{
	int status = s->is_open ? end_stretch(s, device_id, err) : 0;

	s->is_open = false;
	return status;
}

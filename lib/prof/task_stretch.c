/* task_stretch.c: tasks that compute, one into the other, are a stretch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prof/tasks_internal.h"

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

int mp_stretch_open(struct mp_stretch *s, struct mp_load *load, struct mp_error *err)
{
	static const char *const columns[] = {"device_id", "kind", "start_ns", "end_ns", "free_ns"};

	return read_kinds(s, load->db, err) || mp_sink_open(&s->rows, load->db, load->bulks, "overlap", columns,
						   sizeof(columns) / sizeof(columns[0]), err)
		   ? -1
		   : 0;
}

static int end_stretch(struct mp_stretch *s, int64_t device_id, struct mp_error *err)
{
	const struct mp_scalar device = mp_int(device_id), kind = mp_int(0), start_ns = mp_int(s->start_ns),
			       end_ns = mp_int(s->end_ns), free_ns = mp_int(s->free_ns);

	return mp_sink_put(
	    &s->rows, (const struct mp_scalar *const[]){&device, &kind, &start_ns, &end_ns, &free_ns}, err);
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

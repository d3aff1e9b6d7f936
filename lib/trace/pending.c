/* pending.c: a stack of begins and their bytes. Knows no format. */
#include "trace/pending.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

/* The begins that start at `time_ns` or later are taken away. Returns where they are. */
static size_t take(struct mp_trace_pending *p, int64_t time_ns)
{
	size_t from = p->used;

	while (p->count && p->begins[p->count - 1].start_ns >= time_ns)
		from = p->begins[--p->count].at;
	p->used = from;
	return from;
}

void mp_trace_pending_release(struct mp_trace_pending *p, struct mp_out *out)
{
	if (p->held_used)
		mp_out_write(out, p->held, p->held_used);
	p->held_used = 0;
}

bool mp_trace_pending_reach(struct mp_trace_pending *p, struct mp_out *out, int64_t end_ns)
{
	size_t end = p->used, after, from;

	if (p->held_used && p->held_ns > end_ns)
		mp_trace_pending_release(p, out);
	if (!p->count || p->begins[p->count - 1].start_ns < end_ns)
		return true;
	after = end_ns < INT64_MAX ? take(p, end_ns + 1) : end;
	mp_out_write(out, p->bytes + after, end - after);
	from = take(p, end_ns);
	if (from == after)
		return true;
	if (!mp_vec_reach(p->held, &p->held_most, p->held_used + after - from))
		return false;
	memcpy(p->held + p->held_used, p->bytes + from, after - from);
	p->held_used += after - from;
	p->held_ns = end_ns;
	return true;
}

char *mp_trace_pending_add(struct mp_trace_pending *p, int64_t start_ns, size_t size)
{
	char *at;

	if (!mp_vec_reach(p->begins, &p->begins_most, p->count + 1) ||
	    !mp_vec_reach(p->bytes, &p->most, p->used + size))
		return NULL;
	p->begins[p->count++] = (struct mp_trace_begin){start_ns, p->used};
	at = p->bytes + p->used;
	p->used += size;
	return at;
}

void mp_trace_pending_free(struct mp_trace_pending *p)
{
	free(p->bytes);
	free(p->held);
	free(p->begins);
	memset(p, 0, sizeof(*p));
}

/*
 * task_ops.c: which tasks are operators, and how long their device waited for them. Operators, one into the other, are
 * a stretch; between stretches, and from the first to the last task, the device is free.
 */
#include "join/tasks_internal.h"

enum { TYPE, KERNEL, LAUNCHED }; /* of launch_columns */

/* What the type of a launch says; types are few, and come again and again. What has no name may be an operator. */
static int64_t rule_of(struct mp_tasks *t, int64_t type)
{
	struct mp_recent_rule *recent = &t->recent_rule;

	if (recent->is_there && recent->type == type)
		return recent->rule;
	*recent = (struct mp_recent_rule){true, type, MP_RULE_IN_NODE};
	mp_map_peek(t->host_rule, &(struct mp_key){&type, 1}, &recent->rule);
	return recent->rule;
}

static void find_wait(struct mp_tasks *t)
{
	t->has_wait = t->has_last && !__builtin_sub_overflow(t->run->start_ns, t->last_end_ns, &t->wait_ns);
	t->before_ns = t->last_start_ns;
	t->has_last = true;
	t->last_start_ns = t->run->start_ns;
	t->last_end_ns = t->run->end_ns;
}

void mp_task_find_op(struct mp_tasks *t)
{
	struct mp_part_of_task *launch = &t->parts[MP_TASK_LAUNCH];
	int64_t launched[LAUNCHED];
	bool nulls[LAUNCHED];

	t->is_op = t->has_wait = false;
	t->rule = 0;
	if (!launch->is_there)
		return;
	mp_feed_kept_numbers(&t->track, &launch->record, &t->launch_columns, launched, nulls);
	t->rule = rule_of(t, launched[TYPE]);
	if (t->has_node)
		t->is_op = t->rule & MP_RULE_IN_NODE && (t->level0 || t->parts[MP_TASK_INFO].is_there);
	else
		t->is_op = t->rule & MP_RULE_ALONE && launched[KERNEL];
	if (t->is_op && t->run)
		find_wait(t);
}

int mp_stretch_open(struct mp_stretch *s, struct mp_load *load, struct mp_error *err)
{
	static const char *const columns[] = {"device_id", "kind", "start_ns", "end_ns", "free_ns"};

	return mp_sink_open(
	    &s->rows, load->db, load->bulks, "overlap", columns, sizeof(columns) / sizeof(columns[0]), err);
}

/* A row of a kind: 0 computing, after free time; 3 free. */
static int put(struct mp_stretch *s, int64_t device_id, int64_t of_kind, int64_t from, int64_t to, struct mp_error *err)
{
	const struct mp_value device = mp_int(device_id), kind = mp_int(of_kind), start_ns = mp_int(from),
			      end_ns = mp_int(to), free_ns = of_kind ? mp_null() : mp_int(s->free_ns);

	return mp_sink_put(
	    &s->rows, (const struct mp_value *const[]){&device, &kind, &start_ns, &end_ns, &free_ns}, err);
}

static void bound(struct mp_stretch *s, const struct mp_run *run)
{
	if (!s->has_others)
		s->begin_ns = run->start_ns;
	if (!s->has_others || run->end_ns > s->last_ns)
		s->last_ns = run->end_ns;
	s->has_others = true;
}

int mp_stretch_add(struct mp_stretch *s, const struct mp_tasks *t, bool bounds, struct mp_error *err)
{
	const struct mp_run *run = t->run;

	if (bounds)
		bound(s, run);
	if (!t->is_op)
		return 0;
	if (s->is_open && run->start_ns <= s->end_ns) {
		if (run->end_ns > s->end_ns)
			s->end_ns = run->end_ns;
		return 0;
	}
	if (s->is_open && put(s, t->device_id, 0, s->start_ns, s->end_ns, err))
		return -1;
	if ((!s->is_open && !s->has_others) ||
	    __builtin_sub_overflow(run->start_ns, s->is_open ? s->end_ns : s->begin_ns, &s->free_ns))
		s->free_ns = 0;
	s->is_open = true;
	s->start_ns = run->start_ns;
	s->end_ns = run->end_ns;
	return 0;
}

int mp_stretch_end(struct mp_stretch *s, int64_t device_id, struct mp_error *err)
{
	int status = s->is_open ? put(s, device_id, 0, s->start_ns, s->end_ns, err) : 0;
	int64_t from = s->is_open ? s->end_ns : s->begin_ns;

	if (!status && s->has_others && s->last_ns > from)
		status = put(s, device_id, 3, from, s->last_ns, err);
	s->is_open = s->has_others = false;
	return status;
}

/* task_ops.c: which tasks are operators, and how long their device waited for them. */
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

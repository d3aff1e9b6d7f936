/* side_put.c: puts the tasks of a run, by operator and sample, into a side. */
#include <stdlib.h>
#include <string.h>

#include "compare/side_tasks_internal.h"

static int by_number(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* Put the samples of this run behind those of earlier runs. */
static void put_samples(struct mp_side *side, struct mp_reading_group *p)
{
	struct mp_group *g = &side->groups[p->group];
	size_t rank = (size_t)(p->done * 95 + 99) / 100;

	/* steps without a task that has a time were not done: the last samples may have no step */
	while (p->blocks > 1 && !p->count[p->blocks - 1])
		p->blocks--;
	qsort(p->spans, (size_t)p->done, sizeof(*p->spans), by_number);
	g->runs[g->run_count] = (struct mp_side_run){.steps = p->done, .p95_ns = p->spans[rank - 1]};
	for (int i = 0; i < p->blocks; i++)
		g->samples[g->sample_count + i] =
		    (struct mp_sample){.run = g->run_count, .steps = p->count[i], .total_ns = p->total_ns[i]};
}

static int put_item(struct mp_side *side, const struct mp_reading_group *p, const struct mp_item *item,
    const int64_t *sums, struct mp_error *err)
{
	struct mp_group *g = &side->groups[p->group];
	size_t at;

	if (mp_group_item(g, side->run, item, &at, err))
		return -1;
	g->items[at].calls += item->calls;
	memcpy(g->sums + at * (size_t)g->width + g->sample_count, sums, (size_t)p->blocks * sizeof(*sums));
	return 0;
}

static int put_operators(struct mp_reading_tasks *t, struct mp_error *err)
{
	struct mp_query *names;
	int status = mp_report_query(&names, t->r->db, &t->r->names->each, "", "", MP_STYLE_DEFAULT, err);

	for (size_t i = 0; i < t->order_count && !status; i++) {
		const struct mp_op *op = &t->ops.items[t->order[i]];
		struct mp_item item = {.calls = op->count};

		if (op->is_rest)
			item.name = strdup("other operators");
		status = op->is_rest ? (item.name ? 0 : mp_fail_memory(err, "a name"))
				     : mp_reading_name(names, op->keys, &item, err);
		if (!status)
			status = put_item(t->r->side, &t->groups[op->keys[0] - 1], &item,
			    t->ops.sums + t->order[i] * (size_t)t->ops.sum_count, err);
		free(item.name);
		free(item.detail);
		free(item.layers);
	}
	mp_query_close(names);
	return status;
}

/* The groups that have a step get its samples; their items add up to these. */
int mp_put_groups(struct mp_reading_tasks *t, struct mp_error *err)
{
	struct mp_side *side = t->r->side;
	char idle[] = "idle", overlap[] = "overlap";

	for (size_t i = 0; i < t->group_count; i++) {
		const struct mp_group *g = &side->groups[t->groups[i].group];

		if (t->groups[i].done && g->run_count && g->last_run == side->run)
			return mp_fail(err, "two parts of a job have steps of '%s'", g->title);
		if (t->groups[i].done)
			put_samples(side, &t->groups[i]);
	}
	if (put_operators(t, err))
		return -1;
	for (size_t i = 0; i < t->group_count; i++) {
		const struct mp_reading_group *p = &t->groups[i];
		const struct mp_item items[] = {{.name = idle, .kind = MP_ITEM_IDLE, .calls = p->done},
		    {.name = overlap, .kind = MP_ITEM_OVERLAP, .calls = p->done}};

		if (!p->done)
			continue;
		if (put_item(side, p, &items[0], p->idle_ns, err) || put_item(side, p, &items[1], p->overlap_ns, err))
			return -1;
		side->groups[p->group].sample_count += p->blocks;
		side->groups[p->group].last_run = side->run;
		side->groups[p->group].run_count++;
	}
	return 0;
}

/*
 * side_tasks.c: reads the tasks of a job track by track, adds them to the samples of their steps, and puts these into
 * the side.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "compare/compare_internal.h"
#include "insight/ops.h"
#include "insight/sweep.h"

/* A group while its run is read. */
struct reading_group {
	size_t group;        /* of the side */
	int64_t steps, done; /* windows that there are, and those that are read */
	int blocks;          /* samples of this run */
	int64_t total_ns[MP_BLOCKS], count[MP_BLOCKS];
	int64_t idle_ns[MP_BLOCKS], overlap_ns[MP_BLOCKS];
	int64_t *spans; /* of each window that is read */
};

/* All tasks while they are read. */
struct reading_tasks {
	struct mp_side_reading *r;
	struct reading_group *groups; /* by the id of sample_group, from 1 */
	size_t group_count;
	int64_t group;     /* of the track that is read */
	struct mp_ops ops; /* k1 is the group */
	uint32_t *order;   /* operators in the order of their first task */
	size_t order_count;
	struct mp_intervals intervals;
	struct mp_windows windows;
};

/* The columns of a query of tasks. */
enum { KEY, START = MP_OP_KEYS, DURATION, COLUMNS };

enum { NUMBER_SIZE = 24 }; /* " #" and a number behind a title */

static int only_class(void *user, uint32_t op)
{
	(void)user, (void)op;
	return 0;
}

/* A step is done: add its length, and the time in which nothing ran. */
static int add_step(struct reading_group *p, const struct mp_sweep_window *w, int block, struct mp_error *err)
{
	int64_t span_ns = mp_span_ns(w->start_ns, w->end_ns);

	if (!mp_vec_room(p->spans, (size_t)p->done, 1))
		return mp_fail_memory(err, "steps");
	p->spans[p->done++] = span_ns;
	p->count[block]++;
	p->total_ns[block] = mp_add_ns(p->total_ns[block], span_ns);
	p->idle_ns[block] = mp_add_ns(p->idle_ns[block], w->idle_ns);
	p->overlap_ns[block] = mp_add_ns(p->overlap_ns[block], mp_span_ns(w->idle_ns, span_ns));
	return 0;
}

static int add_task(
    struct reading_tasks *t, struct reading_group *p, const struct mp_interval *task, int block, struct mp_error *err)
{
	struct mp_op *op = &t->ops.items[task->op];
	int64_t *sum = &t->ops.sums[task->op * (size_t)t->ops.sum_count + (size_t)block];
	int64_t dur_ns = mp_span_ns(task->start_ns, task->end_ns);

	if (!op->count && !mp_vec_room(t->order, t->order_count, 1))
		return mp_fail_memory(err, "operators");
	if (!op->count)
		t->order[t->order_count++] = task->op;
	op->count++;
	*sum = mp_add_ns(*sum, dur_ns);
	p->overlap_ns[block] = mp_span_ns(dur_ns, p->overlap_ns[block]);
	return 0;
}

/* A task belongs to the step in which it starts. */
static int add_steps(struct reading_tasks *t, struct reading_group *p, struct mp_error *err)
{
	size_t at = 0;

	for (size_t i = 0; i < t->windows.count; i++) {
		const struct mp_sweep_window *w = &t->windows.items[i];
		bool is_last = i + 1 == t->windows.count;
		int block = (int)(p->done * p->blocks / p->steps);

		for (; at < t->intervals.count; at++) {
			const struct mp_interval *task = mp_intervals_at(&t->intervals, at);

			if (task->start_ns >= mp_add_ns(w->end_ns, is_last))
				break;
			if (task->start_ns >= w->start_ns && add_task(t, p, task, block, err))
				return -1;
		}
		if (add_step(p, w, block, err))
			return -1;
	}
	return 0;
}

/* Whether nothing ran in the ranges of a track: their times are wrong, or no task of them was recorded. */
static bool is_empty(const struct reading_tasks *t)
{
	size_t i = 0;

	while (i < t->windows.count &&
	       t->windows.items[i].idle_ns == mp_span_ns(t->windows.items[i].start_ns, t->windows.items[i].end_ns))
		i++;
	return i == t->windows.count;
}

static int end_track(struct reading_tasks *t, int64_t track, struct reading_group *p, struct mp_error *err)
{
	const struct mp_sweep sweep = {.intervals = &t->intervals, .class_of = only_class};
	bool has_ranges;

	if (!t->intervals.count)
		return 0;
	if (!mp_intervals_sort(&t->intervals))
		return mp_fail_memory(err, "tasks");
	if (mp_windows_read(&t->windows, t->r->db, track, err))
		return -1;
	has_ranges = t->windows.count;
	if (!has_ranges && mp_windows_whole(&t->windows, track, &t->intervals, err))
		return -1;
	mp_sweep(&sweep, &t->windows);
	return has_ranges && is_empty(t) ? 0 : add_steps(t, p, err);
}

static int add_interval(void *user, const struct mp_value *v, struct mp_error *err)
{
	struct reading_tasks *t = user;
	int64_t keys[MP_OP_KEYS], dur_ns = v[DURATION].type == MP_INT && v[DURATION].i > 0 ? v[DURATION].i : 0;
	struct mp_interval i = {.start_ns = v[START].i};

	if (v[START].type != MP_INT)
		return 0; /* it never ran, or its time is unknown */
	for (int k = 0; k < MP_OP_KEYS; k++)
		keys[k] = v[KEY + k].type == MP_INT ? v[KEY + k].i : -1;
	i.end_ns = mp_add_ns(i.start_ns, dur_ns);
	/* operators beyond the maximum are one for each group */
	if (!mp_ops_find(&t->ops, keys, (int)t->group, &i.op) || !mp_intervals_add(&t->intervals, &i))
		return mp_fail_memory(err, "tasks");
	return 0;
}

/* Whether the group of a track, its second column, is known. */
static bool take_group(struct reading_tasks *t, const struct mp_report_row *row)
{
	t->group = row->count > 1 ? mp_int_of(row->values[1]) : 0;
	return t->group > 0 && (size_t)t->group <= t->group_count;
}

static int count_steps(void *user, const struct mp_report_row *row, struct mp_error *err)
{
	struct reading_tasks *t = user;

	if (!take_group(t, row))
		return 0;
	if (mp_windows_read(&t->windows, t->r->db, mp_int_of(row->values[0]), err))
		return -1;
	t->groups[t->group - 1].steps += t->windows.count ? (int64_t)t->windows.count : 1;
	return 0;
}

static int read_track(void *user, const struct mp_report_row *row, struct mp_error *err)
{
	struct reading_tasks *t = user;
	const struct mp_report *r = t->r->tasks;

	if (!take_group(t, row))
		return 0;
	t->intervals.count = 0;
	for (int i = -1; i < r->layer_count; i++)
		if (mp_report_values(i < 0 ? &r->rows : &r->layers[i], t->r->db, row, COLUMNS, add_interval, t, err))
			return -1;
	return end_track(t, mp_int_of(row->values[0]), &t->groups[t->group - 1], err);
}

/* Groups of one run have different titles. */
static void number_title(const struct reading_tasks *t, char *title, size_t size)
{
	size_t used = mp_cut(title, size - NUMBER_SIZE), number = t->group_count + 1;

	title[used] = '\0'; /* no half of a code point stays: a baseline has only whole ones */
	for (size_t i = 0; i < t->group_count;)
		if (strcmp(t->r->side->groups[t->groups[i].group].title, title) == 0) {
			snprintf(title + used, size - used, " #%zu", number++);
			i = 0;
		} else {
			i++;
		}
}

static int read_groups(struct reading_tasks *t, struct mp_error *err)
{
	static const char sql[] = "SELECT title, what FROM temp.sample_group ORDER BY id";
	struct mp_query *q;
	int status;

	if (mp_query_open(&q, t->r->db, sql, sizeof(sql) - 1, err))
		return -1;
	while ((status = mp_query_next(q, err)) == 1) {
		const struct mp_value title = mp_query_value(q, 0), what = mp_query_value(q, 1);
		char texts[2][512] = {"unknown", "step"};
		const struct mp_group *g;

		status = -1;
		if (!mp_vec_room(t->groups, t->group_count, 1)) {
			mp_error_set_memory(err, "groups of steps");
			break;
		}
		if (title.type == MP_TEXT)
			snprintf(texts[0], sizeof(texts[0]), "%.*s", (int)title.len, title.text);
		if (what.type == MP_TEXT)
			snprintf(texts[1], sizeof(texts[1]), "%.*s", (int)what.len, what.text);
		number_title(t, texts[0], sizeof(texts[0]));
		g = mp_side_group(t->r->side, texts[0], texts[1], err);
		if (!g)
			break;
		t->groups[t->group_count++] = (struct reading_group){.group = (size_t)(g - t->r->side->groups)};
	}
	mp_query_close(q);
	return status;
}

/* Puts the tasks of a run, by operator and sample, into a side. */

static int by_number(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* Put the samples of this run behind those of earlier runs. */
static void put_samples(struct mp_side *side, struct reading_group *p)
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

static int put_item(struct mp_side *side, const struct reading_group *p, const struct mp_side_item *item,
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

static int put_operators(struct reading_tasks *t, struct mp_error *err)
{
	struct mp_query *names;
	int status = mp_report_query(&names, t->r->db, &t->r->names->each, "", "", MP_STYLE_DEFAULT, err);

	for (size_t i = 0; i < t->order_count && !status; i++) {
		const struct mp_op *op = &t->ops.items[t->order[i]];
		struct mp_side_item item = {.calls = op->count};

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
static int put_groups(struct reading_tasks *t, struct mp_error *err)
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
		const struct reading_group *p = &t->groups[i];
		const struct mp_side_item items[] = {{.name = idle, .kind = MP_ITEM_IDLE, .calls = p->done},
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

static int read_all(struct reading_tasks *t, struct mp_error *err)
{
	if (read_groups(t, err) || mp_report_each(t->r->tasks, t->r->db, count_steps, t, err))
		return -1;
	for (size_t i = 0; i < t->group_count; i++) {
		struct reading_group *p = &t->groups[i];

		p->blocks = p->steps < t->r->side->blocks ? (int)p->steps : t->r->side->blocks;
	}
	return mp_report_each(t->r->tasks, t->r->db, read_track, t, err) || put_groups(t, err) ? -1 : 0;
}

int mp_read_tasks(struct mp_side_reading *r, struct mp_error *err)
{
	struct reading_tasks t = {.r = r};
	int status;

	t.ops.sum_count = r->side->blocks;
	status = read_all(&t, err);
	for (size_t i = 0; i < t.group_count; i++)
		free(t.groups[i].spans);
	free(t.groups);
	mp_ops_free(&t.ops);
	free(t.order);
	mp_intervals_free(&t.intervals);
	mp_windows_free(&t.windows);
	return status;
}

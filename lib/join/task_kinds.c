/*
 * task_kinds.c: what tasks are. Which are operators, and how long their device waited for them: operators, one into the
 * other, are a stretch; between stretches, and from the first to the last task, the device is free. And which kinds of
 * calls and tasks there are, gathered as they come, so that nobody need look through all of them.
 */
#include <string.h>

#include "base/vec.h"
#include "join/tasks_internal.h"

enum { MODEL_LEVEL = 15000, NODE_LEVEL = 10000, ACL_LEVEL = 20000 }; /* of calls that launch tasks */

int mp_calls_open(struct mp_calls *c, struct mp_db *db, struct mp_error *err)
{
	c->kinds = mp_maps_find(db->maps, "call_kind");
	return c->kinds ? 0 : mp_fail(err, "too many maps");
}

static void find_columns(struct mp_calls *c, const struct mp_join_table *part, const struct mp_layout *l)
{
	c->layout = l;
	for (int i = 0; i < MP_CALL_COUNT; i++)
		c->columns[i] = (signed char)mp_layout_column(l, part->columns[i]);
}

/* The index of the sum of a level, type and thread, begun when there is none; -1: no memory. */
static int64_t find_sum(struct mp_calls *c, const int64_t key[3])
{
	bool is_new;
	int64_t *index = mp_map_number(c->kinds, &(struct mp_key){key, 3}, &is_new);

	if (!index || *index)
		return index ? *index - 1 : -1;
	if (!mp_vec_room(c->sums, c->sum_count, 1))
		return -1;
	c->sums[c->sum_count] = (struct mp_call_sum){.level = key[0],
	    .type = key[1],
	    .thread_id = key[2],
	    .shortest_ns = INT64_MAX,
	    .longest_ns = INT64_MIN,
	    .first_ns = INT64_MAX};
	*index = (int64_t)++c->sum_count;
	return *index - 1;
}

/* The same; the kinds of calls are few, and come again and again. */
static struct mp_call_sum *recent_sum(struct mp_calls *c, const int64_t key[3])
{
	uint64_t mixed = (uint64_t)key[0] * 3 + (uint64_t)key[1] * 5 + (uint64_t)key[2] * 7;
	struct mp_recent_call *recent = &c->recent[(mixed ^ mixed >> 16) % MP_CALLS_RECENT];

	if (!recent->is_there || recent->key[0] != key[0] || recent->key[1] != key[1] || recent->key[2] != key[2]) {
		recent->index = find_sum(c, key);
		recent->is_there = recent->index >= 0;
		memcpy(recent->key, key, sizeof(recent->key));
	}
	return recent->is_there ? &c->sums[recent->index] : NULL;
}

static void add(struct mp_call_sum *sum, int64_t start_ns, int64_t dur_ns)
{
	sum->first_ns = start_ns < sum->first_ns ? start_ns : sum->first_ns;
	if (dur_ns < 0)
		return;
	sum->count++;
	if (__builtin_add_overflow(sum->total_ns, dur_ns, &sum->total_ns))
		sum->total_ns = INT64_MAX;
	sum->shortest_ns = dur_ns < sum->shortest_ns ? dur_ns : sum->shortest_ns;
	sum->longest_ns = dur_ns > sum->longest_ns ? dur_ns : sum->longest_ns;
	sum->squares = mp_wide_add(sum->squares, mp_wide_product((uint64_t)dur_ns, (uint64_t)dur_ns));
}

/* Whether a call follows the one before it as finish.sql puts them in order. */
static bool follows(const int64_t *before, const int64_t *call)
{
	static const struct {
		enum mp_call_column column;
		bool falls;
	} order[] = {{MP_CALL_START, false}, {MP_CALL_LEVEL, true}, {MP_CALL_DUR, true}, {MP_CALL_THREAD, false},
	    {MP_CALL_TYPE, false}};

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		int64_t a = before[order[i].column], b = call[order[i].column];

		if (a != b)
			return order[i].falls ? a > b : a < b;
	}
	return false; /* what they are about may differ */
}

int mp_calls_see(struct mp_joiner *joiner, const struct mp_layout *layout, const int64_t *values, struct mp_error *err)
{
	struct mp_tasks *t = (struct mp_tasks *)joiner;
	struct mp_calls *c = &t->calls;
	struct mp_call_sum *sum;
	struct mp_map *map;
	int64_t call[MP_CALL_COUNT], start_ns, end_ns;

	if (c->layout != layout)
		find_columns(c, &t->joins.tables[MP_JOIN_CALLS], layout);
	c->count++;
	for (int i = 0; i < MP_CALL_COUNT; i++)
		call[i] = c->columns[i] < 0 ? 0 : values[c->columns[i]];
	start_ns = call[MP_CALL_START];
	c->unsorted = c->unsorted || (c->count > 1 && start_ns <= c->last[MP_CALL_START] && !follows(c->last, call));
	memcpy(c->last, call, sizeof(c->last));
	if (__builtin_add_overflow(start_ns, call[MP_CALL_DUR], &end_ns))
		end_ns = INT64_MAX;
	map = call[MP_CALL_LEVEL] == NODE_LEVEL                                        ? t->maps.node
	      : call[MP_CALL_LEVEL] == ACL_LEVEL || call[MP_CALL_LEVEL] == MODEL_LEVEL ? t->maps.outer
										       : NULL;
	if (map && !mp_map_span(map, call[MP_CALL_THREAD], start_ns, end_ns, c->count))
		return mp_fail_memory(err, "calls that launch");
	sum = recent_sum(c, &call[MP_CALL_LEVEL]);
	if (!sum)
		return mp_fail_memory(err, "kinds of calls");
	add(sum, start_ns, call[MP_CALL_DUR]);
	return 0;
}

int mp_tasks_seen(struct mp_tasks *t, struct mp_error *err)
{
	static const char sql[] = "INSERT INTO temp.call_seen VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)";
	const struct mp_calls *c = &t->calls;
	struct mp_query *q;
	int status = 0;

	if (c->unsorted && mp_db_run(t->load->db, "INSERT INTO temp.calls_unsorted VALUES(1)", err))
		return -1;
	if (mp_query_open(&q, t->load->db, sql, sizeof(sql) - 1, err))
		return -1;
	for (size_t i = 0; !status && i < c->sum_count; i++) {
		const struct mp_call_sum *s = &c->sums[i];

		status = mp_query_put(q,
		    MP_VALUES(mp_int(s->level), mp_int(s->type), mp_int(s->thread_id), mp_int(s->count),
			mp_int(s->total_ns), mp_int(s->shortest_ns), mp_int(s->longest_ns),
			mp_real((double)mp_wide_high(s->squares) * 0x1p64 + (double)mp_wide_low(s->squares)),
			mp_int(s->first_ns)),
		    err);
	}
	mp_query_close(q);
	return status;
}

int mp_seen_open(struct mp_seen *s, struct mp_tasks *t, struct mp_error *err)
{
	static const char sql[] =
	    "INSERT INTO temp.task_seen VALUES(iif(?1, ?2, NULL), iif(?3 & 1, ?4, NULL), iif(?3 & 2, ?5, NULL), iif(?3 & 4, ?6, NULL), ?7, ?8, ?9, ?10, iif(?7, NULL, ?11))";

	s->map = mp_maps_find(t->load->db->maps, "task_seen");
	s->streams = mp_maps_find(t->load->db->maps, "stream");
	if (!s->map || !s->streams)
		return mp_fail(err, "too many maps");
	s->columns = mp_feed_choose(&t->info, &t->joins.tables[MP_JOIN_OPERATORS], MP_OPERATOR_TASK_TYPE, 3);
	return mp_query_open(&s->insert, t->load->db, sql, sizeof(sql) - 1, err);
}

void mp_seen_close(struct mp_seen *s)
{
	mp_query_close(s->insert);
}

static int see_stream(struct mp_seen *s, struct mp_tasks *t, struct mp_error *err)
{
	const int64_t stream[] = {t->now.device_id, t->now.stream_id};
	struct mp_recent_stream *recent = &s->recent[(uint64_t)t->now.stream_id % MP_SEEN_RECENT];
	bool is_new;

	if (!t->now.run || (recent->is_there && recent->parts[0] == stream[0] && recent->parts[1] == stream[1]))
		return 0;
	*recent = (struct mp_recent_stream){true, {stream[0], stream[1]}};
	if (!mp_map_number(s->streams, &(struct mp_key){stream, 2}, &is_new))
		return mp_fail_memory(err, "streams");
	return is_new ? mp_db_put(t->load->db, "INSERT INTO stream VALUES(?, ?)",
			    MP_VALUES(mp_int(stream[0]), mp_int(stream[1])), err)
		      : 0;
}

int mp_seen_add(struct mp_seen *s, struct mp_tasks *t, struct mp_error *err)
{
	const struct mp_part_of_task *info = &t->now.parts[MP_TASK_INFO];
	/* has a device type, and that; which values of an operator it has, and those; what is odd; the
	 * type of its launch */
	int64_t seen[MP_SEEN_FIELDS] = {t->now.run && t->now.run->type >= 0, t->now.run ? t->now.run->type : 0, 0, 0, 0,
	    0, t->now.run && !t->now.parts[MP_TASK_LAUNCH].is_there, !t->now.run,
	    !t->now.has_node && t->now.is_op && t->now.rule & MP_RULE_CONTEXT, (t->now.rule & MP_RULE_COPY) != 0,
	    t->now.parts[MP_TASK_LAUNCH].is_there ? t->recent_rule.type : 0};
	struct mp_value cells[MP_SEEN_FIELDS];
	bool nulls[3], is_new;

	if (see_stream(s, t, err))
		return -1;
	if (info->is_there) {
		mp_feed_kept_numbers(&t->info, &info->record, &s->columns, &seen[3], nulls);
		seen[2] = (nulls[0] ? 0 : 1) + (nulls[1] ? 0 : 2) + (nulls[2] ? 0 : 4);
	}
	if (!mp_map_number(s->map, &(struct mp_key){seen, MP_SEEN_FIELDS}, &is_new))
		return mp_fail_memory(err, "kinds of tasks");
	for (int i = 0; is_new && i < MP_SEEN_FIELDS; i++)
		cells[i] = mp_int(seen[i]);
	return is_new ? mp_query_put(s->insert, cells, MP_SEEN_FIELDS, err) : 0;
}

enum { TYPE, KERNEL, LAUNCHED }; /* of launch_columns */

/* What the type of a launch says; types are few, and come again and again. What has no name may be an operator. */
static int64_t rule_of(struct mp_tasks *t, int64_t type)
{
	struct mp_recent_rule *recent = &t->recent_rule;

	if (recent->is_there && recent->type == type)
		return recent->rule;
	*recent = (struct mp_recent_rule){true, type, MP_RULE_IN_NODE};
	mp_map_peek(t->maps.host_rule, &(struct mp_key){&type, 1}, &recent->rule);
	return recent->rule;
}

static void find_wait(struct mp_tasks *t)
{
	t->now.has_wait = t->has_last && !__builtin_sub_overflow(t->now.run->start_ns, t->last_end_ns, &t->now.wait_ns);
	t->now.before_ns = t->last_start_ns;
	t->has_last = true;
	t->last_start_ns = t->now.run->start_ns;
	t->last_end_ns = t->now.run->end_ns;
}

void mp_task_find_op(struct mp_tasks *t)
{
	struct mp_part_of_task *launch = &t->now.parts[MP_TASK_LAUNCH];
	int64_t launched[LAUNCHED];
	bool nulls[LAUNCHED];

	t->now.is_op = t->now.has_wait = false;
	t->now.rule = 0;
	if (!launch->is_there)
		return;
	mp_feed_kept_numbers(&t->track, &launch->record, &t->launch_columns, launched, nulls);
	t->now.rule = rule_of(t, launched[TYPE]);
	if (t->now.has_node)
		t->now.is_op = t->now.rule & MP_RULE_IN_NODE && (t->level0 || t->now.parts[MP_TASK_INFO].is_there);
	else
		t->now.is_op = t->now.rule & MP_RULE_ALONE && launched[KERNEL];
	if (t->now.is_op && t->now.run)
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
	const struct mp_run *run = t->now.run;

	if (bounds)
		bound(s, run);
	if (!t->now.is_op)
		return 0;
	if (s->is_open && run->start_ns <= s->end_ns) {
		if (run->end_ns > s->end_ns)
			s->end_ns = run->end_ns;
		return 0;
	}
	if (s->is_open && put(s, t->now.device_id, 0, s->start_ns, s->end_ns, err))
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

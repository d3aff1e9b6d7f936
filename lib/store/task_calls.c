/* task_calls.c: what later joins ask of the calls is gathered while they are loaded. */
#include <string.h>

#include "store/tasks_internal.h"

enum { NODE_LEVEL = 10000 }; /* of the calls in which nodes are launched */

int mp_calls_open(struct mp_calls *c, struct mp_db *db, struct mp_error *err)
{
	static const char sql[] = "INSERT INTO temp.call_seen VALUES(?, ?)";

	c->kinds = mp_maps_find(db->maps, "call_kind");
	if (!c->kinds)
		return mp_fail(err, "too many maps");
	return mp_db_run(db, "CREATE TEMP TABLE call_seen(level INTEGER, type INTEGER); CREATE TEMP TABLE calls_unsorted(yes);", err) ||
		       mp_query_open(&c->insert_kind, db, sql, sizeof(sql) - 1, err)
		   ? -1
		   : 0;
}

static void name_columns(struct mp_calls *c, const struct mp_layout *l)
{
	c->layout = l;
	c->level = mp_layout_column(l, "level");
	c->type = mp_layout_column(l, "type");
	c->thread = mp_layout_column(l, "thread_id");
	c->start = mp_layout_column(l, "start_ns");
	c->dur = mp_layout_column(l, "dur_ns");
}

static int64_t number(struct mp_reader *reader, int column)
{
	return column < 0 ? 0 : mp_reader_value(reader, column).i;
}

static int see_kind(struct mp_calls *c, int64_t level, int64_t type, struct mp_error *err)
{
	const int64_t parts[2] = {level, type};
	bool is_new;
	int status;

	if (!mp_map_number(c->kinds, &(struct mp_key){parts, 2}, &is_new))
		return mp_fail_memory(err, "kinds of calls");
	if (!is_new)
		return 0;
	status = mp_query_bind_at(c->insert_kind, 1, level, err) || mp_query_bind_at(c->insert_kind, 2, type, err)
		     ? -1
		     : mp_query_next(c->insert_kind, err);
	mp_query_rewind(c->insert_kind);
	return status;
}

int mp_tasks_see(struct mp_tasks *t, const struct mp_layout *layout, struct mp_reader *reader, struct mp_error *err)
{
	struct mp_calls *c = &t->calls;
	int64_t level, start_ns, end_ns;

	if (c->layout != layout)
		name_columns(c, layout);
	c->count++;
	level = number(reader, c->level);
	start_ns = number(reader, c->start);
	if (c->count > 1 && start_ns < c->last_ns && !c->unsorted) {
		c->unsorted = true;
		if (mp_db_run(t->load->db, "INSERT INTO temp.calls_unsorted VALUES(1)", err))
			return -1;
	}
	c->last_ns = start_ns;
	if (level == NODE_LEVEL) {
		if (__builtin_add_overflow(start_ns, number(reader, c->dur), &end_ns))
			end_ns = INT64_MAX;
		if (!mp_map_span(t->node, number(reader, c->thread), start_ns, end_ns, c->count))
			return mp_fail_memory(err, "calls of nodes");
	}
	return see_kind(c, level, number(reader, c->type), err);
}

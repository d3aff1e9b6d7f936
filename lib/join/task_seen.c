/* task_seen.c: what kinds of tasks there are, so that nobody need look through all of them for the rare ones. */
#include <stdlib.h>

#include "join/tasks_internal.h"

int mp_seen_open(struct mp_seen *s, struct mp_tasks *t, struct mp_error *err)
{
	static const char sql[] =
	    "INSERT INTO temp.task_seen VALUES(iif(?1, ?2, NULL), iif(?3 & 1, ?4, NULL), iif(?3 & 2, ?5, NULL), iif(?3 & 4, ?6, NULL), ?7, ?8, ?9, ?10, ?11)";

	s->map = mp_maps_find(t->load->db->maps, "task_seen");
	s->streams = mp_maps_find(t->load->db->maps, "stream");
	if (!s->map || !s->streams)
		return mp_fail(err, "too many maps");
	s->columns = mp_feed_choose(&t->info, &t->joins.tables[MP_JOIN_OPERATORS], MP_OPERATOR_TASK_TYPE, 3);
	return mp_db_run(t->load->db,
		   "CREATE TEMP TABLE task_seen(device_type, node_type, op_name, op_type, unlaunched, unrun, negative, contextual, copies)",
		   err) ||
		       mp_query_open(&s->insert, t->load->db, sql, sizeof(sql) - 1, err)
		   ? -1
		   : 0;
}

void mp_seen_close(struct mp_seen *s)
{
	mp_query_close(s->insert);
}

static int see_stream(struct mp_seen *s, struct mp_tasks *t, struct mp_error *err)
{
	const int64_t stream[] = {t->device_id, t->stream_id};
	struct mp_recent_stream *recent = &s->recent[(uint64_t)t->stream_id % MP_SEEN_RECENT];
	bool is_new;

	if (!t->run || (recent->is_there && recent->parts[0] == stream[0] && recent->parts[1] == stream[1]))
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
	const struct mp_part_of_task *info = &t->parts[MP_TASK_INFO];
	/* has a device type, and that; which values of an operator it has, and those; what is odd */
	int64_t seen[MP_SEEN_FIELDS] = {t->run && t->run->type >= 0, t->run ? t->run->type : 0, 0, 0, 0, 0,
	    t->run && !t->parts[MP_TASK_LAUNCH].is_there, !t->run, t->run && t->run->end_ns < t->run->start_ns,
	    !t->has_node && t->is_op && t->rule & MP_RULE_CONTEXT, (t->rule & MP_RULE_COPY) != 0};
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

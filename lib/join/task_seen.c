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

/* A combination that is new: the statement's parameters in their order. */
struct combination {
	struct mp_query *insert;
	int64_t values[MP_SEEN_FIELDS]; /* has a device type, and that; which values of an operator it has, and those;
					   what is odd */
};

static int insert(const struct combination *c, struct mp_error *err)
{
	int status = 0;

	for (int i = 0; !status && i < MP_SEEN_FIELDS; i++)
		status = mp_query_bind_at(c->insert, i + 1, c->values[i], err);
	if (!status)
		status = mp_query_next(c->insert, err);
	mp_query_rewind(c->insert);
	return status;
}

void mp_seen_close(struct mp_seen *s)
{
	mp_query_close(s->insert);
}

struct stream {
	struct mp_db *db;
	int64_t parts[2]; /* device, stream */
};

static int insert_stream(const struct stream *s, struct mp_error *err)
{
	static const char sql[] = "INSERT INTO stream VALUES(?, ?)";
	struct mp_query *q;
	int status;

	if (mp_query_open(&q, s->db, sql, sizeof(sql) - 1, err))
		return -1;
	status = mp_query_bind_at(q, 1, s->parts[0], err) || mp_query_bind_at(q, 2, s->parts[1], err)
		     ? -1
		     : mp_query_next(q, err);
	mp_query_close(q);
	return status;
}

static int see_stream(struct mp_seen *s, struct mp_tasks *t, struct mp_error *err)
{
	struct stream stream = {t->load->db, {t->device_id, t->stream_id}};
	struct mp_recent_stream *recent = &s->recent[(uint64_t)t->stream_id % MP_SEEN_RECENT];
	bool is_new;

	if (!t->run || (recent->is_there && recent->parts[0] == t->device_id && recent->parts[1] == t->stream_id))
		return 0;
	*recent = (struct mp_recent_stream){true, {t->device_id, t->stream_id}};
	if (!mp_map_number(s->streams, &(struct mp_key){stream.parts, 2}, &is_new))
		return mp_fail_memory(err, "streams");
	return is_new ? insert_stream(&stream, err) : 0;
}

int mp_seen_add(struct mp_seen *s, struct mp_tasks *t, struct mp_error *err)
{
	const struct mp_part_of_task *info = &t->parts[MP_TASK_INFO];
	struct combination c = {s->insert,
	    {t->run && t->run->type >= 0, t->run ? t->run->type : 0, 0, 0, 0, 0,
		t->run && !t->parts[MP_TASK_LAUNCH].is_there, !t->run, t->run && t->run->end_ns < t->run->start_ns,
		!t->has_node && t->is_op && t->rule & MP_RULE_CONTEXT, (t->rule & MP_RULE_COPY) != 0}};
	bool nulls[3], is_new;

	if (see_stream(s, t, err))
		return -1;
	if (info->is_there) {
		mp_feed_kept_numbers(&t->info, &info->record, &s->columns, &c.values[3], nulls);
		c.values[2] = (nulls[0] ? 0 : 1) + (nulls[1] ? 0 : 2) + (nulls[2] ? 0 : 4);
	}
	if (!mp_map_number(s->map, &(struct mp_key){c.values, MP_SEEN_FIELDS}, &is_new))
		return mp_fail_memory(err, "kinds of tasks");
	return is_new ? insert(&c, err) : 0;
}

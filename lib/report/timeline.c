/*
 * timeline.c: streams rows into a JSON object with traceEvents.
 * The quick path of one event is a handful of memcpys; everything rare is elsewhere.
 */
#include "report/timeline.h"

#include <stdio.h>
#include <string.h>

#include "report/json.h"
#include "report/lanes.h"
#include "report/number.h"

enum { COLUMN_PID, COLUMN_TID, COLUMN_NAME, COLUMN_START, COLUMN_DUR, COLUMN_ARGS, KEY_SIZE = 96 };

/* Viewers take a tid to be 32 bits: lanes and impossible thread numbers get numbers from here upwards. */
static const int64_t FIRST_LANE_TID = INT64_C(1) << 31;

struct trace {
	const struct mp_report *report;
	struct mp_query *rows;
	struct mp_out *out;
	struct mp_lanes *lanes;
	struct mp_timeline_stats *stats;
	int64_t pid, tid;       /* of the thread being written */
	int64_t shown_tid;      /* what the trace calls it */
	char thread_name[256];
	bool has_thread;
	bool has_event;
	int64_t next_lane_tid;
	int64_t lane_base;      /* tid of lane 1 of this thread */
	int64_t lane_count;     /* lanes that were named */
	int arg_count;
	char keys[MP_REPORT_COLUMN_MAX][KEY_SIZE]; /* `, "Task Id": ` */
	size_t key_len[MP_REPORT_COLUMN_MAX];
};

static void put(struct mp_out *out, const char *text)
{
	mp_out_write(out, text, strlen(text));
}

static void next_event(struct trace *t)
{
	put(t->out, t->has_event ? ",\n" : "\n");
	t->has_event = true;
}

static void put_name_event(struct trace *t, const char *what, int64_t tid, const char *name)
{
	next_event(t);
	put(t->out, "{\"name\": \"");
	put(t->out, what);
	put(t->out, "\", \"ph\": \"M\", \"pid\": ");
	mp_out_int(t->out, t->pid);
	put(t->out, ", \"tid\": ");
	mp_out_int(t->out, tid);
	put(t->out, ", \"args\": {\"name\": ");
	mp_json_string(t->out, name, strlen(name));
	put(t->out, "}}");
}

static int begin_thread(struct trace *t, int64_t pid, int64_t tid, struct mp_error *err)
{
	char process_name[256];
	bool new_process = !t->has_thread || pid != t->pid;

	t->pid = pid;
	t->tid = tid;
	t->has_thread = true;
	t->shown_tid = tid >= 0 && tid < FIRST_LANE_TID ? tid : t->next_lane_tid++;
	t->lane_count = 1;
	mp_lanes_reset(t->lanes);
	if (new_process) {
		if (mp_report_name(process_name, sizeof(process_name), t->report->process, t->rows, err))
			return -1;
		put_name_event(t, "process_name", 0, process_name);
	}
	if (mp_report_name(t->thread_name, sizeof(t->thread_name), t->report->thread, t->rows, err))
		return -1;
	put_name_event(t, "thread_name", t->shown_tid, t->thread_name);
	return 0;
}

/* The tid of a lane; named when it is used for the first time. Lanes are used in order. */
static int64_t lane_tid(struct trace *t, int64_t lane)
{
	char name[300];

	if (lane == 0)
		return t->shown_tid;
	t->stats->moved++;
	if (t->lane_count == 1)
		t->lane_base = t->next_lane_tid;
	while (t->lane_count <= lane) {
		snprintf(name, sizeof(name), "%s, overlap %lld", t->thread_name, (long long)t->lane_count);
		put_name_event(t, "thread_name", t->next_lane_tid++, name);
		t->lane_count++;
	}
	return t->lane_base + lane - 1;
}

static size_t put_literal(char *dst, const char *text, size_t len)
{
	memcpy(dst, text, len);
	return len;
}

#define PUT(at, literal) put_literal(at, literal, sizeof(literal) - 1)

static void put_numbers(struct trace *t, int64_t tid, int64_t start_ns, int64_t dur_ns)
{
	char *room = mp_out_reserve(t->out, 512), *at = room;

	at += PUT(at, ", \"ph\": \"X\", \"pid\": ");
	at += mp_number_int(at, t->pid);
	at += PUT(at, ", \"tid\": ");
	at += mp_number_int(at, tid);
	at += PUT(at, ", \"ts\": ");
	at += mp_number_us(at, start_ns);
	at += PUT(at, ", \"dur\": ");
	at += mp_number_us(at, dur_ns);
	at += PUT(at, ", \"args\": {");
	mp_out_advance(t->out, (size_t)(at - room));
}

static int put_event(struct trace *t, struct mp_error *err)
{
	struct mp_value name = mp_query_value(t->rows, COLUMN_NAME);
	struct mp_value start = mp_query_value(t->rows, COLUMN_START);
	int64_t dur_ns = mp_query_value(t->rows, COLUMN_DUR).i, end_ns, lane, tid;

	if (start.type != MP_INT)
		return mp_fail(err, "schema/%s: a row without a time", t->report->path);
	if (dur_ns < 0) /* an end before its start: kept at its start; check reports it */
		dur_ns = 0;
	if (__builtin_add_overflow(start.i, dur_ns, &end_ns))
		end_ns = INT64_MAX;
	lane = mp_lanes_place(t->lanes, start.i, end_ns, err);
	if (lane < 0)
		return -1;
	tid = lane_tid(t, lane);
	next_event(t);
	mp_out_write(t->out, "{\"name\": ", 9);
	mp_json_value(t->out, &name);
	put_numbers(t, tid, start.i, dur_ns);
	for (int i = 0; i < t->arg_count; i++) {
		struct mp_value v = mp_query_value(t->rows, COLUMN_ARGS + i);

		mp_out_write(t->out, t->keys[i], t->key_len[i]);
		mp_json_value(t->out, &v);
	}
	mp_out_write(t->out, "}}", 2);
	t->stats->events++;
	return 0;
}

static int prepare_keys(struct trace *t, struct mp_error *err)
{
	int columns = mp_query_column_count(t->rows);

	if (columns < COLUMN_ARGS || columns > MP_REPORT_COLUMN_MAX)
		return mp_fail(err, "schema/%s: a timeline has pid, tid, name, start_ns, dur_ns and arguments", t->report->path);
	t->arg_count = columns - COLUMN_ARGS;
	for (int i = 0; i < t->arg_count; i++) {
		int n = snprintf(t->keys[i], KEY_SIZE, "%s\"%s\": ", i ? ", " : "", mp_query_title(t->rows, COLUMN_ARGS + i));

		if (n >= KEY_SIZE)
			return mp_fail(err, "schema/%s: argument name too long", t->report->path);
		t->key_len[i] = (size_t)n;
	}
	return 0;
}

/* What a reader of the trace must know of the data: one string a note, and every loss. */
static int put_metadata(struct trace *t, struct mp_db *db, struct mp_error *err)
{
	static const char sql[] =
	    "SELECT 'lost', amount || ' ' || what FROM loss UNION ALL "
	    "SELECT 'unpaired', count(*) || ' ' || what FROM unpaired GROUP BY what UNION ALL "
	    "SELECT kind, coalesce(file || ': ', '') || text FROM note";
	struct mp_query *q;
	bool any = false;
	int status;

	if (mp_query_open(&q, db, sql, sizeof(sql) - 1, err))
		return -1;
	put(t->out, "\n],\n\"displayTimeUnit\": \"ns\",\n\"otherData\": {\n\"events\": ");
	mp_out_int(t->out, t->stats->events);
	put(t->out, ",\n\"events on overlap lanes\": ");
	mp_out_int(t->out, t->stats->moved);
	put(t->out, ",\n\"notes\": [");
	while ((status = mp_query_next(q, err)) == 1) {
		struct mp_value kind = mp_query_value(q, 0), text = mp_query_value(q, 1);

		put(t->out, any ? ",\n{" : "\n{");
		any = true;
		mp_json_value(t->out, &kind);
		put(t->out, ": ");
		mp_json_value(t->out, &text);
		put(t->out, "}");
	}
	put(t->out, "]}}\n");
	mp_query_close(q);
	return status;
}

static int write_events(struct trace *t, struct mp_error *err)
{
	int status;

	put(t->out, "{\"traceEvents\": [");
	while ((status = mp_query_next(t->rows, err)) == 1) {
		int64_t pid = mp_query_value(t->rows, COLUMN_PID).i, tid = mp_query_value(t->rows, COLUMN_TID).i;

		if ((!t->has_thread || pid != t->pid || tid != t->tid) && begin_thread(t, pid, tid, err))
			return -1;
		if (put_event(t, err))
			return -1;
	}
	return status;
}

int mp_timeline_write(const struct mp_report *report, struct mp_db *db, const struct mp_query *each,
    enum mp_style style, struct mp_out *out, struct mp_timeline_stats *stats, struct mp_error *err)
{
	struct trace t = {.report = report, .out = out, .stats = stats, .next_lane_tid = FIRST_LANE_TID};
	int status;

	memset(stats, 0, sizeof(*stats));
	if (mp_report_query(&t.rows, db, &report->rows, "", "", style, err))
		return -1;
	status = mp_lanes_create(&t.lanes, err);
	if (!status)
		status = prepare_keys(&t, err) || mp_report_bind(t.rows, each, err) || write_events(&t, err) ||
				 put_metadata(&t, db, err)
			     ? -1
			     : 0;
	mp_lanes_free(t.lanes);
	mp_query_close(t.rows);
	return status;
}

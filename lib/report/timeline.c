/*
 * timeline.c: streams rows into a JSON object with traceEvents. The usual path of an event is a few copies; rare cases
 * are elsewhere.
 */
#include "report/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/json.h"
#include "base/number.h"
#include "report/trace_threads.h"
#include "report/trace_notes.h"

enum {
	COLUMN_PID,
	COLUMN_TID,
	COLUMN_NAME,
	COLUMN_START,
	COLUMN_DUR,
	COLUMN_ARGS,
	KEY_SIZE = 96,
	PROGRESS_EVERY = 1 << 17
};

struct trace {
	const struct mp_report *report;
	struct mp_query *rows;
	struct mp_out *out;
	const struct mp_timeline_progress *progress;
	struct mp_timeline_stats *stats;
	struct mp_trace_threads threads;
	bool backwards; /* rows come in the order of recording, last row first; else sorted by thread */
	bool has_process;
	int64_t process; /* sorted rows: the process that was named last */
	bool has_event;
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

static void put_name_event(struct trace *t, const char *what, int64_t pid, int64_t tid, const char *name)
{
	next_event(t);
	put(t->out, "{\"name\":\"");
	put(t->out, what);
	put(t->out, "\",\"ph\":\"M\",\"pid\":");
	mp_out_int(t->out, pid);
	put(t->out, ",\"tid\":");
	mp_out_int(t->out, tid);
	put(t->out, ",\"args\":{\"name\":");
	mp_json_string(t->out, name, strlen(name));
	put(t->out, "}}");
}

static bool knows_process(const struct mp_trace_threads *threads, int64_t pid)
{
	for (int i = 0; i < threads->count; i++)
		if (threads->items[i]->pid == pid)
			return true;
	return false;
}

/* Returns NULL without an error when there are too many threads for the order of recording. */
static struct mp_trace_thread *begin_thread(struct trace *t, int64_t pid, int64_t tid, struct mp_error *err)
{
	char process_name[256];
	bool new_process;
	struct mp_trace_thread *thread;

	if (t->backwards) {
		new_process = !knows_process(&t->threads, pid);
	} else { /* sorted rows: no earlier thread returns */
		mp_trace_threads_clear(&t->threads);
		new_process = !t->has_process || t->process != pid;
		t->has_process = true;
		t->process = pid;
	}
	thread = mp_trace_threads_add(&t->threads, pid, tid, err);
	if (!thread)
		return NULL;
	if (new_process) {
		if (mp_report_name(process_name, sizeof(process_name), t->report->process, t->rows, err))
			return NULL;
		put_name_event(t, "process_name", pid, 0, process_name);
	}
	if (mp_report_name(thread->name, sizeof(thread->name), t->report->thread, t->rows, err))
		return NULL;
	put_name_event(t, "thread_name", pid, thread->shown_tid, thread->name);
	return thread;
}

/* The tid of a lane. Lanes are used and named in order. */
static int64_t lane_tid(struct trace *t, struct mp_trace_thread *thread, int64_t lane, struct mp_error *err)
{
	char name[300];

	if (lane == 0)
		return thread->shown_tid;
	t->stats->moved++;
	while (thread->lane_count < lane) {
		int64_t tid = mp_trace_threads_add_lane(&t->threads, thread, err);

		if (tid < 0)
			return -1;
		snprintf(name, sizeof(name), "%s, overlap %lld", thread->name, (long long)thread->lane_count);
		put_name_event(t, "thread_name", thread->pid, tid, name);
	}
	return thread->lane_tids[lane - 1];
}

static size_t put_literal(char *dst, const char *text, size_t len)
{
	memcpy(dst, text, len);
	return len;
}

#define PUT(at, literal) put_literal(at, literal, sizeof(literal) - 1)

static void put_event(struct trace *t, int64_t pid, int64_t tid, int64_t start_ns, int64_t dur_ns)
{
	struct mp_value name = mp_query_value(t->rows, COLUMN_NAME);
	char *room, *at;

	next_event(t);
	mp_out_write(t->out, "{\"name\":", 8);
	mp_json_value(t->out, &name);
	at = room = mp_out_reserve(t->out, 512);
	at += PUT(at, ",\"ph\":\"X\",\"pid\":");
	at += mp_number_int(at, pid);
	at += PUT(at, ",\"tid\":");
	at += mp_number_int(at, tid);
	at += PUT(at, ",\"ts\":");
	at += mp_number_us(at, start_ns);
	at += PUT(at, ",\"dur\":");
	at += mp_number_us(at, dur_ns);
	at += PUT(at, ",\"args\":{");
	mp_out_advance(t->out, (size_t)(at - room));
	for (int i = 0; i < t->arg_count; i++) {
		struct mp_value v = mp_query_value(t->rows, COLUMN_ARGS + i);

		mp_out_write(t->out, t->keys[i], t->key_len[i]);
		mp_json_value(t->out, &v);
	}
	mp_out_write(t->out, "}}", 2);
	t->stats->events++;
}

enum outcome { WRITTEN, OUT_OF_ORDER, FAILED };

static enum outcome take_row(struct trace *t, struct mp_error *err)
{
	struct mp_value start = mp_query_value(t->rows, COLUMN_START);
	int64_t pid = mp_query_value(t->rows, COLUMN_PID).i, tid = mp_query_value(t->rows, COLUMN_TID).i;
	int64_t dur_ns = mp_query_value(t->rows, COLUMN_DUR).i, end_ns, from, to, lane, shown;
	struct mp_trace_thread *thread = mp_trace_threads_find(&t->threads, pid, tid);

	if (start.type != MP_INT) {
		mp_fail(err, "schema/%s: row without a time", t->report->path);
		return FAILED;
	}
	if (!thread && !(thread = begin_thread(t, pid, tid, err)))
		return err->text[0] ? FAILED : OUT_OF_ORDER;
	if (dur_ns < 0) /* an end before the start: the event stays at its start; `check` reports the record */
		dur_ns = 0;
	if (__builtin_add_overflow(start.i, dur_ns, &end_ns))
		end_ns = INT64_MAX;
	/* ~v reverses time like -v, without overflow */
	from = t->backwards ? ~end_ns : start.i;
	to = t->backwards ? ~start.i : end_ns;
	if (!mp_lanes_in_order(thread->lanes, from, to))
		return OUT_OF_ORDER;
	lane = mp_lanes_place(thread->lanes, from, to, err);
	shown = lane < 0 ? -1 : lane_tid(t, thread, lane, err);
	if (shown < 0)
		return FAILED;
	put_event(t, pid, shown, start.i, dur_ns);
	if (t->progress && t->stats->events % PROGRESS_EVERY == 0)
		t->progress->update(t->progress->user, t->stats->events);
	return WRITTEN;
}

static int prepare_keys(struct trace *t, struct mp_error *err)
{
	int columns = mp_query_column_count(t->rows);

	if (columns < COLUMN_ARGS || columns > MP_REPORT_COLUMN_MAX)
		return mp_fail(
		    err, "schema/%s: a timeline has pid, tid, name, start_ns, dur_ns and arguments", t->report->path);
	t->arg_count = 0;
	for (int i = 0; i < columns - COLUMN_ARGS; i++) {
		const char *title = mp_query_title(t->rows, COLUMN_ARGS + i);
		int n;

		if (title[0] == '_') /* hidden columns come last */
			break;
		t->arg_count++;
		n = snprintf(t->keys[i], KEY_SIZE, "%s\"%s\":", i ? "," : "", title);

		if (n >= KEY_SIZE)
			return mp_fail(err, "schema/%s: argument name too long", t->report->path);
		t->key_len[i] = (size_t)n;
	}
	return 0;
}

static int put_metadata(struct trace *t, struct mp_db *db, struct mp_error *err)
{
	put(t->out, "\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":{\n\"events\":");
	mp_out_int(t->out, t->stats->events);
	put(t->out, ",\n\"events on overlap lanes\":");
	mp_out_int(t->out, t->stats->moved);
	put(t->out, ",\n\"notes\":");
	if (mp_trace_notes(t->out, db, err))
		return -1;
	put(t->out, "}}\n");
	return 0;
}

/* Write all rows in one of two orders. */
static enum outcome write_events(struct trace *t, struct mp_db *db, const struct mp_query *each, enum mp_style style,
    bool backwards, struct mp_error *err)
{
	char order[128];
	enum outcome outcome = WRITTEN;
	struct mp_report_row given;
	int status;

	t->backwards = backwards;
	t->has_event = false;
	t->has_process = false;
	memset(t->stats, 0, sizeof(*t->stats));
	mp_trace_threads_init(&t->threads);
	snprintf(
	    order, sizeof(order), "ORDER BY %s", backwards ? t->report->recorded : "pid, tid, start_ns, dur_ns DESC");
	if (mp_report_rows(&t->rows, db, &t->report->rows, "", order, style, err))
		return FAILED;
	if (prepare_keys(t, err) || mp_report_row(&given, each, err) || mp_report_bind(t->rows, &given, err))
		outcome = FAILED;
	put(t->out, "{\"traceEvents\":[");
	while (outcome == WRITTEN && (status = mp_query_next(t->rows, err)) != 0)
		outcome = status < 0 || mp_out_error(t->out, err) ? FAILED : take_row(t, err);
	mp_trace_threads_clear(&t->threads);
	mp_query_close(t->rows);
	return outcome;
}

/*
 * A recorder writes a call at its end, so the records of each thread are in order of their ends. Reading the records
 * backwards needs no sort. Data in another order is detected and then sorted.
 */
int mp_timeline_write(const struct mp_report *report, struct mp_db *db, const struct mp_query *each,
    enum mp_style style, struct mp_out *out, const struct mp_timeline_progress *progress,
    struct mp_timeline_stats *stats, struct mp_error *err)
{
	struct trace *t = calloc(1, sizeof(*t));
	enum outcome outcome;
	int status = -1;

	if (!t)
		return mp_fail_memory(err, "a timeline");
	t->report = report;
	t->out = out;
	t->progress = progress;
	t->stats = stats;
	outcome = write_events(t, db, each, style, true, err);
	if (outcome == OUT_OF_ORDER) {
		mp_out_restart(out);
		outcome = write_events(t, db, each, style, false, err);
	}
	if (outcome == WRITTEN)
		status = put_metadata(t, db, err);
	else if (outcome == OUT_OF_ORDER)
		mp_fail(err, "schema/%s: rows are not in order", report->path);
	free(t);
	return status;
}

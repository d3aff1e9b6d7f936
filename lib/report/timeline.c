/*
 * timeline.c: streams rows into a JSON object with traceEvents. The usual path of an event is a few copies; rare cases
 * are elsewhere.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/formats.h"
#include "report/timeline_internal.h"

enum { PROGRESS_EVERY = 1 << 17 };

/* The first number of a track that is beside those of @thread. */
static const int64_t FIRST_BESIDE = INT64_C(1) << 32;

static void put(struct mp_out *out, const char *text)
{
	mp_out_write(out, text, strlen(text));
}

static void next_event(struct mp_trace *t)
{
	put(t->out, t->has_event ? ",\n" : "\n");
	t->has_event = true;
}

static void put_name_event(struct mp_trace *t, const char *what, int64_t pid, int64_t tid, const char *name)
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
static struct mp_trace_thread *begin_thread(struct mp_trace *t, int64_t pid, int64_t tid, struct mp_error *err)
{
	const bool beside = t->report->tracks.beside[0] && tid >= FIRST_BESIDE;
	const struct mp_report_row row = {.count = 2,
	    .titles = {"pid", "tid"},
	    .values = {{.type = MP_INT, .i = pid}, {.type = MP_INT, .i = beside ? tid - FIRST_BESIDE : tid}}};
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
		if (mp_report_fill(process_name, sizeof(process_name), t->report->tracks.process, &row, err))
			return NULL;
		put_name_event(t, "process_name", pid, 0, process_name);
	}
	if (mp_report_fill(thread->name, sizeof(thread->name),
		beside ? t->report->tracks.beside : t->report->tracks.thread, &row, err))
		return NULL;
	put_name_event(t, "thread_name", pid, thread->shown_tid, thread->name);
	return thread;
}

/* The tid of a lane. Lanes are used and named in order. */
static int64_t lane_tid(struct mp_trace *t, struct mp_trace_thread *thread, int64_t lane, struct mp_error *err)
{
	char name[300];

	if (lane == 0)
		return thread->shown_tid;
	t->moved++;
	while (thread->lane_count < lane) {
		int64_t tid = mp_trace_threads_add_lane(&t->threads, thread, err);

		if (tid < 0)
			return -1;
		snprintf(name, sizeof(name), "%s, overlap %lld", thread->name, (long long)thread->lane_count);
		put_name_event(t, "thread_name", thread->pid, tid, name);
	}
	return thread->lane_tids[lane - 1];
}

enum mp_trace_outcome mp_trace_place(
    struct mp_trace *t, const struct mp_trace_time *time, int64_t *tid, struct mp_error *err)
{
	struct mp_trace_thread *thread = mp_trace_threads_find(&t->threads, time->pid, time->tid);
	int64_t end_ns, from, to, lane;

	if (!thread && !(thread = begin_thread(t, time->pid, time->tid, err)))
		return err->text[0] ? MP_TRACE_FAILED : MP_TRACE_OUT_OF_ORDER;
	if (__builtin_add_overflow(time->start_ns, mp_trace_duration(time), &end_ns))
		end_ns = INT64_MAX;
	/* ~v reverses time like -v, without overflow */
	from = t->backwards ? ~end_ns : time->start_ns;
	to = t->backwards ? ~time->start_ns : end_ns;
	if (!mp_lanes_in_order(thread->lanes, from, to))
		return MP_TRACE_OUT_OF_ORDER;
	lane = mp_lanes_place(thread->lanes, from, to, err);
	*tid = lane < 0 ? -1 : lane_tid(t, thread, lane, err);
	if (*tid < 0)
		return MP_TRACE_FAILED;
	next_event(t);
	atomic_store_explicit(&t->events, atomic_load_explicit(&t->events, memory_order_relaxed) + 1,
	    memory_order_relaxed); /* one thread at a time writes */
	return MP_TRACE_WRITTEN;
}

static enum mp_trace_outcome take_row(
    struct mp_trace *t, struct mp_trace_event *e, const struct mp_query *rows, struct mp_error *err)
{
	enum mp_trace_outcome outcome;
	struct mp_trace_time time;
	int64_t tid;

	if (mp_trace_event_read(e, rows, &time, err))
		return MP_TRACE_FAILED;
	outcome = mp_trace_place(t, &time, &tid, err);
	if (outcome != MP_TRACE_WRITTEN)
		return outcome;
	mp_trace_event_head(e);
	mp_out_int(t->out, tid);
	mp_trace_event_tail(e, time.start_ns, mp_trace_duration(&time));
	if (t->progress && atomic_load(&t->events) % PROGRESS_EVERY == 0)
		t->progress->update(t->progress->user, atomic_load(&t->events));
	return MP_TRACE_WRITTEN;
}

static int put_metadata(struct mp_trace *t, struct mp_db *db, struct mp_error *err)
{
	put(t->out, "\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":{\n\"events\":");
	mp_out_int(t->out, atomic_load(&t->events));
	put(t->out, ",\n\"events on overlap lanes\":");
	mp_out_int(t->out, t->moved);
	put(t->out, ",\n\"notes\":");
	if (mp_trace_notes(t->out, db, err))
		return -1;
	put(t->out, "}}\n");
	return 0;
}

void mp_trace_begin(struct mp_trace *t, bool backwards)
{
	t->backwards = backwards;
	t->has_event = false;
	t->has_process = false;
	t->moved = 0;
	atomic_store(&t->events, 0);
	mp_trace_threads_init(&t->threads);
	put(t->out, "{\"traceEvents\":[");
}

/* The rows of all layers as one query. Later layers come first, as they do by ranges. Returns NULL with err. */
static char *join_layers(const struct mp_report *report, struct mp_sql *all, struct mp_error *err)
{
	static const char join[] = "\nUNION ALL\n";
	size_t size = report->rows.len + 1;
	char *text;

	for (int i = 0; i < report->layer_count; i++)
		size += report->layers[i].len + sizeof(join);
	text = malloc(size);
	if (!text) {
		mp_fail_memory(err, "a timeline");
		return NULL;
	}
	*all = report->rows;
	all->text = text;
	all->len = 0;
	for (int i = report->layer_count; i >= 0; i--) {
		const struct mp_sql *sql = i ? &report->layers[i - 1] : &report->rows;

		all->len += (size_t)snprintf(
		    text + all->len, size - all->len, "%.*s%s", (int)sql->len, sql->text, i ? join : "");
	}
	return text;
}

/* Write all rows in one of two orders. */
static enum mp_trace_outcome write_events(struct mp_trace *t, bool backwards, struct mp_error *err)
{
	struct mp_trace_event *e = malloc(sizeof(*e));
	struct mp_sql all;
	char order[128], *text = e ? join_layers(t->report, &all, err) : NULL;
	enum mp_trace_outcome outcome = MP_TRACE_WRITTEN;
	struct mp_query *rows = NULL;
	int status;

	snprintf(order, sizeof(order), "ORDER BY %s",
	    backwards ? t->report->tracks.recorded : "pid, tid, start_ns, dur_ns DESC");
	if (!e)
		mp_fail_memory(err, "a timeline");
	if (!text || mp_report_rows(&rows, t->team->dbs[0], &all, "", order, t->style, err) ||
	    mp_trace_event_begin(e, t->report, rows, t->out, err) || mp_report_bind(rows, &t->each, err))
		outcome = MP_TRACE_FAILED;
	mp_trace_begin(t, backwards);
	while (outcome == MP_TRACE_WRITTEN && (status = mp_query_next(rows, err)) != 0)
		outcome = status < 0 || mp_out_error(t->out, err) ? MP_TRACE_FAILED : take_row(t, e, rows, err);
	mp_trace_threads_clear(&t->threads);
	mp_query_close(rows);
	free(text);
	free(e);
	return outcome;
}

/*
 * A recorder writes a call at its end, so the records of each thread are in order of their ends. Reading the records
 * backwards needs no sort. Data in another order is detected and then sorted.
 */
static enum mp_trace_outcome write_all(struct mp_trace *t, struct mp_error *err)
{
	enum mp_trace_outcome outcome = MP_TRACE_TOO_LONG;

	if (t->report->rows.split[0])
		outcome = mp_trace_write_ranges(t, err);
	if (outcome == MP_TRACE_TOO_LONG) {
		mp_out_restart(t->out);
		outcome = write_events(t, true, err);
	}
	if (outcome != MP_TRACE_OUT_OF_ORDER)
		return outcome;
	mp_out_restart(t->out);
	outcome = write_events(t, false, err);
	if (outcome == MP_TRACE_OUT_OF_ORDER)
		mp_report_refuse_rows(t->report->path, "rows are not in order", err);
	return outcome;
}

int mp_timeline_write(const struct mp_report *report, struct mp_team *team, const struct mp_query *each,
    enum mp_style style, struct mp_out *out, const struct mp_timeline_progress *progress,
    struct mp_timeline_stats *stats, struct mp_error *err)
{
	struct mp_trace *t = calloc(1, sizeof(*t));
	int status = -1;

	if (!t)
		return mp_fail_memory(err, "a timeline");
	*t = (struct mp_trace){.report = report, .style = style, .team = team, .out = out, .progress = progress};
	if (mp_report_row(&t->each, each, err) == 0 && write_all(t, err) == MP_TRACE_WRITTEN)
		status = put_metadata(t, team->dbs[0], err);
	*stats = (struct mp_timeline_stats){.events = atomic_load(&t->events), .moved = t->moved};
	free(t);
	return status;
}

/* Losses and notes of a job as JSON. */

int mp_trace_notes_open(struct mp_query **q, struct mp_db *db, struct mp_error *err)
{
	static const char sql[] =
	    "SELECT 'standing', word(text) FROM told_standing UNION ALL "
	    "SELECT 'lost', word(amount || ' ' || what) FROM loss UNION ALL "
	    "SELECT 'unpaired', word(what || ': ' || count(*)) FROM unpaired GROUP BY what UNION ALL "
	    "SELECT kind, coalesce(file || ': ', '') || word(text) FROM note";

	return mp_query_open(q, db, sql, sizeof(sql) - 1, err);
}

int mp_trace_notes(struct mp_out *out, struct mp_db *db, struct mp_error *err)
{
	struct mp_query *q;
	bool any = false;
	int status;

	if (mp_trace_notes_open(&q, db, err))
		return -1;
	mp_out_char(out, '[');
	while ((status = mp_query_next(q, err)) == 1) {
		struct mp_value kind = mp_query_value(q, 0), text = mp_query_value(q, 1);

		mp_out_text(out, any ? ",\n{" : "\n{");
		any = true;
		mp_json_value(out, &kind);
		mp_out_char(out, ':');
		mp_json_value(out, &text);
		mp_out_char(out, '}');
	}
	mp_out_char(out, ']');
	mp_query_close(q);
	return status;
}

/*
 * task_runs.c: starts and ends of a device's log, paired in the order of their times. Logs are in this order, nearly
 * always: the first event that is not makes all pairs events again, which are sorted when all are read.
 */
#include <string.h>

#include "join/tasks_internal.h"

enum { SUBTASK = 256 /* added to the types of sub-tasks */ };

/* Runs that have a start, runs that are an end alone, and events, as runs whose start is their time. */
struct pairing {
	struct mp_load *load;
	struct mp_runs *runs, alone, events;
	struct mp_map *open, *ends; /* stream, task, context -> index of the run, and of an end alone at ends_ns */
	int64_t ends_ns, ends_count;
	int64_t device_id, last_ns;
	bool is_ffts;      /* what is read: the log of sub-tasks */
	bool is_late;      /* an event came after one of a later time: events wait */
	bool is_unordered; /* that one was of the same log */
	const char *log;   /* the name of the file of the last event */
};

static int add(struct pairing *p, struct mp_runs *to, const struct mp_run *run, struct mp_error *err)
{
	if ((size_t)to->count >= to->items.room / sizeof(*run) &&
	    (to->count == INT32_MAX || !mp_big_grow(&to->items, p->load->dirfd)))
		return mp_fail_memory(err, "the tasks of a device");
	*mp_run_at(to, to->count++) = *run;
	return 0;
}

/* Starts or ends that have no other half: those that are open. */
static int insert_halves(struct pairing *p, struct mp_runs *runs, bool are_ends, struct mp_error *err)
{
	static const char sql[] =
	    "INSERT INTO unpaired(device_id, stream_id, task_id, time_ns, what) VALUES(?, ?, ?, ?, ?)";
	struct mp_query *q;
	int status = 0;

	if (mp_query_open(&q, p->load->db, sql, sizeof(sql) - 1, err))
		return -1;
	for (int32_t i = 0; !status && i < runs->count; i++) {
		const struct mp_run *run = mp_run_at(runs, i);

		if (!run->is_open)
			continue;
		status = mp_query_put(q,
		    MP_VALUES(mp_int(p->device_id), mp_int(run->stream_id), mp_int(run->task_id), mp_int(run->start_ns),
			mp_string(are_ends ? "end without a start" : "start without an end")),
		    err);
	}
	mp_query_close(q);
	return status;
}

/* Of a task that takes no time the end may come before the start. Forgets such an end. */
static bool ended_before(struct pairing *p, const struct mp_key *key, const struct mp_run *run)
{
	int64_t end;

	if (!p->ends_count || p->ends_ns != run->start_ns || !mp_map_take(p->ends, key, &end))
		return false;
	mp_run_at(&p->alone, (int32_t)end)->is_open = false;
	return true;
}

/* An end alone may be that of a start to come, at the same time. */
static int end_alone(struct pairing *p, const struct mp_key *key, struct mp_run *event, struct mp_error *err)
{
	if (p->ends_ns != event->start_ns && p->ends_count) {
		mp_map_clear(p->ends);
		p->ends_count = 0;
	}
	p->ends_ns = event->start_ns;
	p->ends_count++;
	event->is_open = true;
	if (!mp_map_put(p->ends, key, p->alone.count))
		return mp_fail_memory(err, "the tasks of a device");
	return add(p, &p->alone, event, err);
}

static int begin_run(struct pairing *p, const struct mp_key *key, struct mp_run *run, struct mp_error *err)
{
	int64_t earlier;

	mp_map_take(p->open, key, &earlier); /* one that is open stays without an end */
	run->is_open = !ended_before(p, key, run);
	if (run->is_open && !mp_map_put(p->open, key, p->runs->count))
		return mp_fail_memory(err, "the tasks of a device");
	return add(p, p->runs, run, err);
}

static int pair(struct pairing *p, struct mp_run *event, struct mp_error *err)
{
	const int64_t parts[] = {event->stream_id, event->task_id, event->context_id};
	const struct mp_key key = {parts, 3};
	struct mp_run *begun;
	int64_t open;

	if (!event->is_end)
		return begin_run(p, &key, event, err);
	if (!mp_map_take(p->open, &key, &open))
		return end_alone(p, &key, event, err);
	begun = mp_run_at(p->runs, (int32_t)open);
	begun->end_ns = event->start_ns;
	begun->is_open = false;
	return 0;
}

/* All that was paired, or stayed alone, becomes events. */
static int unpair(struct pairing *p, struct mp_error *err)
{
	for (int32_t i = 0; i < p->runs->count; i++) {
		struct mp_run event = *mp_run_at(p->runs, i);
		bool has_end = !event.is_open;

		if (add(p, &p->events, &event, err))
			return -1;
		event.start_ns = event.end_ns;
		event.is_end = true;
		if (has_end && add(p, &p->events, &event, err))
			return -1;
	}
	for (int32_t i = 0; i < p->alone.count; i++)
		if (mp_run_at(&p->alone, i)->is_open && add(p, &p->events, mp_run_at(&p->alone, i), err))
			return -1;
	p->runs->count = p->alone.count = 0;
	p->ends_count = 0;
	mp_map_clear(p->ends);
	p->is_late = true;
	mp_map_clear(p->open);
	return 0;
}

/* Whether two files are slices of one log. */
static bool is_same_log(const char *a, const char *b)
{
	const char *end = strstr(a, ".slice_");

	return a == b || (end && strncmp(a, b, (size_t)(end - a) + 1) == 0);
}

static int take_event(struct pairing *p, struct mp_log *log, struct mp_error *err)
{
	const char *name = log->feed.passes[log->feed.pass_count - 1].file->name;
	int64_t event[MP_LOG_COUNT];
	bool nulls[MP_LOG_COUNT];
	struct mp_run run = {.plain = false};

	mp_feed_numbers(&log->feed, &log->columns, event, nulls);
	run.start_ns = run.end_ns = event[MP_LOG_TIME];
	run.stream_id = nulls[MP_LOG_STREAM] ? MP_NO_STREAM : (uint32_t)event[MP_LOG_STREAM];
	run.task_id = (uint32_t)event[MP_LOG_TASK];
	run.context_id = p->is_ffts ? event[MP_LOG_CONTEXT] : MP_NO_CONTEXT;
	run.plain = event[MP_LOG_PLAIN] != 0;
	run.is_end = event[MP_LOG_END] != 0;
	run.type = (int16_t)(nulls[MP_LOG_TYPE] || event[MP_LOG_TYPE] < 0 || event[MP_LOG_TYPE] >= MP_TASK_KINDS
				 ? -1
				 : event[MP_LOG_TYPE] + (p->is_ffts ? SUBTASK : 0));
	if (run.start_ns < p->last_ns && !p->is_late && unpair(p, err))
		return -1;
	p->is_unordered = p->is_unordered || (run.start_ns < p->last_ns && is_same_log(name, p->log));
	p->last_ns = run.start_ns;
	p->log = name;
	return p->is_late ? add(p, &p->events, &run, err) : pair(p, &run, err);
}

int mp_logs_open(struct mp_log logs[2], struct mp_load *load, const struct mp_joins *joins, struct mp_error *err)
{
	for (int i = 0; i < 2; i++) {
		const struct mp_join_table *part = &joins->tables[i ? MP_JOIN_SUBRUNS : MP_JOIN_RUNS];

		if (mp_feed_open(&logs[i].feed, load, part->records, -1, err))
			return -1;
		logs[i].columns = mp_feed_choose(&logs[i].feed, part, 0, part->count);
	}
	return 0;
}

static int read_log(struct pairing *p, struct mp_log *log, struct mp_error *err)
{
	int64_t place;
	int status = 1;

	mp_feed_turn(&log->feed, p->device_id);
	while (status == 1 && (status = mp_feed_next(&log->feed, &place, err)) == 1)
		if (take_event(p, log, err))
			status = -1;
	mp_feed_turn(&log->feed, p->device_id);
	return status;
}

/* Of one time ends come first, then tasks before their sub-tasks. */
static int by_start(const void *a, const void *b)
{
	const struct mp_run *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	if (x->is_end != y->is_end)
		return x->is_end ? -1 : 1;
	if ((x->context_id == MP_NO_CONTEXT) != (y->context_id == MP_NO_CONTEXT))
		return x->context_id == MP_NO_CONTEXT ? -1 : 1;
	if (x->end_ns != y->end_ns)
		return x->end_ns < y->end_ns ? -1 : 1;
	if (x->stream_id != y->stream_id)
		return x->stream_id < y->stream_id ? -1 : 1;
	if (x->task_id != y->task_id)
		return x->task_id < y->task_id ? -1 : 1;
	return (x->context_id > y->context_id) - (x->context_id < y->context_id);
}

static int sort(struct pairing *p, struct mp_runs *runs, struct mp_error *err)
{
	return mp_big_sort(&runs->items, (size_t)runs->count, sizeof(struct mp_run), by_start, p->load->dirfd)
		   ? 0
		   : mp_fail_memory(err, "the tasks of a device");
}

/* For what says of records without a time that their order counts. */
static int note_order(const struct pairing *p, struct mp_error *err)
{
	return p->is_unordered ? mp_db_put(p->load->db, "INSERT INTO temp.unordered_log VALUES (?)",
				     MP_VALUES(mp_int(p->device_id)), err)
			       : 0;
}

static int pair_events(struct pairing *p, struct mp_error *err)
{
	if (sort(p, &p->events, err))
		return -1;
	for (int32_t i = 0; i < p->events.count; i++) {
		struct mp_run event = *mp_run_at(&p->events, i);

		event.end_ns = event.start_ns;
		if (pair(p, &event, err))
			return -1;
	}
	return 0;
}

/* Without those that are open. */
static int finish(struct pairing *p, struct mp_error *err)
{
	struct mp_runs *r = p->runs;
	int32_t count = 0;

	if (note_order(p, err) || (p->is_late && pair_events(p, err)) || insert_halves(p, &p->alone, true, err) ||
	    insert_halves(p, r, false, err))
		return -1;
	for (int32_t i = 0; i < r->count; i++) {
		const struct mp_run run = *mp_run_at(r, i);

		if (!run.is_open)
			*mp_run_at(r, count++) = run;
	}
	r->count = count;
	return sort(p, r, err);
}

int mp_runs_read(struct mp_runs *runs, struct mp_log logs[2], struct mp_map *open, struct mp_map *ends,
    int64_t device_id, struct mp_error *err)
{
	struct pairing p = {
	    .load = logs[0].feed.load, .runs = runs, .open = open, .ends = ends, .device_id = device_id, .log = ""};
	int status = 0;

	for (int i = 0; !status && i < 2; i++) {
		p.is_ffts = i == 1;
		p.last_ns = INT64_MIN;
		status = read_log(&p, &logs[i], err);
	}
	if (!status)
		status = finish(&p, err);
	mp_big_free(&p.alone.items);
	mp_big_free(&p.events.items);
	mp_map_clear(open);
	mp_map_clear(ends);
	return status;
}

/* task_runs.c: starts and ends of a device's log, paired. */
#include <stdlib.h>

#include "join/tasks_internal.h"

enum { SUBTASK = 256 /* added to the types of sub-tasks */, HALVES = 1024 };

/* A start or an end that has no other half. */
struct half {
	int64_t stream_id, task_id, context_id, time_ns;
	bool is_end;
};

struct pairing {
	struct mp_load *load;
	struct mp_runs *runs;
	struct mp_map *open; /* stream, task, context -> index of the run */
	int64_t device_id;
	bool is_ffts;        /* what is read: the log of sub-tasks */
	struct half *halves; /* up to HALVES that are not in their table yet */
	int half_count;
};

static int insert_halves(struct pairing *p, struct mp_error *err)
{
	static const char sql[] =
	    "INSERT INTO unpaired(device_id, stream_id, task_id, time_ns, what) VALUES(?, ?, ?, ?, ?)";
	struct mp_query *q;
	int status = 0;

	if (mp_query_open(&q, p->load->db, sql, sizeof(sql) - 1, err))
		return -1;
	for (int i = 0; !status && i < p->half_count; i++) {
		const struct half *h = &p->halves[i];

		status = mp_query_put(q,
		    MP_VALUES(mp_int(p->device_id), mp_int(h->stream_id), mp_int(h->task_id), mp_int(h->time_ns),
			mp_string(h->is_end ? "end without a start" : "start without an end")),
		    err);
	}
	mp_query_close(q);
	p->half_count = 0;
	return status;
}

static int add_half(struct pairing *p, const struct mp_run *run, bool is_end, struct mp_error *err)
{
	p->halves[p->half_count++] =
	    (struct half){run->stream_id, run->task_id, run->context_id, run->start_ns, is_end};
	return p->half_count == HALVES ? insert_halves(p, err) : 0;
}

/* Of a task that takes no time the end may come before the start. Forgets such an end. */
static bool ended_before(struct pairing *p, const struct mp_run *run)
{
	for (int i = p->half_count; i-- && p->halves[i].is_end && p->halves[i].time_ns == run->start_ns;) {
		const struct half *h = &p->halves[i];

		if (h->stream_id != run->stream_id || h->task_id != run->task_id || h->context_id != run->context_id)
			continue;
		p->halves[i] = p->halves[--p->half_count];
		return true;
	}
	return false;
}

static int begin_run(struct pairing *p, const struct mp_key *key, const struct mp_run *run, struct mp_error *err)
{
	struct mp_runs *r = p->runs;
	int64_t earlier;

	if ((size_t)r->count >= r->items.room / sizeof(*run) &&
	    (r->count == INT32_MAX || !mp_big_grow(&r->items, p->load->dirfd)))
		return mp_fail_memory(err, "the tasks of a device");
	mp_map_take(p->open, key, &earlier); /* one that is open stays without an end */
	*mp_run_at(r, r->count) = *run;
	if (ended_before(p, run))
		mp_run_at(r, r->count)->is_open = false;
	else if (!mp_map_put(p->open, key, r->count, false))
		return mp_fail_memory(err, "the tasks of a device");
	r->count++;
	return 0;
}

static int take_event(struct pairing *p, struct mp_log *log, struct mp_error *err)
{
	int64_t event[MP_LOG_COUNT];
	bool nulls[MP_LOG_COUNT];
	struct mp_run run = {.is_open = true}, *begun;
	int64_t parts[3], open;
	const struct mp_key key = {parts, 3};

	mp_feed_numbers(&log->feed, &log->columns, event, nulls);
	run.start_ns = run.end_ns = event[MP_LOG_TIME];
	parts[0] = run.stream_id = nulls[MP_LOG_STREAM] ? MP_NO_STREAM : (uint32_t)event[MP_LOG_STREAM];
	parts[1] = run.task_id = (uint32_t)event[MP_LOG_TASK];
	parts[2] = run.context_id = p->is_ffts ? event[MP_LOG_CONTEXT] : MP_NO_CONTEXT;
	run.plain = event[MP_LOG_PLAIN] != 0;
	run.type = (int16_t)(nulls[MP_LOG_TYPE] || event[MP_LOG_TYPE] < 0 || event[MP_LOG_TYPE] >= MP_TASK_KINDS
				 ? -1
				 : event[MP_LOG_TYPE] + (p->is_ffts ? SUBTASK : 0));
	if (!event[MP_LOG_END])
		return begin_run(p, &key, &run, err);
	if (!mp_map_take(p->open, &key, &open))
		return add_half(p, &run, true, err);
	begun = mp_run_at(p->runs, (int32_t)open);
	begun->end_ns = run.start_ns;
	begun->is_open = false;
	return 0;
}

int mp_logs_open(struct mp_log logs[2], struct mp_load *load, const struct mp_joins *joins, struct mp_error *err)
{
	static const signed char order[] = {MP_LOG_TIME, MP_LOG_END, MP_LOG_STREAM, MP_LOG_TASK, MP_LOG_CONTEXT};

	for (int i = 0; i < 2; i++) {
		const struct mp_join_table *part = &joins->tables[i ? MP_JOIN_SUBRUNS : MP_JOIN_RUNS];

		if (mp_feed_open(&logs[i].feed, load, part->records, -1, err))
			return -1;
		logs[i].columns = mp_feed_choose(&logs[i].feed, part, 0, part->count);
		mp_feed_want_order(&logs[i].feed, part, order, 4 + i, false);
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

static int by_start(const void *a, const void *b)
{
	const struct mp_run *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	if (x->end_ns != y->end_ns)
		return x->end_ns < y->end_ns ? -1 : 1;
	if (x->stream_id != y->stream_id)
		return x->stream_id < y->stream_id ? -1 : 1;
	if (x->task_id != y->task_id)
		return x->task_id < y->task_id ? -1 : 1;
	return (x->context_id > y->context_id) - (x->context_id < y->context_id);
}

/* Without those that are open; most logs have them in order. */
static int finish(struct pairing *p, struct mp_error *err)
{
	struct mp_runs *r = p->runs;
	int32_t count = 0;
	bool sorted = true;

	for (int32_t i = 0; i < r->count; i++) {
		const struct mp_run *run = mp_run_at(r, i);

		if (run->is_open) {
			if (add_half(p, run, false, err))
				return -1;
			continue;
		}
		*mp_run_at(r, count++) = *run;
		sorted = sorted && (count == 1 || by_start(mp_run_at(r, count - 2), mp_run_at(r, count - 1)) <= 0);
	}
	r->count = count;
	if (!sorted && !mp_big_sort(&r->items, (size_t)count, sizeof(struct mp_run), by_start, p->load->dirfd))
		return mp_fail_memory(err, "the tasks of a device");
	return 0;
}

int mp_runs_read(
    struct mp_runs *runs, struct mp_log logs[2], struct mp_map *open, int64_t device_id, struct mp_error *err)
{
	struct mp_load *load = logs[0].feed.load;
	struct pairing p = {.load = load, .runs = runs, .open = open, .device_id = device_id};
	int status;

	p.halves = malloc(HALVES * sizeof(*p.halves));
	if (!p.halves)
		return mp_fail_memory(err, "the tasks of a device");
	status = read_log(&p, &logs[0], err);
	p.is_ffts = true;
	if (!status)
		status = read_log(&p, &logs[1], err) || finish(&p, err) ? -1 : 0;
	if (!status && p.half_count)
		status = insert_halves(&p, err);
	free(p.halves);
	mp_map_clear(p.open);
	return status;
}

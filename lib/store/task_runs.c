/* task_runs.c: starts and ends of a device's log, paired. */
#include <stdlib.h>

#include "store/tasks_internal.h"

enum { SUBTASK = 256 /* added to the types of sub-tasks */, OPEN = -1, HALVES = 1024 };

/* A start or an end that has no other half. */
struct half {
	int64_t stream_id, task_id, time_ns;
	bool is_end;
};

struct pairing {
	struct mp_load *load;
	struct mp_runs *runs;
	struct mp_map *open; /* stream, task, context -> index of the run */
	int64_t device_id;
	int32_t ends;
	struct half halves[HALVES]; /* that are not in their table yet */
	int half_count;
};

/* A log and its columns. */
struct log {
	struct mp_feed feed;
	int end, type, stream, task, context, plain, time;
	bool is_ffts;
};

static int insert_halves(void *user, struct mp_error *err)
{
	static const char sql[] = "INSERT INTO unpaired(device_id, stream_id, task_id, time_ns, what)"
				  " VALUES(?, ?, ?, ?, iif(?, 'end without a start', 'start without an end'))";
	struct pairing *p = user;
	struct mp_query *q;
	int status = 0;

	if (mp_query_open(&q, p->load->db, sql, sizeof(sql) - 1, err))
		return -1;
	for (int i = 0; !status && i < p->half_count; i++) {
		const struct half *h = &p->halves[i];

		status = mp_query_bind_at(q, 1, p->device_id, err) || mp_query_bind_at(q, 2, h->stream_id, err) ||
				 mp_query_bind_at(q, 3, h->task_id, err) || mp_query_bind_at(q, 4, h->time_ns, err) ||
				 mp_query_bind_at(q, 5, h->is_end, err)
			     ? -1
			     : mp_query_next(q, err);
		mp_query_rewind(q);
	}
	mp_query_close(q);
	p->half_count = 0;
	return status;
}

static int add_half(struct pairing *p, const struct mp_run *run, bool is_end, struct mp_error *err)
{
	p->halves[p->half_count++] = (struct half){run->stream_id, run->task_id, run->start_ns, is_end};
	return p->half_count == HALVES ? mp_on_main(p->load, insert_halves, p, err) : 0;
}

static int begin_run(struct pairing *p, const struct mp_key *key, const struct mp_run *run, struct mp_error *err)
{
	struct mp_runs *r = p->runs;
	int64_t earlier;

	if (r->count == r->room) {
		int64_t room = r->room ? 2 * (int64_t)r->room : 1024;
		struct mp_run *more = room > INT32_MAX ? NULL : realloc(r->items, (size_t)room * sizeof(*more));

		if (!more)
			return mp_fail_memory(err, "the tasks of a device");
		r->items = more;
		r->room = (int32_t)room;
	}
	mp_map_take(p->open, key, &earlier); /* one that is open stays without an end */
	if (!mp_map_put(p->open, key, r->count, false))
		return mp_fail_memory(err, "the tasks of a device");
	r->items[r->count++] = *run;
	return 0;
}

static int take_event(struct pairing *p, struct log *log, struct mp_error *err)
{
	struct mp_feed *f = &log->feed;
	struct mp_run run = {.start_ns = mp_feed_value(f, log->time).i, .stream_id = (uint32_t)mp_feed_value(f, log->stream).i,
	    .task_id = (uint32_t)mp_feed_value(f, log->task).i, .context_id = MP_NO_CONTEXT, .order = OPEN};
	int64_t parts[3] = {run.stream_id, run.task_id, MP_NO_CONTEXT};
	const struct mp_key key = {parts, 3};
	struct mp_value type;
	int64_t open;

	run.plain = mp_feed_value(f, log->plain).i != 0;
	if (log->is_ffts)
		parts[2] = run.context_id = mp_feed_value(f, log->context).i;
	type = mp_feed_value(f, log->type);
	run.type = (int16_t)(type.type != MP_INT || type.i < 0 || type.i >= MP_TASK_KINDS ? -1 : type.i + (log->is_ffts ? SUBTASK : 0));
	if (!mp_feed_value(f, log->end).i)
		return begin_run(p, &key, &run, err);
	if (!mp_map_take(p->open, &key, &open))
		return add_half(p, &run, true, err);
	p->runs->items[open].end_ns = run.start_ns;
	p->runs->items[open].type = run.type;
	p->runs->items[open].order = p->ends++;
	return 0;
}

static int read_log(struct pairing *p, struct mp_load *load, bool is_ffts, struct mp_error *err)
{
	struct log log = {.is_ffts = is_ffts};
	int64_t place;
	int status = mp_feed_open(&log.feed, load, is_ffts ? "ffts_log" : "stars_log", p->device_id, err) ? -1 : 1;

	log.end = mp_feed_column(&log.feed, "end");
	log.type = mp_feed_column(&log.feed, is_ffts ? "subtask_type" : "task_type");
	log.stream = mp_feed_column(&log.feed, "stream_id");
	log.task = mp_feed_column(&log.feed, "task_id");
	log.context = mp_feed_column(&log.feed, "context_id");
	log.plain = mp_feed_column(&log.feed, "plain");
	log.time = mp_feed_column(&log.feed, "time_ns");
	while (status == 1 && (status = mp_feed_next(&log.feed, &place, err)) == 1)
		if (take_event(p, &log, err))
			status = -1;
	mp_feed_close(&log.feed);
	return status;
}

static int by_start(const void *a, const void *b)
{
	const struct mp_run *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* Without those that are open; most logs have them in order. */
static int finish(struct pairing *p, struct mp_error *err)
{
	struct mp_runs *r = p->runs;
	int32_t count = 0;
	bool sorted = true;

	for (int32_t i = 0; i < r->count; i++) {
		const struct mp_run *run = &r->items[i];

		if (run->order == OPEN) {
			if (add_half(p, run, false, err))
				return -1;
			continue;
		}
		r->items[count++] = *run;
		sorted = sorted && (count == 1 || by_start(&r->items[count - 2], &r->items[count - 1]) <= 0);
	}
	r->count = count;
	if (!sorted)
		qsort(r->items, (size_t)count, sizeof(r->items[0]), by_start);
	return 0;
}

int mp_runs_read(struct mp_runs *runs, struct mp_load *load, struct mp_map *open, int64_t device_id, struct mp_error *err)
{
	struct pairing p = {.load = load, .runs = runs, .open = open, .device_id = device_id};
	int status;

	*runs = (struct mp_runs){NULL, 0, 0};
	status = read_log(&p, load, false, err) || read_log(&p, load, true, err) || finish(&p, err) ? -1 : 0;
	if (!status && p.half_count)
		status = mp_on_main(load, insert_halves, &p, err);
	mp_map_clear(p.open);
	return status;
}

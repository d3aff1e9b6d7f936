/*
 * flips.c: when the task numbers of a stream reach their end, they begin again: a flip. The stretches between flips are
 * batches, counted from 0 for each device and stream. The flips of a device are rows of a rule; those of the host count
 * the batches of its launches while these are read.
 */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "join/rules.h"
#include "join/tasks_internal.h"

/* A flip as it was recorded, by the host or by the device. */
struct flip {
	int64_t host, device_id, stream_id, time_ns, ends, task_id; /* ends: the stream is destroyed */
	int64_t order;                                              /* of recording */
};
enum { FLIP_COLUMNS = 6 };

struct flips {
	struct flip *items;
	size_t count;
};

static int add_flip(struct flips *flips, struct flip flip, struct mp_error *err)
{
	if (!mp_vec_room(flips->items, flips->count, 1))
		return mp_fail_memory(err, "flips");
	flip.order = (int64_t)flips->count;
	flips->items[flips->count++] = flip;
	return 0;
}

static int read_flips(struct mp_rule_call *call, struct flips *flips, struct mp_error *err)
{
	int64_t v[FLIP_COLUMNS];
	int status;

	while ((status = mp_rule_next(call, 0, v, err)) == 1)
		if (add_flip(flips, (struct flip){v[0], v[1], v[2], v[3], v[4], v[5], 0}, err))
			return -1;
	return status;
}

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_time(const void *a, const void *b)
{
	const struct flip *x = a, *y = b;
	const int orders[] = {compare(x->host, y->host), compare(x->device_id, y->device_id),
	    compare(x->stream_id, y->stream_id), compare(x->time_ns, y->time_ns), compare(x->ends, y->ends),
	    compare(x->order, y->order)};

	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
		if (orders[i])
			return orders[i];
	return 0;
}

static void sort_flips(struct flips *flips)
{
	if (flips->count)
		qsort(flips->items, flips->count, sizeof(flips->items[0]), by_time);
}

static bool is_first(const struct flips *flips, size_t i)
{
	const struct flip *f = &flips->items[i];

	return !i || f->host != f[-1].host || f->device_id != f[-1].device_id || f->stream_id != f[-1].stream_id;
}

/* A flip begins the next batch of its stream; the end of the stream begins batch 0 again. */
static int64_t batch_since(const struct flips *flips, size_t i, int64_t batch_id)
{
	return flips->items[i].ends ? 0 : (is_first(flips, i) ? 0 : batch_id) + 1;
}

static int flip_batches(struct mp_rule_call *call, struct mp_error *err)
{
	struct flips flips = {NULL, 0};
	int64_t batch_id = 0;
	int status = read_flips(call, &flips, err);

	sort_flips(&flips);
	for (size_t i = 0; !status && i < flips.count; i++) {
		const struct flip *f = &flips.items[i];

		batch_id = batch_since(&flips, i, batch_id);
		status = mp_rule_put(call,
		    (const int64_t[]){f->host, f->device_id, f->stream_id, f->time_ns, f->task_id, batch_id}, err);
	}
	free(flips.items);
	return status;
}

const struct mp_rule mp_rule_flip_batches = {
    "flip_batches", "host, device_id, stream_id, time_ns, task_id, batch_id", 6, {FLIP_COLUMNS, 0, 0}, flip_batches};

/* What flips say of the batches of a stream. */
struct batches {
	struct mp_map
	    *numbers; /* host, device, stream, batch -> the task number of the flip that began the batch first */
	struct mp_map *streams; /* device, stream -> 1: the host recorded flips of it */
	struct mp_map *times;   /* device and stream -> since when which batch, by the host */
};

static int64_t track_of(int64_t device_id, int64_t stream_id)
{
	return (int64_t)((uint64_t)device_id << 32) | stream_id;
}

/* Put the value, if the key has no value yet. */
static bool put_first(struct mp_map *map, const struct mp_key *key, int64_t value)
{
	int64_t there;

	return mp_map_peek(map, key, &there) || mp_map_put(map, key, value);
}

enum { BATCH_COLUMNS = 6 }; /* host, device, stream, batch, task number, time */

/* The rows of flip_batches, in their order. */
static int read_batches(struct mp_rule_call *call, struct batches *b, struct mp_error *err)
{
	int64_t v[BATCH_COLUMNS];
	int status;

	*b = (struct batches){mp_rule_map(call), mp_rule_map(call), mp_rule_map(call)};
	while ((status = mp_rule_next(call, 0, v, err)) == 1) {
		bool ok = put_first(b->numbers, &(struct mp_key){v, 4}, v[4]);

		if (ok && v[0])
			ok = put_first(b->streams, &(struct mp_key){v + 1, 2}, 1) &&
			     mp_map_span(b->times, track_of(v[1], v[2]), v[5], INT64_MAX, v[3]);
		if (!ok)
			return mp_fail_memory(err, "batches");
	}
	return status;
}

/* Whether a task number is below that of the flip which begins the next batch: the flip came while it was taken. */
static bool is_raced(
    const struct batches *b, int64_t host, int64_t device_id, int64_t stream_id, int64_t batch_id, int64_t task_id)
{
	int64_t next[] = {host, device_id, stream_id, 0}, number;

	return !__builtin_add_overflow(batch_id, 1, &next[3]) &&
	       mp_map_peek(b->numbers, &(struct mp_key){next, 4}, &number) && task_id < number;
}

/* The batch of a launch: as the host's flips count it, where it recorded some; else as recorded. */
static int64_t batch_of_launch(const struct batches *b, const int64_t launch[6])
{
	const int64_t device_id = launch[1], stream_id = launch[2], task_id = launch[3];
	const int64_t stream[] = {device_id, stream_id};
	int64_t batch_id = launch[4], flips;

	if (mp_map_peek(b->streams, &(struct mp_key){stream, 2}, &flips) &&
	    !mp_map_within(b->times, track_of(device_id, stream_id), launch[5], &batch_id, NULL))
		batch_id = 0;
	return batch_id + is_raced(b, 1, device_id, stream_id, batch_id, task_id);
}

/* Launches by device, stream, task and batch; `of_launch` has the batch of each. */
static int read_late(struct mp_rule_call *call, const struct batches *b, struct mp_map *launches,
    struct mp_map *of_launch, struct mp_error *err)
{
	int64_t v[6]; /* id, device, stream, task, batch, time */
	int status;

	while ((status = mp_rule_next(call, 1, v, err)) == 1) {
		int64_t batch_id = batch_of_launch(b, v), key[] = {v[1], v[2], v[3], batch_id};

		if (!mp_map_put(launches, &(struct mp_key){key, 4}, v[0]) ||
		    !mp_map_put(of_launch, &(struct mp_key){v, 1}, batch_id))
			return mp_fail_memory(err, "launches");
	}
	return status;
}

/* Each run takes the first launch of its batch, else of the batch after it, if its number says that it raced. */
static int match_runs(struct mp_rule_call *call, const struct batches *b, struct mp_map *launches,
    struct mp_map *of_launch, struct mp_error *err)
{
	int64_t v[5], launched, batch_id; /* id, device, stream, task, batch */
	int status;

	while ((status = mp_rule_next(call, 2, v, err)) == 1) {
		const struct mp_key key = {v + 1, 4};
		int64_t run_batch_id = v[4];

		if (!mp_map_take(launches, &key, &launched)) {
			v[4] += is_raced(b, 0, v[1], v[2], v[4], v[3]);
			if (v[4] == run_batch_id || !mp_map_take(launches, &key, &launched))
				continue;
		}
		if (!mp_map_peek(of_launch, &(struct mp_key){&launched, 1}, &batch_id) || batch_id < run_batch_id)
			batch_id = run_batch_id;
		if (mp_rule_put(call, (const int64_t[]){v[0], launched, batch_id}, err))
			return -1;
	}
	return status;
}

static int late_launches(struct mp_rule_call *call, struct mp_error *err)
{
	struct mp_map *launches = mp_rule_map(call), *of_launch = mp_rule_map(call);
	struct batches batches;

	return read_batches(call, &batches, err) || read_late(call, &batches, launches, of_launch, err) ||
		       match_runs(call, &batches, launches, of_launch, err)
		   ? -1
		   : 0;
}

const struct mp_rule mp_rule_late_launches = {
    "late_launches", "id, launched, batch_id", 3, {BATCH_COLUMNS, 6, 5}, late_launches};

/* Once a number at or above that of the flip was seen in a batch, numbers below it are of the batch after it. */
static int raced_runs(struct mp_rule_call *call, struct mp_error *err)
{
	struct batches batches;
	struct mp_map *seen = mp_rule_map(call);
	int64_t v[5], number, is_seen; /* id, device, stream, batch, task */
	int status;

	if (read_batches(call, &batches, err))
		return -1;
	while ((status = mp_rule_next(call, 1, v, err)) == 1) {
		int64_t next[] = {0, v[1], v[2], 0};
		const struct mp_key key = {v + 1, 3};

		if (__builtin_add_overflow(v[3], 1, &next[3]) ||
		    !mp_map_peek(batches.numbers, &(struct mp_key){next, 4}, &number) || number <= 0)
			continue;
		if (v[4] >= number && !put_first(seen, &key, 1))
			return mp_fail_memory(err, "runs before a flip");
		if (v[4] < number && mp_map_peek(seen, &key, &is_seen) && mp_rule_put(call, v, err))
			return -1;
	}
	return status;
}

const struct mp_rule mp_rule_raced_runs = {"raced_runs", "id", 1, {BATCH_COLUMNS, 5, 0}, raced_runs};

enum { STREAM_GONE = 65535 }; /* in place of a batch */

struct launch {
	int64_t place, time_ns, key[4];
};

struct host_launches {
	struct flips flips;
	struct launch *items;
	size_t count;
};

static int add_record(struct mp_tasks *t, struct host_launches *l, int64_t place, struct mp_error *err)
{
	struct launch launch = {.place = place};
	int64_t track[MP_LAUNCH_COUNT];
	bool nulls[MP_LAUNCH_COUNT];

	mp_feed_numbers(&t->track, &t->track_columns, track, nulls);
	launch.time_ns = track[MP_LAUNCH_TIME];
	mp_task_launch_key(track, nulls, launch.key);
	if (track[MP_LAUNCH_TYPE] != t->flip_type) {
		if (!mp_vec_room(l->items, l->count, 1))
			return mp_fail_memory(err, "launches");
		l->items[l->count++] = launch;
		return 0;
	}
	if (!nulls[MP_LAUNCH_BATCH] && add_flip(&l->flips,
					   (struct flip){.device_id = launch.key[0],
					       .stream_id = launch.key[1],
					       .time_ns = launch.time_ns,
					       .ends = launch.key[3] == STREAM_GONE},
					   err))
		return -1;
	return mp_places_add(&t->flips, place, err);
}

/* Spans of batches by track: one that has flips begins with batch 0. */
static bool count_batches(const struct flips *flips, struct mp_map *batches)
{
	int64_t batch_id = 0;

	for (size_t i = 0; i < flips->count; i++) {
		const struct flip *f = &flips->items[i];
		int64_t track = track_of(f->device_id, f->stream_id);

		batch_id = batch_since(flips, i, batch_id);
		if ((is_first(flips, i) && !mp_map_span(batches, track, INT64_MIN, INT64_MAX, 0)) ||
		    !mp_map_span(batches, track, f->time_ns, INT64_MAX, batch_id))
			return false;
	}
	return true;
}

static bool put_launches(struct mp_tasks *t, struct host_launches *l, struct mp_map *batches)
{
	for (size_t i = 0; i < l->count; i++) {
		struct launch *launch = &l->items[i];
		int64_t batch_id;

		if (mp_map_within(batches, track_of(launch->key[0], launch->key[1]), launch->time_ns, &batch_id, NULL))
			launch->key[3] = batch_id;
		if (!mp_map_put(t->maps.launch, &(struct mp_key){launch->key, 4}, launch->place))
			return false;
	}
	return true;
}

int mp_task_read_launches(struct mp_tasks *t, struct mp_error *err)
{
	struct host_launches l = {.count = 0};
	int64_t place;
	int status = 1;

	while (status == 1 && (status = mp_feed_next(&t->track, &place, err)) == 1)
		if (add_record(t, &l, place, err))
			status = -1;
	sort_flips(&l.flips);
	if (!status && (!count_batches(&l.flips, t->maps.flip) || !put_launches(t, &l, t->maps.flip)))
		status = mp_fail_memory(err, "launches");
	mp_map_clear(t->maps.flip);
	free(l.flips.items);
	free(l.items);
	return status;
}

/*
 * task_flips.c: launches of a host that says when the task numbers of a stream began again (flips): the batch of each
 * is counted by the flips before it, as that of a run is.
 */
#include <stdlib.h>

#include "join/tasks_internal.h"

enum { STREAM_GONE = 65535 };

struct host_flip {
	int64_t track, time_ns; /* track: device and stream */
	bool ends;              /* the stream is destroyed: its next life begins with batch 0 */
};

struct launch {
	int64_t place, time_ns, key[4];
};

struct host_launches {
	struct host_flip *flips;
	struct launch *items;
	size_t flip_count, flip_room, count, room;
};

static bool make_room(void **items, size_t *room, size_t count, size_t size)
{
	void *more;

	if (count < *room)
		return true;
	more = realloc(*items, 2 * (*room + 512) * size);
	if (more) {
		*items = more;
		*room = 2 * (*room + 512);
	}
	return more != NULL;
}

static int64_t track_of(int64_t device_id, int64_t stream_id)
{
	return (int64_t)((uint64_t)device_id << 32) | stream_id;
}

static int add_record(struct mp_tasks *t, struct host_launches *l, int64_t place, struct mp_error *err)
{
	struct launch launch = {.place = place};
	int64_t track[MP_LAUNCH_COUNT];
	bool nulls[MP_LAUNCH_COUNT];

	mp_feed_numbers(&t->track, &t->track_columns, track, nulls);
	launch.time_ns = track[MP_LAUNCH_TIME];
	mp_task_launch_key(track, nulls, launch.key);
	if (track[MP_LAUNCH_TYPE] != t->flip_type) {
		if (!make_room((void **)&l->items, &l->room, l->count, sizeof(*l->items)))
			return mp_fail_memory(err, "launches");
		l->items[l->count++] = launch;
		return 0;
	}
	if (nulls[MP_LAUNCH_BATCH])
		return mp_places_add(&t->flips, place, err);
	if (!make_room((void **)&l->flips, &l->flip_room, l->flip_count, sizeof(*l->flips)))
		return mp_fail_memory(err, "launches");
	l->flips[l->flip_count++] =
	    (struct host_flip){track_of(launch.key[0], launch.key[1]), launch.time_ns, launch.key[3] == STREAM_GONE};
	return mp_places_add(&t->flips, place, err);
}

static int by_time(const void *a, const void *b)
{
	const struct host_flip *x = a, *y = b;

	if (x->track != y->track)
		return x->track < y->track ? -1 : 1;
	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->ends - y->ends;
}

/* Spans of batches by track: one that has flips begins with batch 0. */
static bool count_batches(struct host_launches *l, struct mp_map *batches)
{
	int64_t batch = 0;

	if (l->flip_count)
		qsort(l->flips, l->flip_count, sizeof(l->flips[0]), by_time);
	for (size_t i = 0; i < l->flip_count; i++) {
		const struct host_flip *f = &l->flips[i];

		if (!i || f->track != f[-1].track) {
			batch = 0;
			if (!mp_map_span(batches, f->track, INT64_MIN, INT64_MAX, 0))
				return false;
		}
		batch = f->ends ? 0 : batch + 1;
		if (!mp_map_span(batches, f->track, f->time_ns, INT64_MAX, batch))
			return false;
	}
	return true;
}

static bool put_launches(struct mp_tasks *t, struct host_launches *l, struct mp_map *batches)
{
	for (size_t i = 0; i < l->count; i++) {
		struct launch *launch = &l->items[i];
		int64_t batch;

		if (mp_map_within(batches, track_of(launch->key[0], launch->key[1]), launch->time_ns, &batch, NULL))
			launch->key[3] = batch;
		if (!mp_map_put(t->launch, &(struct mp_key){launch->key, 4}, launch->place, false))
			return false;
	}
	return true;
}

int mp_task_read_launches(struct mp_tasks *t, struct mp_error *err)
{
	struct host_launches l = {NULL, NULL, 0, 0, 0, 0};
	struct mp_map *batches = t->flip;
	int64_t place;
	int status;

	while ((status = mp_feed_next(&t->track, &place, err)) == 1)
		if (add_record(t, &l, place, err)) {
			status = -1;
			break;
		}
	if (!status && (!count_batches(&l, batches) || !put_launches(t, &l, batches)))
		status = mp_fail_memory(err, "launches");
	mp_map_clear(batches);
	free(l.flips);
	free(l.items);
	return status;
}

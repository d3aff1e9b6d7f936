/* tracks.c: processes and tracks by their keys. Writes nothing. */
#include "trace/trace_writer.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

void mp_trace_tracks_init(struct mp_trace_tracks *t)
{
	memset(t, 0, sizeof(*t));
	t->next_number = 1;
}

uint32_t mp_trace_tracks_number(struct mp_trace_tracks *t)
{
	return t->next_number < INT32_MAX ? t->next_number++ : 0;
}

struct key {
	const struct mp_trace_tracks *tracks;
	int64_t layer, process, track;
};

static uint64_t hash_of(int64_t layer, int64_t process, int64_t track)
{
	return mp_hash_mix(mp_hash_mix(mp_hash_mix(0, (uint64_t)layer), (uint64_t)process), (uint64_t)track);
}

static bool same_process(const void *key, uint32_t item)
{
	const struct key *k = key;
	const struct mp_trace_process *p = &k->tracks->processes[item];

	return p->layer == k->layer && p->process == k->process;
}

uint32_t mp_trace_tracks_process(struct mp_trace_tracks *t, int64_t layer, int64_t process, bool *is_new)
{
	const struct key key = {t, layer, process, 0};
	uint32_t number,
	    *place = mp_index_find(&t->process_index, t->process_count, hash_of(layer, process, 0), same_process, &key);

	*is_new = false;
	if (place && *place)
		return t->processes[*place - 1].number;
	if (!place || !mp_vec_room(t->processes, t->process_count, 1))
		return 0;
	number = mp_trace_tracks_number(t);
	if (!number)
		return 0;
	*is_new = true;
	t->processes[t->process_count++] = (struct mp_trace_process){layer, process, number};
	*place = t->process_count;
	return number;
}

static bool same_track(const void *key, uint32_t item)
{
	const struct key *k = key;
	const struct mp_trace_track *t = k->tracks->items[item];

	return t->layer == k->layer && t->process == k->process && t->track == k->track;
}

/* NULL: memory was short. */
static uint32_t *find_place(struct mp_trace_tracks *t, int64_t layer, int64_t process, int64_t track)
{
	const struct key key = {t, layer, process, track};

	return mp_index_find(&t->index, (size_t)t->count, hash_of(layer, process, track), same_track, &key);
}

struct mp_trace_track *mp_trace_tracks_find(struct mp_trace_tracks *t, int64_t layer, int64_t process, int64_t track)
{
	const struct mp_trace_track *last = t->last;

	if (!last || last->track != track || last->process != process || last->layer != layer) {
		const uint32_t *place = find_place(t, layer, process, track);

		t->last = place && *place ? t->items[*place - 1] : NULL;
	}
	return t->last;
}

struct mp_trace_track *mp_trace_tracks_add(struct mp_trace_tracks *t, int64_t layer, int64_t process, int64_t track)
{
	uint32_t *place = t->count < MP_TRACE_TRACKS_MAX ? find_place(t, layer, process, track) : NULL;
	struct mp_trace_track *item = place ? calloc(1, sizeof(*item)) : NULL;
	struct mp_error err;

	if (!item || mp_lanes_create(&item->lanes, &err)) {
		free(item);
		return NULL;
	}
	item->layer = layer;
	item->process = process;
	item->track = track;
	t->items[t->count++] = item;
	*place = (uint32_t)t->count;
	t->last = item;
	return item;
}

struct mp_trace_lane *mp_trace_tracks_add_lane(struct mp_trace_tracks *t, struct mp_trace_track *track)
{
	struct mp_trace_lane *lane;

	if (!mp_vec_room(track->lane, (size_t)track->lane_count, 1))
		return NULL;
	lane = &track->lane[track->lane_count];
	memset(lane, 0, sizeof(*lane));
	lane->number = mp_trace_tracks_number(t);
	track->lane_count += lane->number != 0;
	return lane->number ? lane : NULL;
}

static void free_pending(struct mp_trace_pending *p)
{
	free(p->bytes);
	free(p->held);
	free(p->begins);
}

void mp_trace_tracks_clear(struct mp_trace_tracks *t)
{
	for (int i = 0; i < t->count; i++) {
		for (int64_t lane = 0; lane < t->items[i]->lane_count; lane++)
			free_pending(&t->items[i]->lane[lane].pending);
		mp_lanes_free(t->items[i]->lanes);
		free(t->items[i]->lane);
		free(t->items[i]);
	}
	mp_index_clear(&t->index);
	t->count = 0;
	t->last = NULL;
}

void mp_trace_tracks_free(struct mp_trace_tracks *t)
{
	mp_trace_tracks_clear(t);
	free(t->processes);
	mp_index_free(&t->index);
	mp_index_free(&t->process_index);
	memset(t, 0, sizeof(*t));
}

/* A stack of begins and their bytes. Knows no format. */

/* The begins that start at `time_ns` or later are taken away. Returns where they are. */
static size_t take(struct mp_trace_pending *p, int64_t time_ns)
{
	size_t from = p->used;

	while (p->count && p->begins[p->count - 1].start_ns >= time_ns)
		from = p->begins[--p->count].at;
	p->used = from;
	return from;
}

void mp_trace_pending_release(struct mp_trace_pending *p, struct mp_out *out)
{
	if (p->held_used)
		mp_out_write(out, p->held, p->held_used);
	p->held_used = 0;
}

bool mp_trace_pending_reach(struct mp_trace_pending *p, struct mp_out *out, int64_t end_ns)
{
	size_t end = p->used, after, from;

	if (p->held_used && p->held_ns > end_ns)
		mp_trace_pending_release(p, out);
	if (!p->count || p->begins[p->count - 1].start_ns < end_ns)
		return true;
	after = end_ns < INT64_MAX ? take(p, end_ns + 1) : end;
	mp_out_write(out, p->bytes + after, end - after);
	from = take(p, end_ns);
	if (from == after)
		return true;
	if (!mp_vec_reach(p->held, &p->held_most, p->held_used + after - from))
		return false;
	memcpy(p->held + p->held_used, p->bytes + from, after - from);
	p->held_used += after - from;
	p->held_ns = end_ns;
	return true;
}

char *mp_trace_pending_add(struct mp_trace_pending *p, int64_t start_ns, size_t size)
{
	char *at;

	if (!mp_vec_reach(p->begins, &p->begins_most, p->count + 1) ||
	    !mp_vec_reach(p->bytes, &p->most, p->used + size))
		return NULL;
	p->begins[p->count++] = (struct mp_trace_begin){start_ns, p->used};
	at = p->bytes + p->used;
	p->used += size;
	return at;
}

/* tracks.c: processes and tracks by their keys. Writes nothing. */
#include "trace/tracks.h"

#include <stdlib.h>
#include <string.h>

#include "base/slots.h"

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

/* Make room for one more process, with half of the slots free. */
static bool grow(struct mp_trace_tracks *t)
{
	size_t room = t->process_room ? 2 * t->process_room : 16;
	struct mp_trace_process *processes = realloc(t->processes, room * sizeof(*processes));
	uint32_t *slots;

	if (!processes)
		return false;
	t->processes = processes;
	slots = calloc(2 * room, sizeof(*slots));
	if (!slots)
		return false;
	free(t->process_slots);
	t->process_slots = slots;
	t->process_room = room;
	for (uint32_t i = 0; i < t->process_count; i++) {
		const struct key key = {t, processes[i].layer, processes[i].process, 0};

		*mp_slot_find(slots, 2 * room, hash_of(key.layer, key.process, 0), same_process, &key) = i + 1;
	}
	return true;
}

uint32_t mp_trace_tracks_process(struct mp_trace_tracks *t, int64_t layer, int64_t process, bool *is_new)
{
	const struct key key = {t, layer, process, 0};
	uint32_t *slot, number;

	*is_new = false;
	if (t->process_count == t->process_room && !grow(t))
		return 0;
	slot = mp_slot_find(t->process_slots, 2 * t->process_room, hash_of(layer, process, 0), same_process, &key);
	if (*slot)
		return t->processes[*slot - 1].number;
	number = mp_trace_tracks_number(t);
	if (!number)
		return 0;
	*is_new = true;
	t->processes[t->process_count++] = (struct mp_trace_process){layer, process, number};
	*slot = t->process_count;
	return number;
}

static bool same_track(const void *key, uint32_t item)
{
	const struct key *k = key;
	const struct mp_trace_track *t = k->tracks->items[item];

	return t->layer == k->layer && t->process == k->process && t->track == k->track;
}

static uint32_t *find_slot(struct mp_trace_tracks *t, int64_t layer, int64_t process, int64_t track)
{
	const struct key key = {t, layer, process, track};

	return mp_slot_find(
	    t->slots, sizeof(t->slots) / sizeof(t->slots[0]), hash_of(layer, process, track), same_track, &key);
}

struct mp_trace_track *mp_trace_tracks_find(struct mp_trace_tracks *t, int64_t layer, int64_t process, int64_t track)
{
	const struct mp_trace_track *last = t->last;

	if (!last || last->track != track || last->process != process || last->layer != layer) {
		uint32_t slot = *find_slot(t, layer, process, track);

		t->last = slot ? t->items[slot - 1] : NULL;
	}
	return t->last;
}

struct mp_trace_track *mp_trace_tracks_add(struct mp_trace_tracks *t, int64_t layer, int64_t process, int64_t track)
{
	struct mp_trace_track *item = t->count < MP_TRACE_TRACKS_MAX ? calloc(1, sizeof(*item)) : NULL;
	struct mp_error err;

	if (!item || mp_lanes_create(&item->lanes, &err)) {
		free(item);
		return NULL;
	}
	item->layer = layer;
	item->process = process;
	item->track = track;
	t->items[t->count++] = item;
	*find_slot(t, layer, process, track) = (uint32_t)t->count;
	t->last = item;
	return item;
}

struct mp_trace_lane *mp_trace_tracks_add_lane(struct mp_trace_tracks *t, struct mp_trace_track *track)
{
	struct mp_trace_lane *lane;

	if ((track->lane_count & (track->lane_count + 1)) == 0) { /* 0, 1, 3, 7, ...: double */
		size_t room = 2 * (size_t)track->lane_count + 1;
		struct mp_trace_lane *lanes = realloc(track->lane, room * sizeof(*lanes));

		if (!lanes)
			return NULL;
		track->lane = lanes;
	}
	lane = &track->lane[track->lane_count];
	memset(lane, 0, sizeof(*lane));
	lane->number = mp_trace_tracks_number(t);
	track->lane_count += lane->number != 0;
	return lane->number ? lane : NULL;
}

void mp_trace_tracks_clear(struct mp_trace_tracks *t)
{
	for (int i = 0; i < t->count; i++) {
		for (int64_t lane = 0; lane < t->items[i]->lane_count; lane++)
			mp_trace_pending_free(&t->items[i]->lane[lane].pending);
		mp_lanes_free(t->items[i]->lanes);
		free(t->items[i]->lane);
		free(t->items[i]);
	}
	memset(t->slots, 0, sizeof(t->slots));
	t->count = 0;
	t->last = NULL;
}

void mp_trace_tracks_free(struct mp_trace_tracks *t)
{
	mp_trace_tracks_clear(t);
	free(t->processes);
	free(t->process_slots);
	memset(t, 0, sizeof(*t));
}

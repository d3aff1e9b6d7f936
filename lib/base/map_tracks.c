/* map_tracks.c: sorted intervals, with a single number as key. */
#include <stdlib.h>
#include <string.h>

#include "base/map_internal.h"
#include "base/vec.h"

enum { DEPTH_MAX = 1024 };

void mp_tracks_clear(struct mp_map *m)
{
	for (int32_t i = 0; i < m->track_count; i++) {
		mp_big_free(&m->tracks[i].items);
		mp_big_free(&m->tracks[i].around);
	}
	free(m->tracks);
	m->tracks = NULL;
	m->track_count = 0;
	memset(m->recent, 0, sizeof(m->recent));
}

static size_t recent_place(int64_t key)
{
	uint64_t mixed = (uint64_t)key ^ (uint64_t)key >> 32;

	return (mixed ^ mixed >> 4) % MP_TRACKS_RECENT;
}

static struct mp_map_track *remember(struct mp_map *m, int64_t key, int64_t track)
{
	m->recent[recent_place(key)].key = key;
	m->recent[recent_place(key)].track = (int32_t)track + 1;
	return &m->tracks[track];
}

static struct mp_map_track *find_track(struct mp_map *m, int64_t key)
{
	size_t at = recent_place(key);
	int64_t track;

	if (m->recent[at].track && m->recent[at].key == key)
		return &m->tracks[m->recent[at].track - 1];
	if (!m->track_count || !mp_map_peek(m, &(struct mp_key){&key, 1}, &track))
		return NULL;
	return remember(m, key, track);
}

/* The track of a key, made when new; NULL: out of memory. */
static struct mp_map_track *make_track(struct mp_map *m, int64_t key)
{
	struct mp_map_track *track = find_track(m, key);
	bool is_new;
	int64_t *at;

	if (track)
		return track;
	if (m->track_count == INT32_MAX || !mp_vec_room(m->tracks, (size_t)m->track_count, 1))
		return NULL;
	at = mp_map_number(m, &(struct mp_key){&key, 1}, &is_new);
	if (!at)
		return NULL;
	m->tracks[m->track_count] = (struct mp_map_track){.count = 0};
	*at = m->track_count++;
	return remember(m, key, *at);
}

static struct mp_map_interval *interval(struct mp_map_track *t, int32_t at)
{
	mp_big_touch(&t->items);
	return (struct mp_map_interval *)t->items.at + at;
}

static int32_t around(struct mp_map_track *t, int32_t at)
{
	mp_big_touch(&t->around);
	return t->around.at ? ((int32_t *)t->around.at)[at] : MP_MAP_NONE;
}

static bool make_room(struct mp_map_track *t, int dirfd)
{
	if ((size_t)t->count < t->items.room / sizeof(struct mp_map_interval))
		return true;
	return t->count < INT32_MAX && mp_big_grow(&t->items, dirfd);
}

/*
 * Record that the next interval is nested in the interval of that index, or in no interval. Nothing is stored while no
 * interval is nested.
 */
static bool keep_around(struct mp_map_track *t, int32_t index, int dirfd)
{
	int32_t from = t->around.at ? t->count : 0;

	if (index == MP_MAP_NONE && !t->around.at)
		return true;
	while (!t->around.at || (size_t)t->count >= t->around.room / sizeof(int32_t))
		if (!mp_big_grow(&t->around, dirfd))
			return false;
	for (int32_t i = from; i < t->count; i++)
		((int32_t *)t->around.at)[i] = MP_MAP_NONE;
	((int32_t *)t->around.at)[t->count] = index;
	return true;
}

/* The nearest earlier interval that ends later than `to`. Each interval that ends before is skipped only once. */
static int32_t find_around(struct mp_map_track *t, int64_t to)
{
	int32_t i = t->count - 1;

	while (i >= 0 && interval(t, i)->to <= to)
		i = around(t, i);
	return i;
}

bool mp_map_span(struct mp_map *map, int64_t track, int64_t from, int64_t to, int64_t value)
{
	struct mp_map_track *t = make_track(map, track);

	if (!t || !make_room(t, *map->dirfd) || !keep_around(t, find_around(t, to), *map->dirfd))
		return false;
	*interval(t, t->count++) = (struct mp_map_interval){from, to, value, 0};
	return true;
}

/*
 * The last interval that begins at `at` or before. Questions are mostly in order, so the search starts at the interval
 * found last.
 */
static int32_t find_interval(struct mp_map_track *t, int64_t at)
{
	int32_t low = 0, high = t->count;

	for (int32_t i = t->last; i < t->count && i < t->last + 4 && interval(t, i)->from <= at; i++)
		if (i + 1 == t->count || interval(t, i + 1)->from > at)
			return t->last = i;
	while (low < high) {
		int32_t middle = low + (high - low) / 2;

		if (interval(t, middle)->from <= at)
			low = middle + 1;
		else
			high = middle;
	}
	t->last = low ? low - 1 : 0;
	return low - 1;
}

bool mp_map_within(struct mp_map *map, int64_t track, int64_t at, int64_t *value, int64_t **mark)
{
	struct mp_map_track *t = find_track(map, track);
	int32_t i = t ? find_interval(t, at) : -1;

	for (int depth = 0; i >= 0 && depth < DEPTH_MAX; i = around(t, i), depth++) {
		struct mp_map_interval *found = interval(t, i);

		if (at <= found->to) {
			*value = found->value;
			if (mark)
				*mark = &found->mark;
			return true;
		}
	}
	return false;
}

bool mp_map_each_mark(struct mp_map *map, bool (*see)(void *user, int64_t mark), void *user)
{
	for (int32_t i = 0; i < map->track_count; i++)
		for (int32_t k = 0; k < map->tracks[i].count; k++) {
			int64_t mark = interval(&map->tracks[i], k)->mark;

			if (mark && !see(user, mark))
				return false;
		}
	return true;
}

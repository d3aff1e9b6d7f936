/* map.c: open addressing over rings of nodes, and sorted intervals. Knows no SQL. */
#include "store/map.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { MAP_MAX = 128, DEPTH_MAX = 1024, NONE = -1 };

struct node {
	int64_t value;
	int32_t next;
};

struct interval {
	int64_t from, to, value, mark;
};

/* The intervals of a key. */
struct track {
	struct interval *items;
	int32_t *around; /* of each the nearest one before it that ends later; NULL: none has one */
	int32_t count, room, last; /* last: the one that was found last */
};

/* A key is known by 96 bits of its numbers, never all 0; all 0 is an empty slot. */
struct slot {
	uint64_t a;
	uint32_t b;
	int32_t tail; /* of the ring of nodes; or which track */
};

struct mp_map {
	char name[24];
	uint64_t seed; /* of the hash: whoever writes a file does not know which of its keys collide */
	struct slot *slots;
	size_t room, count; /* of the slots; room is a power of two */
	struct node *nodes;
	int32_t node_count, node_room, free;
	struct track *tracks;
	int32_t track_count;
};

struct mp_maps {
	struct mp_map items[MAP_MAX];
	int count;
	uint64_t seed;
	int64_t paired;
};

struct mp_maps *mp_maps_create(void)
{
	struct mp_maps *maps = calloc(1, sizeof(*maps));

	if (maps && getrandom(&maps->seed, sizeof(maps->seed), GRND_NONBLOCK) != sizeof(maps->seed))
		maps->seed = (uint64_t)(uintptr_t)maps; /* is somewhere else each time, too */
	return maps;
}

void mp_map_clear(struct mp_map *m)
{
	for (int32_t i = 0; i < m->track_count; i++) {
		free(m->tracks[i].items);
		free(m->tracks[i].around);
	}
	free(m->tracks);
	free(m->slots);
	free(m->nodes);
	m->tracks = NULL;
	m->slots = NULL;
	m->nodes = NULL;
	m->room = m->count = 0;
	m->node_count = m->node_room = m->track_count = 0;
	m->free = NONE;
}

void mp_maps_free(struct mp_maps *maps)
{
	for (int i = 0; maps && i < maps->count; i++)
		mp_map_clear(&maps->items[i]);
	free(maps);
}

int64_t *mp_maps_paired(struct mp_maps *maps)
{
	return &maps->paired;
}

struct mp_map *mp_maps_find(struct mp_maps *maps, const char *name)
{
	struct mp_map *end = maps->items + maps->count;

	for (struct mp_map *m = maps->items; m < end; m++)
		if (m->name[0] == name[0] && strcmp(m->name, name) == 0)
			return m;
	if (maps->count == MAP_MAX || !name[0] || strlen(name) >= sizeof(end->name))
		return NULL;
	strcpy(end->name, name);
	end->seed = maps->seed;
	end->free = NONE;
	maps->count++;
	return end;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * UINT64_C(0x9E3779B97F4A7C15);
	return h ^ h >> 32;
}

static struct slot *probe(const struct mp_map *m, uint64_t a, uint32_t b)
{
	size_t at = (size_t)(a * UINT64_C(0xD6E8FEB86659FD93) >> 32) & (m->room - 1);

	while ((m->slots[at].a | m->slots[at].b) && (m->slots[at].a != a || m->slots[at].b != b))
		at = (at + 1) & (m->room - 1);
	return &m->slots[at];
}

static bool grow(struct mp_map *m)
{
	struct mp_map more = *m;

	more.room = m->room ? 2 * m->room : 1024;
	more.slots = calloc(more.room, sizeof(*more.slots));
	if (!more.slots)
		return false;
	for (size_t i = 0; i < m->room; i++)
		if (m->slots[i].a | m->slots[i].b)
			*probe(&more, m->slots[i].a, m->slots[i].b) = m->slots[i];
	free(m->slots);
	*m = more;
	return true;
}

/* The slot of a key: NULL where there is none and none is to be made, or where memory is short. */
static struct slot *find_slot(struct mp_map *m, const struct mp_key *key, bool make)
{
	uint64_t a = m->seed, mixed = m->seed ^ UINT64_C(0xC2B2AE3D27D4EB4F);
	struct slot *s;
	uint32_t b;

	for (int i = 0; i < key->count; i++) {
		uint64_t v = (uint64_t)key->parts[i];

		a = mix(a, v);
		mixed = mix(mixed, ~v);
	}
	b = (uint32_t)(mixed >> 32) | 1;
	if (make && 4 * (m->count + 1) > 3 * m->room && !grow(m))
		return NULL;
	if (!m->room)
		return NULL;
	s = probe(m, a, b);
	if (s->a | s->b || !make)
		return s->a | s->b ? s : NULL;
	*s = (struct slot){a, b, NONE};
	m->count++;
	return s;
}

/* The slot of a key with a list that is not empty, or NULL. */
static struct slot *full_slot(const struct mp_map *m, const struct mp_key *key)
{
	struct slot *s = find_slot((struct mp_map *)m, key, false);

	return s && s->tail != NONE ? s : NULL;
}

static int32_t new_node(struct mp_map *m, int64_t value)
{
	int32_t at = m->free;

	if (at != NONE) {
		m->free = m->nodes[at].next;
	} else {
		if (m->node_count == m->node_room) {
			int64_t room = m->node_room ? 2 * (int64_t)m->node_room : 1024;
			struct node *more = room > INT32_MAX ? NULL : realloc(m->nodes, (size_t)room * sizeof(*more));

			if (!more)
				return NONE;
			m->nodes = more;
			m->node_room = (int32_t)room;
		}
		at = m->node_count++;
	}
	m->nodes[at] = (struct node){value, NONE};
	return at;
}

bool mp_map_put(struct mp_map *map, const struct mp_key *key, int64_t value, bool first)
{
	struct slot *s = find_slot(map, key, true);
	int32_t at = s ? new_node(map, value) : NONE;

	if (at == NONE)
		return false;
	if (s->tail != NONE) {
		map->nodes[at].next = map->nodes[s->tail].next;
		map->nodes[s->tail].next = at;
	} else {
		map->nodes[at].next = at;
	}
	if (s->tail == NONE || !first)
		s->tail = at;
	return true;
}

bool mp_map_peek(const struct mp_map *map, const struct mp_key *key, int64_t *value)
{
	const struct slot *s = full_slot(map, key);

	if (s)
		*value = map->nodes[map->nodes[s->tail].next].value;
	return s != NULL;
}

static void take_off(struct mp_map *m, struct slot *s)
{
	int32_t at = m->nodes[s->tail].next;

	if (at == s->tail)
		s->tail = NONE;
	else
		m->nodes[s->tail].next = m->nodes[at].next;
	m->nodes[at].next = m->free;
	m->free = at;
}

bool mp_map_take(struct mp_map *map, const struct mp_key *key, int64_t *value)
{
	struct slot *s = full_slot(map, key);

	if (!s)
		return false;
	*value = map->nodes[map->nodes[s->tail].next].value;
	take_off(map, s);
	return true;
}

void mp_map_empty(struct mp_map *map, const struct mp_key *key)
{
	struct slot *s = full_slot(map, key);

	while (s && s->tail != NONE)
		take_off(map, s);
}

int64_t *mp_map_number(struct mp_map *map, const struct mp_key *key, bool *is_new)
{
	struct slot *s = find_slot(map, key, true);

	*is_new = s && s->tail == NONE;
	if (*is_new)
		s->tail = new_node(map, 0);
	return s && s->tail != NONE ? &map->nodes[s->tail].value : NULL;
}

bool mp_map_each(const struct mp_map *map, bool (*see)(void *user, int64_t value), void *user)
{
	for (size_t i = 0; i < map->room; i++) {
		const struct slot *s = &map->slots[i];

		for (int32_t at = s->tail; (s->a | s->b) && s->tail != NONE;) {
			at = map->nodes[at].next;
			if (!see(user, map->nodes[at].value))
				return false;
			if (at == s->tail)
				break;
		}
	}
	return true;
}

/* The track of a slot, begun when it has none; NULL when memory is short. */
static struct track *track_of(struct mp_map *m, struct slot *s)
{
	struct track *more;

	if (s->tail != NONE)
		return &m->tracks[s->tail];
	more = realloc(m->tracks, ((size_t)m->track_count + 1) * sizeof(*more));
	if (!more)
		return NULL;
	m->tracks = more;
	more[m->track_count] = (struct track){NULL, NULL, 0, 0, 0};
	s->tail = m->track_count++;
	return &more[s->tail];
}

static bool make_room(struct track *t)
{
	int64_t room = t->room ? 2 * (int64_t)t->room : 16;
	void *more, *around = t->around;

	if (t->count < t->room)
		return true;
	more = room > INT32_MAX ? NULL : realloc(t->items, (size_t)room * sizeof(*t->items));
	if (!more)
		return false;
	if (!t->items)
		t->count = 0;
	t->items = more;
	if (around && !(around = realloc(t->around, (size_t)room * sizeof(*t->around))))
		return false;
	t->around = around;
	t->room = (int32_t)room;
	return true;
}

/* Which one before the next one, that ends at `to`, ends later; each that does not is passed by once and never again. */
static int32_t find_around(const struct track *t, int64_t to)
{
	int32_t i = t->count - 1;

	while (i >= 0 && t->items[i].to <= to)
		i = t->around ? t->around[i] : NONE;
	return i < 0 ? NONE : i;
}

bool mp_map_span(struct mp_map *map, int64_t track, int64_t from, int64_t to, int64_t value)
{
	const struct mp_key key = {&track, 1};
	struct slot *s = find_slot(map, &key, true);
	struct track *t = s ? track_of(map, s) : NULL;
	int32_t around;

	if (!t || !make_room(t))
		return false;
	around = find_around(t, to);
	if (around != NONE && !t->around) {
		t->around = malloc((size_t)t->room * sizeof(*t->around));
		if (!t->around)
			return false;
		for (int32_t i = 0; i < t->count; i++)
			t->around[i] = NONE;
	}
	if (t->around)
		t->around[t->count] = around;
	t->items[t->count++] = (struct interval){from, to, value, 0};
	return true;
}

/* The last interval that begins at `at` or before; questions mostly come in order, so it is near the one found last. */
static int32_t find_interval(struct track *t, int64_t at)
{
	int32_t low = 0, high = t->count;

	for (int32_t i = t->last; i < t->count && i < t->last + 4 && t->items[i].from <= at; i++)
		if (i + 1 == t->count || t->items[i + 1].from > at)
			return t->last = i;
	while (low < high) {
		int32_t middle = low + (high - low) / 2;

		if (t->items[middle].from <= at)
			low = middle + 1;
		else
			high = middle;
	}
	t->last = low ? low - 1 : 0;
	return low - 1;
}

bool mp_map_within(struct mp_map *map, int64_t track, int64_t at, int64_t *value, int64_t **mark)
{
	const struct mp_key key = {&track, 1};
	const struct slot *s = full_slot(map, &key);
	struct track *t = s ? &map->tracks[s->tail] : NULL;
	int32_t i = t ? find_interval(t, at) : -1;

	for (int depth = 0; i >= 0 && depth < DEPTH_MAX; i = t->around ? t->around[i] : NONE, depth++)
		if (at <= t->items[i].to) {
			*value = t->items[i].value;
			if (mark)
				*mark = &t->items[i].mark;
			return true;
		}
	return false;
}

bool mp_map_each_mark(const struct mp_map *map, bool (*see)(void *user, int64_t mark), void *user)
{
	for (int32_t i = 0; i < map->track_count; i++)
		for (int32_t k = 0; k < map->tracks[i].count; k++)
			if (map->tracks[i].items[k].mark && !see(user, map->tracks[i].items[k].mark))
				return false;
	return true;
}

/*
 * map.c: lists by keys. Knows no SQL.
 *
 * Joins mostly ask for values in the order in which they were put. So a value first waits in a queue, and is found at
 * the queue's head. When a value is not near the head, all waiting values move to rings of nodes, which are found by
 * open addressing.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/map_internal.h"
#include "base/vec.h"
#include "base/wide.h"

enum { MAP_MAX = 128, NEAR = 32, ROOM_MIN = 1024 };

struct mp_maps {
	struct mp_map items[MAP_MAX];
	int count;
	uint64_t seed;
	int dirfd;
};

struct mp_maps *mp_maps_create(void)
{
	struct mp_maps *maps = calloc(1, sizeof(*maps));

	if (maps && getrandom(&maps->seed, sizeof(maps->seed), GRND_NONBLOCK) != sizeof(maps->seed))
		maps->seed = (uint64_t)(uintptr_t)maps; /* the address differs in each run, too */
	if (maps)
		maps->dirfd = -1;
	return maps;
}

void mp_maps_lie_in(struct mp_maps *maps, int dirfd)
{
	maps->dirfd = dirfd;
}

void mp_map_clear(struct mp_map *m)
{
	mp_tracks_clear(m);
	free(m->slots);
	free(m->nodes);
	mp_big_free(&m->queue);
	m->slots = NULL;
	m->nodes = NULL;
	m->room = m->count = m->head = m->queued = 0;
	m->node_count = 0;
	m->free = MP_MAP_NONE;
}

void mp_maps_free(struct mp_maps *maps)
{
	for (int i = 0; maps && i < maps->count; i++)
		mp_map_clear(&maps->items[i]);
	free(maps);
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
	end->dirfd = &maps->dirfd;
	end->seed = maps->seed;
	end->free = MP_MAP_NONE;
	maps->count++;
	return end;
}

/*
 * Products of 128 bits. The halves are mixed at the end, because keys that differ only in high bits make similar
 * products.
 */
struct mixed {
	uint64_t a, b;
};

static struct mixed begin(const struct mp_map *m)
{
	return (struct mixed){m->seed, (m->seed ^ UINT64_C(0xC2B2AE3D27D4EB4F)) * UINT64_C(0x9E3779B97F4A7C15) | 1};
}

static struct mixed mix(struct mixed h, uint64_t first, uint64_t second)
{
	const mp_wide product = mp_wide_product(h.a ^ first, h.b ^ second);

	return (struct mixed){
	    mp_wide_low(product) ^ UINT64_C(0x9E3779B97F4A7C15), mp_wide_high(product) ^ UINT64_C(0xC2B2AE3D27D4EB4F)};
}

static struct mp_hash hash(const struct mp_map *m, const struct mp_key *key)
{
	struct mixed h = begin(m);

	for (int i = 0; i < key->count; i += 2)
		h = mix(h, (uint64_t)key->parts[i], i + 1 < key->count ? (uint64_t)key->parts[i + 1] : 0);
	return (struct mp_hash){h.a ^ h.b, (uint32_t)(h.b >> 32) | 1};
}

int64_t mp_map_text(const struct mp_map *map, const char *bytes, size_t size)
{
	struct mixed h = mix(begin(map), size, 0);
	uint64_t words[2];

	for (; size >= sizeof(words); bytes += sizeof(words), size -= sizeof(words)) {
		memcpy(words, bytes, sizeof(words));
		h = mix(h, words[0], words[1]);
	}
	memset(words, 0, sizeof(words));
	if (size)
		memcpy(words, bytes, size);
	h = mix(h, words[0], words[1]);
	return (int64_t)(h.a ^ h.b);
}

static uint32_t tag_of(struct mp_hash h)
{
	return (uint32_t)(h.a * UINT64_C(0xD6E8FEB86659FD93) >> 32);
}

/* The slot of a key, or the empty slot for it. There always is an empty slot. */
static struct mp_slot *probe(const struct mp_map *m, struct mp_hash h)
{
	uint32_t tag = tag_of(h);
	size_t at = tag & (m->room - 1);

	for (; m->slots[at].tail; at = (at + 1) & (m->room - 1)) {
		const struct mp_node *tail = &m->nodes[m->slots[at].tail - 1];

		if (m->slots[at].tag == tag && tail->a == h.a && tail->b == h.b)
			break;
	}
	return &m->slots[at];
}

static bool resize(struct mp_map *m, size_t room)
{
	struct mp_slot *slots = calloc(room, sizeof(*slots));

	if (!slots)
		return false;
	for (size_t i = 0; i < m->room; i++) {
		size_t at = m->slots[i].tag & (room - 1);

		if (!m->slots[i].tail)
			continue;
		while (slots[at].tail)
			at = (at + 1) & (room - 1);
		slots[at] = m->slots[i];
	}
	free(m->slots);
	m->slots = slots;
	m->room = room;
	return true;
}

/* The ring of a key, or NULL. */
static struct mp_slot *find_ring(const struct mp_map *m, struct mp_hash h)
{
	struct mp_slot *s = m->count ? probe(m, h) : NULL;

	return s && s->tail ? s : NULL;
}

/* Empty a slot, and move up the following slots that depend on it. */
static void drop_ring(struct mp_map *m, struct mp_slot *s)
{
	size_t most = m->room - 1, gap = (size_t)(s - m->slots);

	for (size_t at = (gap + 1) & most; m->slots[at].tail; at = (at + 1) & most)
		if (((at - m->slots[at].tag) & most) >= ((at - gap) & most)) {
			m->slots[gap] = m->slots[at];
			gap = at;
		}
	m->slots[gap] = (struct mp_slot){0, 0};
	m->count--;
	if (m->room > ROOM_MIN && m->count < m->room / 16)
		resize(m, m->room / 4); /* when out of memory the table keeps its size */
}

static int32_t new_node(struct mp_map *m, struct mp_hash h, int64_t value)
{
	int32_t at = m->free;

	if (at != MP_MAP_NONE) {
		m->free = m->nodes[at].next;
	} else {
		if (m->node_count == INT32_MAX || !mp_vec_room(m->nodes, (size_t)m->node_count, 1))
			return MP_MAP_NONE;
		at = m->node_count++;
	}
	m->nodes[at] = (struct mp_node){value, h.a, h.b, at};
	return at;
}

/* Add a node to the ring of the key, and make the ring when new. Returns the node, or MP_MAP_NONE. */
static int32_t add_node(struct mp_map *m, struct mp_hash h, int64_t value)
{
	struct mp_slot *s;
	int32_t at;

	if (4 * (m->count + 1) > 3 * m->room && !resize(m, m->room ? 2 * m->room : ROOM_MIN))
		return MP_MAP_NONE;
	at = new_node(m, h, value);
	if (at == MP_MAP_NONE)
		return MP_MAP_NONE;
	s = probe(m, h);
	if (s->tail) {
		struct mp_node *tail = &m->nodes[s->tail - 1];

		m->nodes[at].next = tail->next;
		tail->next = at;
		s->tail = at + 1;
	} else {
		*s = (struct mp_slot){tag_of(h), at + 1};
		m->count++;
	}
	return at;
}

static struct mp_waiting *waiting(struct mp_map *m, size_t at)
{
	mp_big_touch(&m->queue);
	return (struct mp_waiting *)m->queue.at + at;
}

/* Move all waiting values into rings. Values without memory keep waiting. */
static bool move_waiting(struct mp_map *m)
{
	for (; m->head < m->queued; m->head++) {
		const struct mp_waiting *w = waiting(m, m->head);

		if (w->b && add_node(m, (struct mp_hash){w->a, w->b}, w->value) == MP_MAP_NONE)
			return false;
	}
	m->head = m->queued = 0;
	return true;
}

/* The first value of the key among the waiting values from the head to `end`. */
static struct mp_waiting *find_waiting(struct mp_map *m, struct mp_hash h, size_t end)
{
	for (size_t i = m->head; i < end; i++) {
		struct mp_waiting *w = waiting(m, i);

		if (w->a == h.a && w->b == h.b)
			return w;
	}
	return NULL;
}

static bool make_queue(struct mp_map *m)
{
	struct mp_waiting *queue = m->queue.at;
	size_t room = m->queue.room / sizeof(*queue);

	if (m->queued < room)
		return true;
	if (!m->head || m->head < room / 2)
		return mp_big_grow(&m->queue, *m->dirfd);
	memmove(queue, queue + m->head, (m->queued - m->head) * sizeof(*queue));
	m->queued -= m->head;
	m->head = 0;
	return true;
}

bool mp_map_put(struct mp_map *map, const struct mp_key *key, int64_t value)
{
	struct mp_hash h = hash(map, key);

	if (!make_queue(map))
		return false;
	*waiting(map, map->queued++) = (struct mp_waiting){value, h.a, h.b};
	return true;
}

static void take_node(struct mp_map *m, struct mp_slot *s)
{
	struct mp_node *tail = &m->nodes[s->tail - 1];
	int32_t at = tail->next;

	tail->next = m->nodes[at].next;
	if (at == s->tail - 1)
		drop_ring(m, s);
	m->nodes[at].next = m->free;
	m->free = at;
}

static void take_waiting(struct mp_map *m, struct mp_waiting *w)
{
	w->b = 0;
	while (m->head < m->queued && !waiting(m, m->head)->b)
		m->head++;
	if (m->head == m->queued)
		m->head = m->queued = 0;
}

/* Get the first value of a key; with `take` remove it. */
static bool find_first(struct mp_map *m, const struct mp_key *key, int64_t *value, bool take)
{
	struct mp_waiting *w = NULL;
	struct mp_hash h;
	struct mp_slot *s;

	if (!m->count && m->head == m->queued)
		return false;
	h = hash(m, key);
	s = find_ring(m, h); /* values in a ring are older than waiting values */
	if (!s)
		w = find_waiting(m, h, m->queued - m->head > NEAR ? m->head + NEAR : m->queued);
	if (!s && !w && m->queued - m->head > NEAR) {
		bool all = move_waiting(m);

		s = find_ring(m, h);
		w = s || all ? NULL : find_waiting(m, h, m->queued);
	}
	if (s)
		*value = m->nodes[m->nodes[s->tail - 1].next].value;
	else if (w)
		*value = w->value;
	if (s && take)
		take_node(m, s);
	else if (w && take)
		take_waiting(m, w);
	return s || w;
}

bool mp_map_peek(struct mp_map *map, const struct mp_key *key, int64_t *value)
{
	return find_first(map, key, value, false);
}

bool mp_map_take(struct mp_map *map, const struct mp_key *key, int64_t *value)
{
	return find_first(map, key, value, true);
}

int64_t *mp_map_number(struct mp_map *map, const struct mp_key *key, bool *is_new)
{
	struct mp_hash h = hash(map, key);
	struct mp_slot *s = find_ring(map, h);
	int32_t at = s ? s->tail - 1 : add_node(map, h, 0);

	*is_new = !s && at != MP_MAP_NONE;
	return at == MP_MAP_NONE ? NULL : &map->nodes[at].value;
}

bool mp_map_each(struct mp_map *map, bool (*see)(void *user, int64_t value), void *user)
{
	for (size_t i = 0; i < map->room; i++)
		for (int32_t tail = map->slots[i].tail - 1, at = tail; tail >= 0;) {
			at = map->nodes[at].next;
			if (!see(user, map->nodes[at].value))
				return false;
			if (at == tail)
				break;
		}
	for (size_t i = map->head; i < map->queued; i++) {
		const struct mp_waiting *w = waiting(map, i);

		if (w->b && !see(user, w->value))
			return false;
	}
	return true;
}

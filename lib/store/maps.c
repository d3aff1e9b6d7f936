/*
 * maps.c: joins for finish.sql that need no sort and no index. A map is named by a text; its functions
 * have effects, so a query may call each once for a row.
 *   put(map, value, key...)       append to the list of the key
 *   pair(map, is_end, value, key...)  a start is kept; an end closes the latest open start of the key: 1, and paired() is
 *                                 its value; else 0
 *   take(map, key...)             the first value of the list, taken off; NULL where it is empty
 *   peek(map, key...)             the same, left there
 *   take_if(map, value, key...)   1 when that is the first value, which is taken off; else 0
 *   span(map, value, key, from, to)  an interval; those of a key come in order of from
 *   within(map, key, at)          the value of the last interval of the key that holds at; or NULL
 *   before(map, value, key...)    the value of the call before, of that key; NULL the first time
 *   running(map, add, key...)     the sum of all `add` of the key so far, this one too
 *   first(map, key...)            1 when the key was never asked for, else 0
 *   gap(map, from, to, key...)    how long before `from` the latest `to` of the key so far was: NULL unless it was before; 0 the first time
 *   drop_map(map)                 forget it
 */
#include <stdlib.h>
#include <string.h>

#include "store/db_internal.h"

enum { MAP_MAX = 16, LOOK_BACK = 64, NONE = -1 };

struct node {
	int64_t value;
	int32_t next;
};

struct interval {
	int64_t from, to, value;
};

/* The intervals of a key. */
struct track {
	struct interval *items;
	int32_t count, room, last; /* last: the one that was found last */
};

/* A key is known by 96 bits of its numbers, never all 0; all 0 is an empty slot. */
struct slot {
	uint64_t a;
	uint32_t b;
	int32_t tail; /* of the ring of nodes; or which track */
};

struct map {
	char name[24];
	struct slot *slots;
	size_t room, count; /* of the slots; room is a power of two */
	struct node *nodes;
	int32_t node_count, node_room, free;
	struct track *tracks;
	int32_t track_count;
};

struct maps {
	struct map items[MAP_MAX];
	int64_t paired; /* the start that pair closed last */
	int users;      /* functions that hold it */
};

static void clear(struct map *m)
{
	for (int32_t i = 0; i < m->track_count; i++)
		free(m->tracks[i].items);
	free(m->tracks);
	free(m->slots);
	free(m->nodes);
	memset(m, 0, sizeof(*m));
}

static void release(void *user)
{
	struct maps *maps = user;

	if (--maps->users)
		return;
	for (int i = 0; i < MAP_MAX; i++)
		clear(&maps->items[i]);
	free(maps);
}

/* The map of that name, begun when there is none; NULL with an error of the function. */
static struct map *find_map(sqlite3_context *context, int count, int needed, sqlite3_value **args)
{
	struct maps *maps = sqlite3_user_data(context);
	const char *text = count < needed ? NULL : (const char *)sqlite3_value_text(args[0]);
	struct map *m = maps->items;

	if (!text || strlen(text) >= sizeof(m->name)) {
		sqlite3_result_error(context, "no map and key", -1);
		return NULL;
	}
	while (m < maps->items + MAP_MAX && m->name[0] && strcmp(m->name, text) != 0)
		m++;
	if (m == maps->items + MAP_MAX) {
		sqlite3_result_error(context, "too many maps", -1);
		return NULL;
	}
	if (!m->name[0]) {
		strcpy(m->name, text);
		m->free = NONE;
	}
	return m;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * UINT64_C(0x9E3779B97F4A7C15);
	return h ^ h >> 29;
}

static struct slot *probe(const struct map *m, uint64_t a, uint32_t b)
{
	size_t at = (a ^ a >> 32) & (m->room - 1);

	while ((m->slots[at].a | m->slots[at].b) && (m->slots[at].a != a || m->slots[at].b != b))
		at = (at + 1) & (m->room - 1);
	return &m->slots[at];
}

static bool grow(struct map *m)
{
	struct map more = *m;

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

/* The slot of a key: NULL where there is none and none is to be made, or where memory is short (an error then). */
static struct slot *find_slot(sqlite3_context *context, struct map *m, int count, sqlite3_value **keys, bool make)
{
	uint64_t a = 1, mixed = UINT64_C(0xD6E8FEB86659FD93);
	struct slot *s;
	uint32_t b;

	for (int i = 0; i < count; i++) {
		uint64_t v = (uint64_t)sqlite3_value_int64(keys[i]);

		a = mix(a, v);
		mixed = mix(mixed, ~v);
	}
	b = (uint32_t)(mixed >> 32) | 1;
	if (make && 4 * (m->count + 1) > 3 * m->room && !grow(m)) {
		sqlite3_result_error_nomem(context);
		return NULL;
	}
	if (!m->room)
		return NULL;
	s = probe(m, a, b);
	if (s->a | s->b || !make)
		return s->a | s->b ? s : NULL;
	*s = (struct slot){a, b, NONE};
	m->count++;
	return s;
}

static int32_t new_node(struct map *m, int64_t value)
{
	int32_t at = m->free;

	if (at != NONE) {
		m->free = m->nodes[at].next;
	} else {
		if (m->node_count == m->node_room) {
			int32_t room = m->node_room ? 2 * m->node_room : 1024;
			struct node *more = room < m->node_room ? NULL : realloc(m->nodes, (size_t)room * sizeof(*more));

			if (!more)
				return NONE;
			m->nodes = more;
			m->node_room = room;
		}
		at = m->node_count++;
	}
	m->nodes[at] = (struct node){value, NONE};
	return at;
}

/* Append to the list of the key, or put before it. */
static void add(sqlite3_context *context, int count, sqlite3_value **args, int value, bool first)
{
	struct map *m = find_map(context, count, 3, args);
	struct slot *s = m ? find_slot(context, m, count - value - 1, args + value + 1, true) : NULL;
	int32_t at = s ? new_node(m, sqlite3_value_int64(args[value])) : NONE;

	if (s && at == NONE)
		sqlite3_result_error_nomem(context);
	if (at == NONE)
		return;
	if (s->tail != NONE) {
		m->nodes[at].next = m->nodes[s->tail].next;
		m->nodes[s->tail].next = at;
	} else {
		m->nodes[at].next = at;
	}
	if (s->tail == NONE || !first)
		s->tail = at;
	sqlite3_result_int(context, !first);
}

static void put(sqlite3_context *context, int count, sqlite3_value **args)
{
	add(context, count, args, 1, false);
}

/* The first of a list that is not empty. */
static int32_t head_of(const struct map *m, const struct slot *s)
{
	return m->nodes[s->tail].next;
}

static void take_off(struct map *m, struct slot *s)
{
	int32_t at = head_of(m, s);

	if (at == s->tail)
		s->tail = NONE;
	else
		m->nodes[s->tail].next = m->nodes[at].next;
	m->nodes[at].next = m->free;
	m->free = at;
}

static void take(sqlite3_context *context, int count, sqlite3_value **args)
{
	struct map *m = find_map(context, count, 2, args);
	struct slot *s = m ? find_slot(context, m, count - 1, args + 1, false) : NULL;

	if (!s || s->tail == NONE)
		return;
	sqlite3_result_int64(context, m->nodes[head_of(m, s)].value);
	take_off(m, s);
}

static void peek(sqlite3_context *context, int count, sqlite3_value **args)
{
	struct map *m = find_map(context, count, 2, args);
	struct slot *s = m ? find_slot(context, m, count - 1, args + 1, false) : NULL;

	if (s && s->tail != NONE)
		sqlite3_result_int64(context, m->nodes[head_of(m, s)].value);
}

static void take_if(sqlite3_context *context, int count, sqlite3_value **args)
{
	struct map *m = find_map(context, count, 3, args);
	struct slot *s = m ? find_slot(context, m, count - 2, args + 2, false) : NULL;
	bool is = s && s->tail != NONE && m->nodes[head_of(m, s)].value == sqlite3_value_int64(args[1]);

	if (is)
		take_off(m, s);
	sqlite3_result_int(context, is);
}

static void pair(sqlite3_context *context, int count, sqlite3_value **args)
{
	struct maps *maps = sqlite3_user_data(context);
	struct map *m = find_map(context, count, 4, args);
	struct slot *s = m ? find_slot(context, m, count - 3, args + 3, false) : NULL;

	if (m && !sqlite3_value_int(args[1])) {
		add(context, count, args, 2, true);
		return;
	}
	sqlite3_result_int(context, s && s->tail != NONE);
	if (!s || s->tail == NONE)
		return;
	maps->paired = m->nodes[head_of(m, s)].value;
	take_off(m, s);
	s->tail = NONE; /* earlier ones that are open stay without an end */
}

static void paired(sqlite3_context *context, int count, sqlite3_value **args)
{
	struct maps *maps = sqlite3_user_data(context);

	(void)count, (void)args;
	sqlite3_result_int64(context, maps->paired);
}

static void before(sqlite3_context *context, int count, sqlite3_value **args)
{
	struct map *m = find_map(context, count, 3, args);
	struct slot *s = m ? find_slot(context, m, count - 2, args + 2, true) : NULL;

	if (!s)
		return;
	if (s->tail != NONE) {
		sqlite3_result_int64(context, m->nodes[s->tail].value);
		m->nodes[s->tail].value = sqlite3_value_int64(args[1]);
	} else if ((s->tail = new_node(m, sqlite3_value_int64(args[1]))) == NONE) {
		sqlite3_result_error_nomem(context);
	}
}

static void running(sqlite3_context *context, int count, sqlite3_value **args)
{
	struct map *m = find_map(context, count, 3, args);
	struct slot *s = m ? find_slot(context, m, count - 2, args + 2, true) : NULL;

	if (s && s->tail == NONE && (s->tail = new_node(m, 0)) == NONE)
		sqlite3_result_error_nomem(context);
	if (!s || s->tail == NONE)
		return;
	if (__builtin_add_overflow(m->nodes[s->tail].value, sqlite3_value_int64(args[1]), &m->nodes[s->tail].value))
		sqlite3_result_error(context, "integer overflow", -1);
	else
		sqlite3_result_int64(context, m->nodes[s->tail].value);
}

static void first(sqlite3_context *context, int count, sqlite3_value **args)
{
	struct map *m = find_map(context, count, 2, args);
	size_t known = m ? m->count : 0;

	if (m && find_slot(context, m, count - 1, args + 1, true))
		sqlite3_result_int(context, m->count > known);
}

static void gap(sqlite3_context *context, int count, sqlite3_value **args)
{
	struct map *m = find_map(context, count, 4, args);
	struct slot *s = m ? find_slot(context, m, count - 3, args + 3, true) : NULL;
	int64_t from = count < 4 ? 0 : sqlite3_value_int64(args[1]), to = count < 4 ? 0 : sqlite3_value_int64(args[2]), length;

	if (!s)
		return;
	if (s->tail == NONE) {
		s->tail = new_node(m, to);
		if (s->tail == NONE)
			sqlite3_result_error_nomem(context);
		else
			sqlite3_result_int(context, 0);
		return;
	}
	if (from > m->nodes[s->tail].value && !__builtin_sub_overflow(from, m->nodes[s->tail].value, &length))
		sqlite3_result_int64(context, length);
	if (to > m->nodes[s->tail].value)
		m->nodes[s->tail].value = to;
}

/* The track of a slot, begun when it has none; NULL when memory is short. */
static struct track *track_of(struct map *m, struct slot *s)
{
	struct track *more;

	if (s->tail != NONE)
		return &m->tracks[s->tail];
	more = realloc(m->tracks, ((size_t)m->track_count + 1) * sizeof(*more));
	if (!more)
		return NULL;
	m->tracks = more;
	more[m->track_count] = (struct track){NULL, 0, 0, 0};
	s->tail = m->track_count++;
	return &more[s->tail];
}

static void span(sqlite3_context *context, int count, sqlite3_value **args)
{
	struct map *m = find_map(context, count, 5, args);
	struct slot *s = m ? find_slot(context, m, 1, args + 2, true) : NULL;
	struct track *t = s ? track_of(m, s) : NULL;

	if (t && t->count == t->room) {
		int32_t room = t->room ? 2 * t->room : 16;
		struct interval *more = room < t->room ? NULL : realloc(t->items, (size_t)room * sizeof(*more));

		if (more) {
			t->items = more;
			t->room = room;
		}
	}
	if (!t || t->count == t->room) {
		sqlite3_result_error_nomem(context);
		return;
	}
	t->items[t->count++] =
	    (struct interval){sqlite3_value_int64(args[3]), sqlite3_value_int64(args[4]), sqlite3_value_int64(args[1])};
	sqlite3_result_int(context, 1);
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

static void within(sqlite3_context *context, int count, sqlite3_value **args)
{
	struct map *m = find_map(context, count, 3, args);
	struct slot *s = m ? find_slot(context, m, 1, args + 1, false) : NULL;
	struct track *t = s ? track_of(m, s) : NULL;
	int64_t at = t ? sqlite3_value_int64(args[2]) : 0;
	int32_t i;

	if (!t || sqlite3_value_type(args[2]) == SQLITE_NULL)
		return;
	i = find_interval(t, at);
	/* an earlier one may be around those that follow it */
	for (int32_t tries = 0; i >= 0 && tries < LOOK_BACK; i--, tries++)
		if (at <= t->items[i].to) {
			sqlite3_result_int64(context, t->items[i].value);
			return;
		}
}

static void drop_map(sqlite3_context *context, int count, sqlite3_value **args)
{
	struct map *m = find_map(context, count, 1, args);

	if (m)
		clear(m);
}

int mp_maps_register(sqlite3 *handle)
{
	static const struct {
		const char *name;
		int args;
		void (*function)(sqlite3_context *context, int count, sqlite3_value **args);
	} functions[] = {{"put", -1, put}, {"pair", -1, pair}, {"paired", 0, paired}, {"take", -1, take}, {"peek", -1, peek}, {"take_if", -1, take_if},
	    {"span", 5, span}, {"within", 3, within}, {"before", -1, before}, {"running", -1, running},
	    {"first", -1, first}, {"gap", -1, gap}, {"drop_map", 1, drop_map}};
	struct maps *maps = calloc(1, sizeof(*maps));
	int status = maps ? SQLITE_OK : SQLITE_NOMEM;

	if (maps)
		maps->users = 1;
	for (size_t i = 0; !status && i < sizeof(functions) / sizeof(functions[0]); i++) {
		maps->users++; /* SQLite releases it, also when it fails */
		status = sqlite3_create_function_v2(handle, functions[i].name, functions[i].args, SQLITE_UTF8 | SQLITE_DIRECTONLY, maps,
		    functions[i].function, NULL, NULL, release);
	}
	if (maps)
		release(maps);
	return status;
}

/* map_internal.h: shared by the files of the maps. A map owns its slots, nodes, queue and tracks. */
#ifndef MP_BASE_MAP_INTERNAL_H
#define MP_BASE_MAP_INTERNAL_H

#include "base/map.h"
#include "base/vec.h"

enum { MP_MAP_NONE = -1 };

/* 96 bits of a key; b is never 0. */
struct mp_hash {
	uint64_t a;
	uint32_t b;
};

/* A value of a key's list. */
struct mp_node {
	int64_t value;
	uint64_t a;
	uint32_t b;
	int32_t next; /* the next node of the ring, or the next free node */
};

/* The ring of a key. The tag has 32 more bits of the hash, which saves a look at the node. */
struct mp_slot {
	uint32_t tag;
	int32_t tail; /* the last node of the ring, + 1; 0: empty slot */
};

/* A value at the end of all values, not yet in the slots. */
struct mp_waiting {
	int64_t value;
	uint64_t a;
	uint32_t b; /* 0: taken */
};

struct mp_map_interval {
	int64_t from, to, value, mark;
};

/* The intervals of a key. */
struct mp_map_track {
	struct mp_big items;  /* struct mp_map_interval */
	struct mp_big around; /* int32_t for each interval: the nearest earlier interval that ends later; empty when no
				 interval has one */
	int32_t count, last;  /* last: the interval found last */
};

enum { MP_TRACKS_RECENT = 16 };

struct mp_map {
	char name[24];
	const int *dirfd; /* directory for large arrays */
	uint64_t seed;    /* of the hash, so that the author of a file cannot choose keys that collide */
	struct mp_slot *slots;
	size_t room, count; /* number of slots, a power of two, and used slots */
	struct mp_node *nodes;
	int32_t node_count, free;
	struct mp_big queue; /* struct mp_waiting; the values [head, queued) exist */
	size_t head, queued;
	struct mp_map_track *tracks;
	int32_t track_count;
	struct {
		int64_t key;
		int32_t track;      /* + 1; 0: none */
	} recent[MP_TRACKS_RECENT]; /* tracks used recently */
};

void mp_tracks_clear(struct mp_map *map);

#endif

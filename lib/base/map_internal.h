/* map_internal.h: what the files of the maps share. */
#ifndef MP_STORE_MAP_INTERNAL_H
#define MP_STORE_MAP_INTERNAL_H

#include "base/big.h"
#include "base/map.h"

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
	int32_t next; /* of the ring, or of those that are free */
};

/* Which key a ring is of; 32 more bits of its hash save a look at the node. */
struct mp_slot {
	uint32_t tag;
	int32_t tail; /* the last node of the ring, + 1; 0: an empty slot */
};

/* A value that was put behind all others and is not in the slots yet. */
struct mp_waiting {
	int64_t value;
	uint64_t a;
	uint32_t b; /* 0: taken */
};

struct mp_interval {
	int64_t from, to, value, mark;
};

/* The intervals of a key. */
struct mp_track {
	struct mp_big items;  /* struct mp_interval */
	struct mp_big around; /* int32_t: of each the nearest one before it that ends later; empty: none has one */
	int32_t count, last;  /* last: the one that was found last */
};

enum { MP_TRACKS_RECENT = 16 };

struct mp_map {
	char name[24];
	const int *dirfd; /* of what is large */
	uint64_t seed;    /* of the hash: whoever writes a file does not know which of its keys collide */
	struct mp_slot *slots;
	size_t room, count; /* of the slots; room is a power of two */
	struct mp_node *nodes;
	int32_t node_count, node_room, free;
	struct mp_big queue; /* struct mp_waiting; [head, queued) are there */
	size_t head, queued;
	struct mp_track *tracks;
	int32_t track_count;
	struct {
		int64_t key;
		int32_t track;      /* + 1; 0: none */
	} recent[MP_TRACKS_RECENT]; /* tracks that were asked for not long ago */
};

void mp_tracks_clear(struct mp_map *map);

#endif

/*
 * map.h: hashed lists and intervals with numbers as keys, for joins without a sort and without an index.
 *
 * A key is hashed to 96 bits, and equal hashes count as equal keys; the hash differs in each run. A set of maps belongs
 * to one connection, and owns its maps; free with mp_maps_free. Threads may use different maps at the same time; only
 * one thread may find maps by name. Functions fail only when out of memory, and then return false.
 */
#ifndef MP_BASE_MAP_H
#define MP_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mp_key {
	const int64_t *parts;
	int count;
};

struct mp_map;
struct mp_maps;

/* Make an empty set; NULL: out of memory. mp_maps_free also frees its maps. */
struct mp_maps *mp_maps_create(void);
void mp_maps_free(struct mp_maps *maps);

/* Allow large maps in files of this directory, see vec.h. The directory stays open as long as the maps. */
void mp_maps_lie_in(struct mp_maps *maps, int dirfd);

/*
 * The map of that name, made when new; the address is stable. Returns NULL for a name that is too long, or too many
 * maps.
 */
struct mp_map *mp_maps_find(struct mp_maps *maps, const char *name);

/* A text as a part of keys of this map: a hash, too, of 64 bits. */
int64_t mp_map_text(const struct mp_map *map, const char *bytes, size_t size);

/* Remove everything from a map. */
void mp_map_clear(struct mp_map *map);

/* Add a value to the end of a key's list. */
bool mp_map_put(struct mp_map *map, const struct mp_key *key, int64_t value);

/* Get the first value of a key's list; take also removes the value. Both return false when the list is empty. */
bool mp_map_peek(struct mp_map *map, const struct mp_key *key, int64_t *value);
bool mp_map_take(struct mp_map *map, const struct mp_key *key, int64_t *value);

/*
 * The number of a key; a new key gets 0 and sets *is_new. The place is valid until the next value is added. NULL: out
 * of memory. A key has either a number or a list.
 */
int64_t *mp_map_number(struct mp_map *map, const struct mp_key *key, bool *is_new);

/* Call `see` with each value of all lists, in no order, until `see` returns false; the result is then false. */
bool mp_map_each(struct mp_map *map, bool (*see)(void *user, int64_t value), void *user);

/* Add an interval with the key `track`. The intervals of a track are added in order of `from`. */
bool mp_map_span(struct mp_map *map, int64_t track, int64_t from, int64_t to, int64_t value);

/*
 * Find the last interval of the track that contains `at`. Gives its value, and a mark of the caller, which is 0 at
 * first. mark may be NULL, and is valid until the next mp_map_span. Of nested intervals only the 1024 innermost that
 * begin before `at` are searched.
 */
bool mp_map_within(struct mp_map *map, int64_t track, int64_t at, int64_t *value, int64_t **mark);

/* Call `see` with each mark that is not 0, until `see` returns false; the result is then false. */
bool mp_map_each_mark(struct mp_map *map, bool (*see)(void *user, int64_t mark), void *user);

#endif

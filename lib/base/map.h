/*
 * map.h: hashed lists and intervals by keys of numbers, for joins that need no sort and no index. Internal to the
 * store.
 *
 * Keys are numbers, known by 96 bits of all of them; which, is another matter in each run. A set of maps belongs to one
 * connection; map names are texts of finish.sql. Threads may use different maps at a time; only one may look for maps
 * by name. Functions that can fail do so only for want of memory: they return false.
 */
#ifndef MP_STORE_MAP_H
#define MP_STORE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mp_key {
	const int64_t *parts;
	int count;
};

struct mp_map;
struct mp_maps;

/* NULL: no memory. */
struct mp_maps *mp_maps_create(void);
void mp_maps_free(struct mp_maps *maps);

/* Large maps may lie in files of that directory, see big.h; it stays open as long as they are used. */
void mp_maps_lie_in(struct mp_maps *maps, int dirfd);

/* The map of that name, begun when there is none; NULL: the name is too long, or there are too many maps. It stays
 * where it is. */
struct mp_map *mp_maps_find(struct mp_maps *maps, const char *name);

/* Forget all that is in it. */
void mp_map_clear(struct mp_map *map);

/* Add to the list of the key: at its end, or before all others. */
bool mp_map_put(struct mp_map *map, const struct mp_key *key, int64_t value, bool first);

/* The first value of the key's list; false: it is empty. take removes it. */
bool mp_map_peek(struct mp_map *map, const struct mp_key *key, int64_t *value);
bool mp_map_take(struct mp_map *map, const struct mp_key *key, int64_t *value);

/* Forget all values of the key. */
void mp_map_empty(struct mp_map *map, const struct mp_key *key);

/* The one number of a key, *is_new when it had none and is now 0; NULL: no memory. */
int64_t *mp_map_number(struct mp_map *map, const struct mp_key *key, bool *is_new);

/* Call `see` with each value that lists hold, in no order, until it returns false; false then. */
bool mp_map_each(struct mp_map *map, bool (*see)(void *user, int64_t value), void *user);

/* An interval of the key `track`; those of a track come in order of `from`. */
bool mp_map_span(struct mp_map *map, int64_t track, int64_t from, int64_t to, int64_t value);

/*
 * The last interval of the track that holds `at`: its value, and a number of the caller's, 0 at first; mark may be
 * NULL, and is valid until the next span. Of intervals within each other the 1024 innermost that begin before `at` are
 * looked at.
 */
bool mp_map_within(struct mp_map *map, int64_t track, int64_t at, int64_t *value, int64_t **mark);

/* The same with each mark that is not 0. */
bool mp_map_each_mark(struct mp_map *map, bool (*see)(void *user, int64_t mark), void *user);

#endif

/*
 * level.h: how busy a track is in each of many equal bins of time, and with what most.
 *
 * Stretches and starts come in order of time. The struct owns its arrays; free with mp_level_free. Functions that
 * return bool give false when out of memory. One thread.
 */
#ifndef MP_PAGE_LEVEL_H
#define MP_PAGE_LEVEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mp_bin {
	int32_t top;    /* the name with most time; -1: none */
	uint32_t count; /* slices that start */
	uint8_t busy;   /* the share of the time, of 255 */
};

/* The time of a name in the current bin. */
struct mp_bin_name {
	uint32_t name;
	int32_t bin; /* + 1; another one: the entry is free */
	int64_t ns;
};

struct mp_level {
	int64_t length_ns;
	int32_t count, at, start_at;            /* bins; those of the last stretch and of the last start */
	int64_t begin_ns, end_ns, start_end_ns; /* where these two begin and end */
	struct mp_bin *bins;
	struct mp_bin_name *names; /* a hash table */
	size_t room, used;
	int64_t busy_ns, most_ns; /* in the current bin */
};

/* Bins of [0, length_ns). */
bool mp_level_begin(struct mp_level *level, int32_t bins, int64_t length_ns);

bool mp_level_add(struct mp_level *level, int64_t from_ns, int64_t to_ns, uint32_t name);
void mp_level_start(struct mp_level *level, int64_t start_ns);

/* No stretch follows. */
void mp_level_end(struct mp_level *level);
void mp_level_free(struct mp_level *level);

#endif

/*
 * strip.h: what the page has of one track: all its slices, or levels of detail and its longest slices.
 *
 * Slices come by start, the longest first; times are from the begin of the time line on. The struct owns its arrays;
 * free with mp_strip_free. Functions that return bool give false when out of memory. One thread.
 */
#ifndef MP_PAGE_STRIP_H
#define MP_PAGE_STRIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/index.h"
#include "base/out.h"

/*
 * The slices of one track that run at a moment, each on a lane of its own.
 *
 * A slice takes the first lane that is free when it starts; so a call lies one lane below the call that made it. Each
 * moment belongs to the deepest lane that is busy. Slices come by start, the longest first. A struct of zeros, with
 * now_ns at the first moment, has no slice. Nothing is allocated. One thread.
 */

enum { MP_LANES_MAX = 64 };

struct mp_lane {
	int64_t end_ns;
	uint32_t name;
	int64_t node; /* of the flame graph; -1: none */
};

struct mp_strip_lanes {
	struct mp_lane items[MP_LANES_MAX];
	int used; /* the deepest busy lane + 1 */
	int64_t now_ns;
};

/* All slices that start before `to_ns` are known: call `stretch` for each stretch of time until then with a slice. */
void mp_lanes_advance(struct mp_strip_lanes *lanes, int64_t to_ns,
    void (*stretch)(void *user, int64_t from_ns, int64_t to_ns, const struct mp_lane *lane), void *user);

/* Put a slice that starts now on a lane; returns its depth. Beyond the maximum it replaces that of the last lane. */
int mp_lanes_put(struct mp_strip_lanes *lanes, const struct mp_lane *slice);

/* The deepest slice that ends no earlier than `end_ns`, or NULL. */
const struct mp_lane *mp_lanes_around(const struct mp_strip_lanes *lanes, int64_t end_ns);

/*
 * How busy a track is in each of many equal bins of time, and with what most.
 *
 * Stretches and starts come in order of time. The struct owns its arrays; free with mp_level_free. Functions that
 * return bool give false when out of memory. One thread.
 */

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

enum { MP_STRIP_LEVELS = 2, MP_COARSE_BINS = 512, MP_FINE_BINS = 4096 };

/* A slice that the page has. */
struct mp_strip_kept {
	int64_t start_ns, dur_ns;
	uint32_t name, depth;
};

struct mp_strip {
	struct mp_strip_lanes lanes;
	struct mp_strip_kept *marks; /* all slices; else the longest, and some that are shorter */
	size_t count, longest;       /* longest: keep that many; 0: all */
	bool is_full;                /* the first `longest` marks are those of all slices before */
	struct mp_level levels[MP_STRIP_LEVELS];
	int level_count;
	struct mp_stacks *stacks; /* of a track of the host, or NULL */
	bool is_failed;           /* out of memory */
};

/* Keep all slices. */
void mp_strip_begin(struct mp_strip *strip, struct mp_stacks *stacks);

/* Keep the longest slices, and levels of at most `bins` bins. */
bool mp_strip_begin_levels(
    struct mp_strip *strip, struct mp_stacks *stacks, size_t longest, int32_t bins, int64_t length_ns);

bool mp_strip_add(struct mp_strip *strip, int64_t start_ns, int64_t end_ns, uint32_t name);

/* No slice follows: the marks are in order of their start. */
bool mp_strip_end(struct mp_strip *strip);
void mp_strip_free(struct mp_strip *strip);

/*
 * A curve of at most MP_THIN_POINTS points. Of many, each stretch of time keeps its least and its greatest.
 *
 * All points are looked at; where they are too many, they are added in a second pass. They come in any order. A struct
 * of zeros is empty; free with mp_thin_free. Functions that return bool give false when out of memory. One thread.
 */

enum { MP_THIN_STRETCHES = 1024, MP_THIN_POINTS = 2 * MP_THIN_STRETCHES };

struct mp_point {
	int64_t time_ns;
	double value;
};

struct mp_strip_stretch {
	struct mp_point least, most;
	bool has_point;
};

struct mp_thin {
	struct mp_point *points; /* of few: all; of many: the result */
	size_t seen, count;
	int64_t first_ns, last_ns;
	struct mp_strip_stretch *stretches; /* of many: equal parts of the time from the first point to the last one */
};

bool mp_thin_look(struct mp_thin *thin, int64_t time_ns, double value);

/* Returns whether the points must be added in a second pass. */
static inline bool mp_thin_is_many(const struct mp_thin *thin)
{
	return thin->seen > MP_THIN_POINTS;
}

bool mp_thin_add(struct mp_thin *thin, int64_t time_ns, double value);

/* No point follows: put the points in order of time. */
void mp_thin_end(struct mp_thin *thin);
void mp_thin_free(struct mp_thin *thin);

/*
 * The calls of the host as a flame graph: nodes by the calls around them.
 *
 * Threads are added up. A struct of zeros is empty; free with mp_stacks_free. One thread.
 */

enum { MP_STACKS_BUILT = 1 << 16, MP_STACKS_SHOWN = 2000 };

struct mp_stack_node {
	int64_t parent; /* -1: no call around it */
	uint32_t name;
	int64_t total_ns, self_ns, count;
};

struct mp_stacks {
	struct mp_stack_node *nodes; /* parents before children */
	size_t count;
	struct mp_index index;
	int64_t omitted; /* calls without a node */
};

/* Add a call; its self time comes later. *node is -1 where there are too many nodes. Returns false when out of memory.
 */
bool mp_stacks_add(struct mp_stacks *stacks, int64_t parent, uint32_t name, int64_t dur_ns, int64_t *node);

/*
 * Keep the nodes with the most time, and their parents. Returns how many are left out; -1: out of memory.
 */
int64_t mp_stacks_cut(struct mp_stacks *stacks);

void mp_stacks_free(struct mp_stacks *stacks);

#endif

/*
 * strip.h: what the page has of one track: all its slices, or levels of detail and its longest slices.
 *
 * Slices come by start, the longest first; times are from the begin of the time line on. The struct owns its arrays;
 * free with mp_strip_free. Functions that return bool give false when out of memory. One thread.
 */
#ifndef MP_PAGE_STRIP_H
#define MP_PAGE_STRIP_H

#include "base/out.h"
#include "page/lanes.h"
#include "page/level.h"
#include "page/stacks.h"

enum { MP_STRIP_LEVELS = 2, MP_COARSE_BINS = 512, MP_FINE_BINS = 4096 };

/* A slice that the page has. */
struct mp_kept {
	int64_t start_ns, dur_ns;
	uint32_t name, depth;
};

struct mp_strip {
	struct mp_lanes lanes;
	struct mp_kept *marks; /* all slices; else the longest, and some that are shorter */
	size_t count, longest; /* longest: keep that many; 0: all */
	bool is_full;          /* the first `longest` marks are those of all slices before */
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

#endif

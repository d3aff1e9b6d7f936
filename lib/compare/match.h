/*
 * match.h: which items of two groups are the same operator or call.
 *
 * First those with the same name and shape in the longest common order, then those out of order, then those with
 * another shape, and last those that share original layers: renamed, fused and split ones. The caller frees a matching
 * with mp_matching_free. One thread.
 */
#ifndef MP_COMPARE_MATCH_H
#define MP_COMPARE_MATCH_H

#include "compare/side.h"

enum mp_matched { MP_MATCH_SAME, MP_MATCH_SHAPE, MP_MATCH_LAYERS, MP_MATCH_NEW, MP_MATCH_GONE, MP_MATCHES };

extern const char *const mp_match_names[MP_MATCHES];

struct mp_matching {
	uint32_t *base, *new; /* the row of each item */
	enum mp_matched *how; /* of each row */
	size_t count;         /* rows */
};

/* Match all items. Returns 0, or -1 with err. */
int mp_match(
    struct mp_matching *matching, const struct mp_group *base, const struct mp_group *new, struct mp_error *err);
void mp_matching_free(struct mp_matching *matching);

#endif

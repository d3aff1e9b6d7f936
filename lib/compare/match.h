/*
 * match.h: which items of two groups are the same operator or call.
 *
 * First those with the same name and shape in the longest common order, then those out of order, then those with
 * another shape, and last those that share original layers: renamed, fused and split ones. The caller frees a matching
 * with mp_matching_free. One thread.
 */
#ifndef MP_COMPARE_MATCH_H
#define MP_COMPARE_MATCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
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

/*
 * The longest common subsequence of two sequences of numbers, by Myers' greedy algorithm.
 *
 * Sequences that differ much are not searched: the effort is bounded. Nothing is kept. One thread.
 */

enum { MP_LCS_EDITS_MAX = 512 };
#define MP_LCS_NONE UINT32_MAX

/*
 * Give each place of `a` its partner in `b`, or MP_LCS_NONE. Beyond MP_LCS_EDITS_MAX insertions and removals only the
 * common beginning and end have partners. Returns 0, or -1 with err.
 */
int mp_lcs(
    const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count, uint32_t *partner, struct mp_error *err);

#endif

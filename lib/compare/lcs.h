/*
 * lcs.h: the longest common subsequence of two sequences of numbers, by Myers' greedy algorithm.
 *
 * Sequences that differ much are not searched: the effort is bounded. Nothing is kept. One thread.
 */
#ifndef MP_COMPARE_LCS_H
#define MP_COMPARE_LCS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { MP_LCS_EDITS_MAX = 512 };
#define MP_LCS_NONE UINT32_MAX

/*
 * Give each place of `a` its partner in `b`, or MP_LCS_NONE. Beyond MP_LCS_EDITS_MAX insertions and removals only the
 * common beginning and end have partners. Returns 0, or -1 with err.
 */
int mp_lcs(
    const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count, uint32_t *partner, struct mp_error *err);

#endif

/* lcs.c: a longest common subsequence, with few edits. */
#include "compare/lcs.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The middle of two sequences; the furthest place in `a` on each diagonal, for each number of edits. */
struct search {
	const uint32_t *a, *b;
	int64_t a_count, b_count;
	int32_t *reached[MP_LCS_EDITS_MAX + 1]; /* of d edits: diagonals -d to d */
};

/* Diagonal k is the place in `a` less that in `b`. */
static int64_t step(const struct search *s, int64_t d, int64_t k)
{
	const int32_t *before = d ? s->reached[d - 1] + d - 1 : NULL;

	if (!before)
		return 0;
	if (k == -d || (k != d && before[k - 1] < before[k + 1]))
		return before[k + 1]; /* an element of b is new */
	return before[k - 1] + 1;     /* an element of a is gone */
}

/* Returns the number of edits; -1: more than the maximum, -2: out of memory. */
static int64_t find_edits(struct search *s)
{
	for (int64_t d = 0; d <= MP_LCS_EDITS_MAX; d++) {
		int32_t *reached = malloc((size_t)(2 * d + 1) * sizeof(*reached));

		if (!reached)
			return -2;
		s->reached[d] = reached;
		for (int64_t k = -d; k <= d; k += 2) {
			int64_t x = step(s, d, k), y;

			for (y = x - k; x < s->a_count && y >= 0 && y < s->b_count && s->a[x] == s->b[y]; x++)
				y++;
			reached[k + d] = (int32_t)x;
			if (x >= s->a_count && y >= s->b_count)
				return d;
		}
	}
	return -1;
}

/* Walk back from the end, and note the pairs on the diagonals. */
static void note_pairs(const struct search *s, int64_t edits, uint32_t *partner, uint32_t b_first)
{
	int64_t x = s->a_count, y = s->b_count;

	for (int64_t d = edits; d >= 0; d--) {
		int64_t k = x - y, from = step(s, d, k);

		for (; x > from && y > 0; x--, y--)
			partner[x - 1] = b_first + (uint32_t)(y - 1);
		if (!d)
			break;
		if (k == -d || (k != d && s->reached[d - 1][k - 1 + d - 1] < s->reached[d - 1][k + 1 + d - 1]))
			y--;
		else
			x--;
	}
}

int mp_lcs(
    const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count, uint32_t *partner, struct mp_error *err)
{
	size_t first = 0, least = a_count < b_count ? a_count : b_count, last = 0;
	struct search s = {.a = a};
	int64_t edits;

	for (size_t i = 0; i < a_count; i++)
		partner[i] = MP_LCS_NONE;
	for (; first < least && a[first] == b[first]; first++)
		partner[first] = (uint32_t)first;
	for (; last < least - first && a[a_count - 1 - last] == b[b_count - 1 - last]; last++)
		partner[a_count - 1 - last] = (uint32_t)(b_count - 1 - last);
	s.a = a + first;
	s.b = b + first;
	s.a_count = (int64_t)(a_count - first - last);
	s.b_count = (int64_t)(b_count - first - last);
	edits = find_edits(&s);
	if (edits >= 0)
		note_pairs(&s, edits, partner + first, (uint32_t)first);
	for (int64_t d = 0; d <= MP_LCS_EDITS_MAX && s.reached[d]; d++)
		free(s.reached[d]);
	return edits == -2 ? mp_fail_memory(err, "a comparison of sequences") : 0;
}

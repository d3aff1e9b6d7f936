/*
 * diff.h: what changed from BASE to NEW: the total and its parts, operators, calls, and how far each is beyond noise.
 *
 * Times are those of the mean step, in whole nanoseconds. The rows of a group add up to the change of its step, and so
 * do its four parts. The sides must outlive the diff, which borrows their texts; free it with mp_diff_free, after an
 * error, too. Functions return 0, or -1 with err. One thread.
 */
#ifndef MP_COMPARE_DIFF_H
#define MP_COMPARE_DIFF_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "compare/noise.h"
#include "compare/side.h"

/*
 * Which items of two groups are the same operator or call.
 *
 * First those with the same name and shape in the longest common order, then those out of order, then those with
 * another shape, and last those that share original layers: renamed, fused and split ones. The caller frees a matching
 * with mp_matching_free. One thread.
 */

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

enum mp_verdict { MP_SAME, MP_SLOWER, MP_FASTER, MP_INCONCLUSIVE, MP_VERDICTS };

extern const char *const mp_verdict_names[MP_VERDICTS];
extern const char *const mp_sample_unit_names[];

/* An operator or a call on both sides, or on one. */
struct mp_diff_row {
	enum mp_matched how;
	enum mp_item_kind kind;
	const char *name, *base_name; /* NULL: not on that side */
	const char *layers;           /* of both sides; NULL: the names are all that is known */
	char *texts[3];               /* the three above, where the row has several items */
	const char *detail, *base_detail;
	int64_t base_count, new_count; /* calls in all steps */
	int64_t base_ns, new_ns;       /* of the mean step */
	int64_t calls_ns, each_ns;     /* the parts of the change of an operator on both sides */
	struct mp_change change;
	enum mp_verdict verdict;
	enum mp_verdict beside; /* against the common factor of its group; without one the verdict */
};

/* That most operators changed by one factor, as a clock or a memory does. */
struct mp_common {
	struct mp_change change; /* of their sum */
	size_t rows, of;         /* operators that changed by it, and all that both sides have; rows 0: there is none */
};

struct mp_total {
	int64_t base_ns, new_ns;
	struct mp_change change;
	enum mp_verdict verdict;
};

/* Steps of one kind, on both sides. */
struct mp_group_diff {
	const struct mp_group *base, *new;
	int64_t base_steps, new_steps;
	struct mp_total total;
	struct mp_total p95; /* of the steps: the mean over the runs */
	struct mp_common common;
	int64_t new_ns, gone_ns, calls_ns, each_ns; /* the parts of the change of the total */
	struct mp_diff_row *rows;                   /* the largest change first */
	size_t row_count;
};

/* What both sides should have in common. */
struct mp_fact_diff {
	char name[32], title[64];
	const char *base, *new; /* NULL: not known */
	int weight;
};

struct mp_diff {
	struct mp_noise noise;
	const struct mp_side *base, *new;
	struct mp_group_diff *groups;
	size_t group_count;
	struct mp_group_diff calls; /* its total and its parts mean nothing: calls contain each other */
	struct mp_fact_diff *facts;
	size_t fact_count;
	int score; /* 0 to 100: the weight of equal facts; -1: no fact is known on both sides */
};

/* The change of a group in a sentence: what made it slower or faster. Returns 0, or -1 with err. */
int mp_diff_tell(
    const struct mp_diff *diff, const struct mp_group_diff *group, char *text, size_t size, struct mp_error *err);

/* Compare. Errors: sides of different families, and sides without a group in common. */
int mp_diff_make(struct mp_diff *diff, const struct mp_side *base, const struct mp_side *new, struct mp_error *err);
void mp_diff_free(struct mp_diff *diff);

#endif

/* diff_internal.h: the parts of a comparison. */
#ifndef MP_COMPARE_DIFF_INTERNAL_H
#define MP_COMPARE_DIFF_INTERNAL_H

#include "compare/diff.h"

/* How samples of a group become those of a test. */
struct mp_units {
	int of[MP_SAMPLES_MAX]; /* the unit of each sample */
	int64_t steps[MP_SAMPLES_MAX];
	int count;
};

/* A group on both sides, with the samples and the test that they allow. */
struct mp_pairing {
	const struct mp_group *base, *new;
	struct mp_units base_units, new_units;
	struct mp_ranks ranks;
	enum mp_sample_unit unit;
	int64_t base_steps, new_steps;
	const struct mp_noise *noise;
};

/* Choose jobs as samples where there are enough for a test, else steps, else neither. */
int mp_pairing_make(struct mp_pairing *p, const struct mp_group *base, const struct mp_group *new,
    const struct mp_noise *noise, struct mp_error *err);

/* Compare the times of steps, or the 95th percentiles of runs. */
int mp_pairing_total(const struct mp_pairing *p, struct mp_total *total, struct mp_error *err);
int mp_pairing_p95(const struct mp_pairing *p, struct mp_total *p95, struct mp_error *err);

/* Make the rows of a group, whose total is known. */
int mp_rows_make(struct mp_group_diff *g, const struct mp_pairing *p, struct mp_error *err);

/* The verdict about a change; small ones of many rows need more. */
enum mp_verdict mp_verdict_of(
    const struct mp_change *change, const struct mp_noise *noise, double total_ns, size_t rows);

/* Compare the facts, and compute the score. */
int mp_facts_compare(struct mp_diff *diff, struct mp_error *err);

#endif

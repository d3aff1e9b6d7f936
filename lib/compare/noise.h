/*
 * noise.h: how far a change is beyond noise: an exact rank test, and the interval that it leaves to the change.
 *
 * Samples are compared without any assumption about their distribution. The test is that of Wilcoxon, Mann and Whitney;
 * ties make it cautious. The change is the median of all differences between a sample of NEW and one of BASE, and its
 * interval holds every change that the test does not refuse. An mp_ranks owns its numbers; free with mp_ranks_free. One
 * thread.
 */
#ifndef MP_COMPARE_NOISE_H
#define MP_COMPARE_NOISE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* What schema/insight/noise.txt says. */
struct mp_noise {
	double alpha, least_share, floor_runs, floor_steps, floor_none, same, common_share, common_spread;
	bool is_doubtful; /* data of a side contradicts itself: nothing is decided */
	const char
	    *caution; /* what stands beside each verdict, or NULL: data of a side is in doubt, the models differ */
};

int mp_noise_read(struct mp_noise *noise, struct mp_error *err);

enum { MP_SAMPLES_MAX = 64 };

enum mp_sample_unit {
	MP_UNIT_RUNS,  /* jobs are the samples */
	MP_UNIT_STEPS, /* steps are, or blocks of them */
	MP_UNIT_NONE   /* too few samples for a test: a floor decides */
};

/* Samples of one quantity on one side. */
struct mp_samples {
	double values[MP_SAMPLES_MAX];
	int count;
};

/* The distribution of the rank sum of two numbers of samples. */
struct mp_ranks {
	int base, new;
	double *tail; /* by the rank sum: how probable one so small is */
	int cut;      /* the largest that is significant for both directions together; -1: not found */
};

int mp_ranks_make(struct mp_ranks *ranks, int base, int new, double alpha, struct mp_error *err);
void mp_ranks_free(struct mp_ranks *ranks);

/* A change from BASE to NEW, in the unit of the samples. */
struct mp_change {
	enum mp_sample_unit unit;
	double base_median, base_mad, new_median, new_mad;
	double shift, low, high; /* the change, and what it may be */
	double p;                /* -1: no test */
	double floor;            /* the least change that counts */
	bool equal;              /* the samples of both sides are the same numbers */
};

/*
 * Measure a change. `ranks` is of the numbers of samples and has a cut; NULL: a floor decides, which is the spread of
 * the samples where that is larger.
 */
int mp_change_measure(struct mp_change *change, const struct mp_samples *base, const struct mp_samples *new,
    const struct mp_ranks *ranks, enum mp_sample_unit unit, const struct mp_noise *noise, struct mp_error *err);

/* How the change compares with a share of the median of BASE: 1 surely larger, -1 surely smaller, 0 not decided. */
int mp_change_decide(const struct mp_change *change, double share);

/* The median of values, which are sorted by this. */
double mp_median(double *values, int count);

#endif

/*
 * gaps.h: the longest idle gaps with their reasons, and the sums of all gaps for each reason.
 *
 * A struct of zeros is empty and owns nothing. One thread.
 */
#ifndef MP_INSIGHT_GAPS_H
#define MP_INSIGHT_GAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "insight/sweep.h"

enum { MP_GAPS_KEPT = 1000 };

enum mp_gap_reason {
	MP_GAP_UNLINKED,    /* the launch of the next task is unknown */
	MP_GAP_HOST_LATE,   /* the call that launched the next task began within the gap */
	MP_GAP_DEVICE_WAIT, /* the next task was launched before the gap began */
	MP_GAP_END,         /* no task follows in the track */
	MP_GAP_PROGRAM,     /* host late, and hardly any call ran before that launch */
	MP_GAP_REASONS
};

struct mp_kept_gap {
	int64_t window, start_ns, end_ns;
	enum mp_gap_reason reason;
	int64_t before_op, before_row, after_op, after_row; /* -1: no task */
	int64_t launch_ns;                                  /* of the task after it; INT64_MIN: unknown */
};

struct mp_gaps {
	struct mp_kept_gap kept[2 * MP_GAPS_KEPT]; /* the longest are among them; mp_gaps_finish sorts and cuts */
	int count;
	bool is_full; /* it was sorted: the first MP_GAPS_KEPT are the longest of those before */
	int64_t number[MP_GAP_REASONS], total_ns[MP_GAP_REASONS];
};

/* The reason of a gap by the launch of the next task; calls are not looked at. */
enum mp_gap_reason mp_gap_reason(const struct mp_gap *gap);

/* Add a gap of a sweep. */
void mp_gaps_add(struct mp_gaps *gaps, const struct mp_gap *gap, enum mp_gap_reason reason);

/* Keep the MP_GAPS_KEPT longest, the longest first. */
void mp_gaps_finish(struct mp_gaps *gaps);

#endif

/*
 * sweep.h: intervals of time of one track, sorted by start, and where the time of its windows went.
 *
 * Each moment of a window belongs to the lowest class that is active, or is idle; so the parts of a window add up to
 * its length. The sweep looks at each interval once.
 * Times are nanoseconds of one clock. All values are allowed: lengths saturate. Nothing is allocated. One thread.
 */
#ifndef MP_INSIGHT_SWEEP_H
#define MP_INSIGHT_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "store/db.h"

/*
 * How long any of many intervals ran, up to moments that are asked for in ascending order.
 *
 * The intervals are the rows (start_ns, end_ns) of a query, in order of their start; they are read once, as far as is
 * needed. A struct of zeros with the query is ready; the query belongs to the caller. One thread.
 */

struct mp_coverage {
	struct mp_query *query;
	int64_t start_ns, end_ns;           /* of the intervals that overlap, so far */
	int64_t before_ns;                  /* the length of those before them */
	int64_t next_start_ns, next_end_ns; /* the row that was read, and is not added */
	bool begun, more;
};

/* Set *covered_ns to the length of the union before a moment. Returns 0, or -1 with err. */
int mp_coverage_until(struct mp_coverage *c, int64_t at_ns, int64_t *covered_ns, struct mp_error *err);

/*
 * The tasks of one track as intervals of time, any number of them.
 *
 * Many lie in a file without a name (base/vec.h), so that the memory stays small: look at them one after the other,
 * with mp_intervals_at. A struct of zeros is empty; free with mp_intervals_free. Functions that return bool give false
 * when out of memory. One thread.
 */

/* A task [start_ns, end_ns) with end_ns >= start_ns. */
struct mp_interval {
	int64_t start_ns, end_ns;
	int64_t launch_ns; /* the start of the call that launched the task; INT64_MIN: unknown */
	uint32_t row;      /* of the task, for evidence */
	uint32_t op;       /* number of its operator */
};

struct mp_intervals {
	struct mp_big array;
	size_t count; /* the caller may begin anew with 0 */
	int dir;      /* the descriptor of the directory with the file, + 1; 0: not opened */
};

bool mp_intervals_add(struct mp_intervals *v, const struct mp_interval *interval);
void mp_intervals_free(struct mp_intervals *v);

/* An interval, valid until the next one is added. */
static inline struct mp_interval *mp_intervals_at(struct mp_intervals *v, size_t i)
{
	mp_big_touch(&v->array);
	return (struct mp_interval *)v->array.at + i;
}

/* Sort by start, then by end, then by row. */
bool mp_intervals_sort(struct mp_intervals *v);

enum { MP_CLASS_MAX = 8 };

/* The time between two moments; INT64_MAX where it does not fit. */
int64_t mp_span_ns(int64_t start_ns, int64_t end_ns);

/* The sum of two numbers, at most INT64_MAX and at least INT64_MIN. */
int64_t mp_add_ns(int64_t a, int64_t b);

/* A range of time that is examined: a step or an inference. */
struct mp_sweep_window {
	int64_t id, start_ns, end_ns;
	int64_t alone_ns[MP_CLASS_MAX]; /* no lower class was active */
	int64_t own_ns[MP_CLASS_MAX];   /* the class was active */
	int64_t idle_ns, gaps;
};

/* The windows of one track; free with mp_windows_free. */
struct mp_windows {
	struct mp_sweep_window *items;
	size_t count;
};

/* Read the ranges that the script of the family gave for a track. Returns 0, or -1 with err. */
int mp_windows_read(struct mp_windows *w, struct mp_db *db, int64_t track, struct mp_error *err);

/* The one window of a track without ranges: from its first start to its last end. Returns 0, or -1 with err. */
int mp_windows_whole(struct mp_windows *w, int64_t track, struct mp_intervals *v, struct mp_error *err);
void mp_windows_free(struct mp_windows *w);

/* A stretch of a window in which nothing was active. */
struct mp_idle_gap {
	int64_t window, start_ns, end_ns;
	const struct mp_interval *before, *after; /* NULL: the track begins or ends */
};

struct mp_sweep {
	struct mp_intervals *intervals;
	int (*class_of)(void *user, uint32_t op); /* 0 to MP_CLASS_MAX - 1 */
	/* `op` was the active operator of the lowest class for `ns`; may be NULL. */
	void (*alone)(void *user, uint32_t op, int64_t ns);
	void (*gap)(void *user, const struct mp_idle_gap *gap); /* may be NULL */
	void *user;
};

/* Add the time of the sorted intervals to the windows, which are sorted and do not overlap. */
void mp_sweep(const struct mp_sweep *sweep, struct mp_windows *windows);

/*
 * The longest idle gaps with their reasons, and the sums of all gaps for each reason.
 *
 * A struct of zeros is empty and owns nothing. One thread.
 */

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
enum mp_gap_reason mp_gap_reason(const struct mp_idle_gap *gap);

/* Add a gap of a sweep. */
void mp_gaps_add(struct mp_gaps *gaps, const struct mp_idle_gap *gap, enum mp_gap_reason reason);

/* Keep the MP_GAPS_KEPT longest, the longest first. */
void mp_gaps_finish(struct mp_gaps *gaps);

#endif

/*
 * stacks.h: writes the calls of a report as folded stacks, for tools that draw flame graphs (docs/TRACE.md).
 *
 * The first columns of @rows are pid, tid, name, start_ns and dur_ns, as in timeline.h; @process and @thread name the
 * first two parts of each stack. A call is in the innermost call of its thread that contains it. The weight of a stack
 * is the time of its last call without the calls in it, in ns. Nothing is kept between calls.
 */
#ifndef MP_REPORT_STACKS_H
#define MP_REPORT_STACKS_H

#include "base/out.h"
#include "report/timeline.h"

/* Write the stacks of one file: the current row of `each`. Returns 0, or -1 with err. */
int mp_stacks_write(const struct mp_report *report, struct mp_db *db, const struct mp_query *each, enum mp_style style,
    struct mp_out *out, const struct mp_timeline_progress *progress, struct mp_timeline_stats *stats,
    struct mp_error *err);

/*
 * Adds up times by path, and writes a line for each path: "a;b;c 1234", the folded form of flame graphs.
 *
 * Memory is bounded: when there are too many paths, their lines are written and a path may come again later; readers
 * add up equal paths. Lines are sorted. Free with mp_folds_free. One thread at a time.
 */

enum { MP_FOLD_MAX = 16 * 1024 }; /* bytes of a path */

struct mp_folds;

int mp_folds_create(struct mp_folds **folds, struct mp_out *out, struct mp_error *err);
void mp_folds_free(struct mp_folds *folds); /* NULL is allowed */

/* Add a time to a path of at most MP_FOLD_MAX bytes. Sums do not exceed INT64_MAX. */
void mp_folds_add(struct mp_folds *folds, const char *path, size_t len, uint64_t ns);

/* Write all lines. */
void mp_folds_write(struct mp_folds *folds);

/* Forget all paths. */
void mp_folds_clear(struct mp_folds *folds);

#endif

/*
 * folds.h: adds up times by path, and writes a line for each path: "a;b;c 1234", the folded form of flame graphs.
 *
 * Memory is bounded: when there are too many paths, their lines are written and a path may come again later; readers
 * add up equal paths. Lines are sorted. Free with mp_folds_free. One thread at a time.
 */
#ifndef MP_REPORT_FOLDS_H
#define MP_REPORT_FOLDS_H

#include "base/out.h"

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

/*
 * baseline.h: a side as a small text file, JSON of the schema msprof.baseline/1.
 *
 * The same side gives the same bytes. A file is foreign: every number and text is checked before it counts. Functions
 * return 0, or -1 with err. One thread.
 */
#ifndef MP_COMPARE_BASELINE_H
#define MP_COMPARE_BASELINE_H

#include "base/out.h"
#include "compare/side.h"

enum { MP_BASELINE_MAX = 8 << 20 }; /* bytes of a file */

#define MP_BASELINE_NS_MAX ((int64_t)1 << 50) /* 13 days: sums of 64 samples stay exact, too */

/* Whether a baseline can hold the side: it has a step, and no time is too long. */
int mp_baseline_check(const struct mp_side *side, struct mp_error *err);

/* Write a side that passed the check; the mp_out keeps its errors. */
void mp_baseline_write(const struct mp_side *side, struct mp_out *out);

/* Read a file into a new side, which must be freed, after an error, too. */
int mp_baseline_read(struct mp_side *side, const char *path, struct mp_error *err);

/* The same for a text. `label` is the file in errors. */
int mp_baseline_parse(struct mp_side *side, const char *text, size_t len, const char *label, struct mp_error *err);

#endif

/*
 * diff_write.h: a diff as sections of a report, as rows of one table, or as a JSON document.
 *
 * docs/INSIGHT.md has the forms. Functions return 0, or -1 with err; the mp_out keeps its own errors.
 */
#ifndef MP_COMPARE_DIFF_WRITE_H
#define MP_COMPARE_DIFF_WRITE_H

#include "base/out.h"
#include "compare/gate.h"
#include "report/writer.h"

struct mp_gates {
	struct mp_gate *items;
	size_t count;
};

/* For people: gates, the change of each group and its parts, operators, calls, and what differs; at most `top` rows of
 * a table, 0: all. */
int mp_diff_write(
    const struct mp_diff *diff, const struct mp_gates *gates, int64_t top, struct mp_writer *w, struct mp_error *err);

/* For spreadsheets: one section with a row for each total, operator and call. */
int mp_diff_write_rows(const struct mp_diff *diff, struct mp_writer *w, struct mp_error *err);

/* A document of the schema msprof.diff/1. `base` and `new` are the names of the sides. */
void mp_diff_write_json(
    const struct mp_diff *diff, const struct mp_gates *gates, const char *base, const char *new, struct mp_out *out);

/* What a condition is that cannot be decided. */
enum mp_undecided { MP_UNDECIDED_ERROR, MP_UNDECIDED_PASSES, MP_UNDECIDED_FAILS };

/* A document of JUnit's XML with a test case for each condition; `failure`: why no condition was decided, or NULL. */
void mp_gates_write_junit(
    const struct mp_gates *gates, enum mp_undecided undecided, const char *failure, struct mp_out *out);

#endif

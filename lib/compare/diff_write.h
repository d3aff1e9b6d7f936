/*
 * diff_write.h: a diff as sections of a report, as rows of one table, or as a JSON document.
 *
 * docs/INSIGHT.md has the forms. Functions return 0, or -1 with err; the mp_out keeps its own errors.
 */
#ifndef MP_COMPARE_DIFF_WRITE_H
#define MP_COMPARE_DIFF_WRITE_H

#include "base/out.h"
#include "compare/diff.h"
#include "report/writer.h"

/*
 * Conditions of a pipeline: "total > 5%", "p95 > 3%", "op conv1 > 10%", "call aclmdlExecute > 10%".
 *
 * A gate borrows its text and the diff. Functions return 0, or -1 with err. One thread.
 */

enum mp_gate_kind { MP_GATE_TOTAL, MP_GATE_P95, MP_GATE_OP, MP_GATE_CALL, MP_GATE_KINDS };
enum mp_gate_result { MP_GATE_PASSED, MP_GATE_HOLDS, MP_GATE_UNDECIDED, MP_GATE_RESULTS };

extern const char *const mp_gate_results[MP_GATE_RESULTS];

struct mp_gate {
	const char *text;
	enum mp_gate_kind kind;
	const char *name; /* of an operator, one of its layers, or a call; not terminated */
	size_t name_len;
	double share; /* 0.05 for 5% */
	enum mp_gate_result result;
	const struct mp_change *change; /* that decided */
	bool is_doubtful;               /* data of a side contradicts itself */
	const char *caution;            /* as in struct mp_noise */
	bool is_new;                    /* BASE has no such operator or call: it is infinitely slower */
	const char *group;              /* title of its group */
};

/* Read a condition. */
int mp_gate_parse(struct mp_gate *gate, const char *text, struct mp_error *err);

/* Decide it. Error: no side has the operator or the call. */
int mp_gate_judge(struct mp_gate *gate, const struct mp_diff *diff, struct mp_error *err);

/* Why it holds, passes or is not decided, in a sentence without a full stop. */
void mp_gate_tell(const struct mp_gate *gate, char *text, size_t size);

struct mp_gates {
	struct mp_gate *items;
	size_t count;
};

/* For people: a sentence for each group, gates, the change of each group and its parts, operators, calls, and what
 * differs; at most `top` rows of a table, 0: all, -1: all that differ. */
int mp_diff_write(
    const struct mp_diff *diff, const struct mp_gates *gates, int64_t top, struct mp_writer *w, struct mp_error *err);

/* For spreadsheets: one section with a row for each total, operator and call. */
int mp_diff_write_rows(const struct mp_diff *diff, struct mp_writer *w, struct mp_error *err);

/* A document of the schema msprof.diff/1. `base` and `new` are the names of the sides. */
int mp_diff_write_json(const struct mp_diff *diff, const struct mp_gates *gates, const char *base, const char *new,
    struct mp_out *out, struct mp_error *err);

/* What a condition is that cannot be decided. */
enum mp_undecided { MP_UNDECIDED_ERROR, MP_UNDECIDED_PASSES, MP_UNDECIDED_FAILS };

/* A document of JUnit's XML with a test case for each condition; `failure`: why no condition was decided, or NULL. */
void mp_gates_write_junit(
    const struct mp_gates *gates, enum mp_undecided undecided, const char *failure, struct mp_out *out);

#endif

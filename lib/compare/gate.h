/*
 * gate.h: conditions of a pipeline: "total > 5%", "p95 > 3%", "op conv1 > 10%", "call aclmdlExecute > 10%".
 *
 * A gate borrows its text and the diff. Functions return 0, or -1 with err. One thread.
 */
#ifndef MP_COMPARE_GATE_H
#define MP_COMPARE_GATE_H

#include "compare/diff.h"

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

#endif

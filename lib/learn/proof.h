/*
 * proof.h: decodes a job with learned layouts and makes each reference again. For lib/learn only.
 *
 * The caller frees a proof with mp_proof_free. One thread at a time.
 */
#ifndef MP_LEARN_PROOF_H
#define MP_LEARN_PROOF_H

#include "learn/reference.h"

/* How one reference came out. */
struct mp_proof_line {
	const char *name;    /* of the reference; borrowed */
	size_t cells, equal; /* compared, and equal */
	size_t unknown;      /* columns that were not compared, because their title is unknown */
	char first[256];     /* the first difference: row, column, both values; or "" */
	char note[128];      /* what the table differs in as a whole: an offset of its moments; or "" */
};

struct mp_proof {
	struct mp_proof_line *lines;
	size_t count;
};

/*
 * Import `job` with `layouts` into a private database, compute each cell of each reference from it, and compare:
 * numbers to the digit, under one rule of rounding a column (half to even, half up, or cut), texts whole. Returns 0, or
 * -1 with err.
 */
int mp_proof_make(struct mp_proof *proof, const struct mp_job *job, const struct mp_layouts *layouts,
    const struct mp_references *refs, struct mp_error *err);
void mp_proof_free(struct mp_proof *proof);

#endif

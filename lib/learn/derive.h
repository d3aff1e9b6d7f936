/*
 * derive.h: adds to tables without numbers of tasks or streams what layer.info says of their layers. For lib/learn
 * only.
 */
#ifndef MP_LEARN_DERIVE_H
#define MP_LEARN_DERIVE_H

#include "learn/reference.h"

/*
 * Copy references for the search of records: tables of tasks that lack the number of the task or stream get it, if the
 * layers of their rows are those of one task. `layouts` decode layer.info. The copy borrows all texts from `refs`; free
 * it with mp_derived_free. Returns 0, or -1 with err.
 */
int mp_derive(struct mp_references *derived, const struct mp_references *refs, const struct mp_job *job,
    const struct mp_layouts *layouts, struct mp_error *err);
void mp_derived_free(struct mp_references *derived, const struct mp_references *refs);

#endif

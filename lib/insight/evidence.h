/* evidence.h: the rows that prove a finding, copied. Functions return 0, or -1 with err. */
#ifndef MP_INSIGHT_EVIDENCE_H
#define MP_INSIGHT_EVIDENCE_H

#include "insight/advise.h"

/* Run @rows of the rule for a row of @each; at most MP_EVIDENCE_MAX rows. The evidence must be freed, after an error,
 * too. */
int mp_evidence_read(struct mp_evidence *e, const struct mp_report *rule, struct mp_db *db,
    const struct mp_report_row *each, struct mp_error *err);
void mp_evidence_free(struct mp_evidence *e);

#endif

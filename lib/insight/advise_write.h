/*
 * advise_write.h: an advice as sections of a report, as rows of one table, or as a member of a JSON document.
 *
 * docs/INSIGHT.md has the forms. Functions return 0, or -1 with err; the mp_out keeps its own errors.
 */
#ifndef MP_INSIGHT_ADVISE_WRITE_H
#define MP_INSIGHT_ADVISE_WRITE_H

#include "base/out.h"
#include "insight/advise.h"

/* For people: the overview, the list of findings, each finding with its evidence, and the rules that abstain. */
int mp_advice_write(const struct mp_advice *a, struct mp_db *db, struct mp_writer *w, struct mp_error *err);

/* For spreadsheets: one section with a row for each finding. */
int mp_advice_write_rows(const struct mp_advice *a, const char *job, struct mp_writer *w, struct mp_error *err);

/* One section with a row for each rule. */
int mp_rules_write(const struct mp_reports *rules, struct mp_writer *w, struct mp_error *err);

/* One JSON object with the name of the job. */
int mp_advice_write_json(
    const struct mp_advice *a, struct mp_db *db, const char *job, struct mp_out *out, struct mp_error *err);

#endif

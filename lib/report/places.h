/*
 * places.h: places in the SQL of reports that stand for the user's choice of a time range, devices, a model and a step:
 *   {range CLOCK START; END}   rows from START to END (ns, SQL terms) that touch the range; CLOCK is host or device
 *   {device ID}                rows of chosen devices; NULL is the host, which is always chosen
 *   {model ID}                 rows of the chosen model
 *   {step NUMBER}              rows of the chosen inference
 * Without such a choice a place is nothing, so that the text stays that of a report without places. No state.
 */
#ifndef MP_REPORT_PLACES_H
#define MP_REPORT_PLACES_H

#include "base/error.h"
#include "report/report.h"

/*
 * Join `before`, the texts of `sql` and `after`, with each place replaced by a condition that begins with AND, for the
 * limits (enum mp_limit) of a database. Returns a text that the caller frees, or NULL with err.
 */
char *mp_report_text(
    const struct mp_sql *sql, const char *before, const char *after, unsigned limits, struct mp_error *err);

#endif

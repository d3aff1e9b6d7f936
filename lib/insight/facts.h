/*
 * facts.h: what the advice is made of, as temporary tables: operators, steps, where their time went, gaps.
 *
 * schema/insight/FAMILY/tasks.sql says which tasks there are; docs/INSIGHT.md describes its queries and the tables
 * operator, window, window_time, gap and gap_reason, which this module fills. Nothing is kept between calls.
 */
#ifndef MP_INSIGHT_FACTS_H
#define MP_INSIGHT_FACTS_H

#include "report/report.h"
#include "store/db.h"

/* Read all tasks of the report, sweep each track, and make the tables. Returns 0, or -1 with err. */
int mp_facts_collect(struct mp_db *db, const struct mp_report *tasks, struct mp_error *err);

#endif

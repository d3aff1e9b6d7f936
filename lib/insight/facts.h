/*
 * facts.h: what the advice is made of, as temporary tables: operators, steps, where their time went, gaps.
 *
 * schema/insight/facts/FAMILY.sql says which tasks there are, calls/FAMILY.sql which calls, sequence/FAMILY.sql among
 * which tasks sequences are sought. docs/INSIGHT.md describes their queries and the tables operator, window,
 * window_time, gap, gap_reason, sequence, sequence_part and sequence_run, which this module fills. Nothing is kept
 * between calls. Functions return 0, or -1 with err.
 */
#ifndef MP_INSIGHT_FACTS_H
#define MP_INSIGHT_FACTS_H

#include "report/report.h"
#include "store/db.h"

/* Read all tasks, sweep each track, and make the tables; `calls`: those of the host, or NULL. */
int mp_facts_collect(
    struct mp_db *db, const struct mp_report *tasks, const struct mp_report *calls, struct mp_error *err);

/* Find the sequences of the last steps. */
int mp_facts_sequences(struct mp_db *db, const struct mp_report *report, struct mp_error *err);

#endif

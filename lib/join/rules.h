/*
 * rules.h: rules of PROF jobs, and of JOB directories since 2022, that follow time step by step; docs/PROF-RULES.md has
 * each in one sentence with its source. They are tables of scripts of schema/sql, see join/rule.h.
 */
#ifndef MP_JOIN_RULES_H
#define MP_JOIN_RULES_H

#include "join/rule.h"

/* Register all rules with a connection. */
int mp_prof_rules_register(struct mp_db *db, struct mp_error *err);

/* Rules of flips.c, repeats.c, job_runs.c, alike.c, hash_order.c and transfers.c. */
extern const struct mp_rule mp_rule_flip_batches, mp_rule_late_launches, mp_rule_raced_runs, mp_rule_repeated_runs,
    mp_rule_whole_runs, mp_rule_start_end_pairs, mp_rule_batched_runs, mp_rule_alike_tensors, mp_rule_hash_order,
    mp_rule_transfers;

#endif

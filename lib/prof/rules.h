/*
 * rules.h: rules of PROF jobs that follow time step by step; docs/PROF-RULES.md has each in one sentence with its
 * source. They are tables of schema/sql/prof, see prof/rule.h.
 */
#ifndef MP_PROF_RULES_H
#define MP_PROF_RULES_H

#include "prof/rule.h"

/* Register all rules with a connection. */
int mp_prof_rules_register(struct mp_db *db, struct mp_error *err);

/* Rules of flips.c and repeats.c. */
extern const struct mp_rule mp_rule_flip_batches, mp_rule_late_launches, mp_rule_raced_runs, mp_rule_repeated_runs,
    mp_rule_whole_runs;

#endif

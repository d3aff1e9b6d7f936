/* rules.c: all rules. */
#include "join/rules.h"

int mp_prof_rules_register(struct mp_db *db, struct mp_error *err)
{
	static const struct mp_rule *const rules[] = {&mp_rule_flip_batches, &mp_rule_late_launches,
	    &mp_rule_raced_runs, &mp_rule_repeated_runs, &mp_rule_whole_runs, &mp_rule_start_end_pairs,
	    &mp_rule_batched_runs, &mp_rule_alike_tensors, &mp_rule_hash_order, &mp_rule_transfers};

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (mp_rule_register(db, rules[i], err))
			return -1;
	return 0;
}

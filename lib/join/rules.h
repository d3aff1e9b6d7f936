/*
 * rules.h: rules of PROF jobs, and of JOB directories since 2022, that follow time step by step; docs/PROF-RULES.md has
 * each in one sentence with its source. They are tables of scripts of schema/sql:
 *   CREATE VIRTUAL TABLE temp.NAME USING rule((SELECT ...), (SELECT ...))
 *
 * A rule is a C function that reads the rows of these queries and adds rows of numbers to the table. The function runs
 * once, when the table is made; the table is read-only. SQLite frees the rows with the table. One thread. Functions
 * that return int give 0, or -1 with err, unless the comment says otherwise.
 */
#ifndef MP_JOIN_RULES_H
#define MP_JOIN_RULES_H

#include "base/map.h"
#include "store/db.h"

struct mp_rule_call;

struct mp_rule {
	const char *name;    /* of the module */
	const char *columns; /* the names of the table's columns: "id, batch_id" */
	int column_count;
	int inputs[3]; /* the number of columns of each query; 0: no query */
	/* Returns 0, or -1 with err. */
	int (*apply)(struct mp_rule_call *call, struct mp_error *err);
};

/* Store the values of the next row of a query, NULL as 0. Returns 1 for a row, 0 at the end, -1 on error. */
int mp_rule_next(struct mp_rule_call *call, int query, int64_t *values, struct mp_error *err);

/* Add a row to the table: a value for each column. */
int mp_rule_put(struct mp_rule_call *call, const int64_t *values, struct mp_error *err);

/* The same for all rows of a query, one behind the other. Free *rows in any case. */
int mp_rule_all(struct mp_rule_call *call, int query, int64_t **rows, size_t *count, struct mp_error *err);

/* Returns another empty map for the time of the call, which may have MP_RULE_MAPS of them. */
enum { MP_RULE_MAPS = 5 };
struct mp_map *mp_rule_map(struct mp_rule_call *call);

/* Register a rule with a connection. The rule must stay in place until the connection is closed. */
int mp_rule_register(struct mp_db *db, const struct mp_rule *rule, struct mp_error *err);

/* Rules of flips.c, runs.c, reference_order.c, transfers.c, nesting.c and launches.c. */
extern const struct mp_rule mp_rule_flip_batches, mp_rule_late_launches, mp_rule_raced_runs, mp_rule_repeated_runs,
    mp_rule_whole_runs, mp_rule_start_end_pairs, mp_rule_batched_runs, mp_rule_alike_tensors, mp_rule_hash_order,
    mp_rule_task_order, mp_rule_unstable_order, mp_rule_transfers, mp_rule_nesting, mp_rule_nested_sums,
    mp_rule_launch_ops, mp_rule_call_stacks;

/* Register all rules. Inline, since the files of the rules need those of rules.c. */
static inline int mp_rules_register(struct mp_db *db, struct mp_error *err)
{
	static const struct mp_rule *const rules[] = {&mp_rule_flip_batches, &mp_rule_late_launches,
	    &mp_rule_raced_runs, &mp_rule_repeated_runs, &mp_rule_whole_runs, &mp_rule_start_end_pairs,
	    &mp_rule_batched_runs, &mp_rule_alike_tensors, &mp_rule_hash_order, &mp_rule_task_order,
	    &mp_rule_unstable_order, &mp_rule_transfers, &mp_rule_nesting, &mp_rule_nested_sums, &mp_rule_launch_ops,
	    &mp_rule_call_stacks};

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (mp_rule_register(db, rules[i], err))
			return -1;
	return 0;
}

#endif

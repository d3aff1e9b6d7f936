/*
 * rule.h: joins that follow time step by step, as tables. A rule is a function of C that reads the rows of queries and
 * gives rows of its own, all of them numbers:
 *   CREATE VIRTUAL TABLE temp.NAME USING rule((SELECT ...), (SELECT ...))
 * The function runs once, when the table is made; the table is read-only.
 */
#ifndef MP_PROF_RULE_H
#define MP_PROF_RULE_H

#include "base/map.h"
#include "store/db.h"

enum { MP_RULE_COLUMN_MAX = 8 };

struct mp_rule_call;

struct mp_rule {
	const char *name;    /* of the module */
	const char *columns; /* of its rows: "id, batch_id" */
	int column_count;
	int inputs[3]; /* columns of each query; 0: there is no such query */
	int (*apply)(struct mp_rule_call *call, struct mp_error *err);
};

/* The rule must stay where it is. */
int mp_rule_register(struct mp_db *db, const struct mp_rule *rule, struct mp_error *err);

/* The next row of a query, of as many values as the rule says; NULL is 0. Returns 1 for a row, 0 at the end, -1 on
 * error. */
int mp_rule_next(struct mp_rule_call *call, int query, int64_t *values, struct mp_error *err);

/* Add a row of the rule's columns. */
int mp_rule_put(struct mp_rule_call *call, const int64_t *values, struct mp_error *err);

/* An empty map for the time of the call, of a name that only the rule uses; NULL on error. */
struct mp_map *mp_rule_map(struct mp_rule_call *call, const char *name, struct mp_error *err);

#endif

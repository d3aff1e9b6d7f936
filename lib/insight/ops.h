/*
 * ops.h: operators by their keys, with the exact sums over their tasks.
 *
 * Up to MP_OPS_MAX operators have a row of their own; the rest is added to one row for each class, without keys. The
 * struct owns its rows; free with mp_ops_free. Functions return false when out of memory. One thread.
 */
#ifndef MP_INSIGHT_OPS_H
#define MP_INSIGHT_OPS_H

#include "base/index.h"
#include "store/db.h"

enum { MP_OPS_MAX = 1 << 17, MP_OP_KEYS = 4, MP_OP_SUMS = 26 };

struct mp_op {
	int64_t keys[MP_OP_KEYS];
	int64_t count, total_ns, longest_ns, shortest_ns;
	int64_t alone_ns;   /* of its tasks, while no task of a lower class ran */
	uint32_t first_row; /* of the task that was added first */
	int class;
	uint32_t next; /* the operator that was found after this one: the next step has the same order */
	bool is_rest;  /* a row for operators beyond the maximum */
};

struct mp_ops {
	struct mp_op *items;
	int64_t *sums; /* sum_count for each operator */
	size_t count;
	struct mp_index index;
	uint32_t last; /* the operator that was found last */
	int sum_count;
	int class; /* of operators whose class is not given */
};

/* Find an operator, or add it with a class; -1: the class that it has, or the default. */
bool mp_ops_find(struct mp_ops *ops, const int64_t keys[MP_OP_KEYS], int class, uint32_t *op);

/* Add a task of the operator: its row, its duration, and sum_count numbers. */
void mp_ops_add(struct mp_ops *ops, uint32_t op, uint32_t row, int64_t dur_ns, const int64_t *numbers);

void mp_ops_free(struct mp_ops *ops);

/*
 * The small tables of schema/insight: classes of operators, chips, limits of severities; and its scripts.
 *
 * A file NAME.txt becomes the temporary table NAME. Its first line without '#' names the columns; each further line is
 * a row. Words are separated by blanks; the last column takes the rest of its line; '-' is NULL.
 */

/* Make all tables. Returns 0, or -1 with err. */
int mp_insight_words(struct mp_db *db, struct mp_error *err);

/* Run scripts/NAME_STEP.sql, which must be there. Returns 0, or -1 with err. */
int mp_insight_script(struct mp_db *db, const char *name, const char *step, struct mp_error *err);

#endif

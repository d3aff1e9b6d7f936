/*
 * scan.h: reads the rows of a statement from the b-trees of its tables (btree.h) or from a row source, without
 * SQLite. For the files of lib/expr only.
 *
 * A scan serves a SELECT from one table, in the order of its key. A second table may be joined by its key, or small
 * temporary tables by CROSS JOIN (unroll.h), which have conditions of their own. The WHERE
 * clause must consist of expressions that the program computes, and the file must not change. SQLite runs all other
 * statements, and statements with text parameters in conditions, because SQLite would convert the texts.
 *
 * The query owns its scan. One thread at a time. Functions that return int give 0, or -1 with err, unless the comment
 * says otherwise.
 */
#ifndef MP_EXPR_SCAN_H
#define MP_EXPR_SCAN_H

#include "expr/select.h"

struct mp_expr_scan;

/* Open the tables, and add the conditions to the nodes of q. *scan is NULL when a scan cannot serve the statement. */
int mp_expr_scan_open(struct mp_expr_scan **scan, struct mp_expr_query *q, const struct mp_select *s,
    const struct mp_expr_source *source, struct mp_error *err);

/*
 * Find the columns of q in the tables, once the statement is prepared. Returns false when a scan cannot serve the
 * statement. The columns of q must not change afterwards.
 */
bool mp_expr_scan_settle(struct mp_expr_scan *scan, struct mp_expr_query *q);

/* Returns the row source that the scan reads, or NULL. */
const struct mp_source *mp_expr_scan_source(const struct mp_expr_scan *scan);

/* Store the nodes of the conditions, the order and the join in *nodes. Returns their count. */
int mp_expr_scan_nodes(const struct mp_expr_scan *scan, const int **nodes);

/* Prepare a run, before the first row. Returns false when a condition has a text parameter: SQLite must run then. */
bool mp_expr_scan_begin(struct mp_expr_scan *scan, const struct mp_expr_query *q);

/* Load the columns of the next row, without testing the conditions. Returns 1 for a row, 0 at the end, -1 on error. */
int mp_expr_scan_next(struct mp_expr_scan *scan, struct mp_error *err);

/* Go back to before the first row. */
void mp_expr_scan_again(struct mp_expr_scan *scan);

/* Returns whether the current row meets the conditions. */
bool mp_expr_scan_passes(const struct mp_expr_scan *scan, struct mp_expr_query *q);

/* Free a scan. NULL is allowed. */
void mp_expr_scan_close(struct mp_expr_scan *scan);

#endif

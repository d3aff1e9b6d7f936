/*
 * expr_scan.h: the rows of a statement read from its tables' b-trees (btree.h), where its conditions are expressions,
 * too. Used by expr_query.c and expr_row.c.
 *
 * For a SELECT from one table, or from one and for each of its rows that row of another whose key it has, in the order
 * of the first one's key, in a file that does not change. What is no such statement stays SQLite's, as does one whose
 * parameters are texts: SQLite would convert them.
 */
#ifndef MP_FAST_CELL_SCAN_H
#define MP_FAST_CELL_SCAN_H

#include "fast/expr_select.h"

struct mp_expr_scan;

/*
 * Begin: tables are there, conditions are nodes of c; *scan is NULL where this is no statement for it. Then, with
 * the statement prepared: whether it is one after all. Its columns must stay as they are from then on.
 */
int mp_expr_scan_open(struct mp_expr_scan **scan, struct mp_expr_query *c, const struct mp_select *s,
    const struct mp_expr_source *source, struct mp_error *err);
bool mp_expr_scan_settle(struct mp_expr_scan *scan, struct mp_expr_query *c);

/* The row source that the scan reads, or NULL. */
const struct mp_row_source *mp_expr_scan_source(const struct mp_expr_scan *scan);

/* The nodes that it needs. */
int mp_expr_scan_nodes(const struct mp_expr_scan *scan, const int **nodes);

/* Before the first row: whether the parameters allow it. */
bool mp_expr_scan_begin(struct mp_expr_scan *scan, const struct mp_expr_query *c);

/* Set the columns to the next row, whatever the conditions say of it: 1; 0: no more; -1: error. */
int mp_expr_scan_next(struct mp_expr_scan *scan, struct mp_error *err);

/* Whether the row meets the conditions. */
bool mp_expr_scan_passes(const struct mp_expr_scan *scan, struct mp_expr_query *c);

void mp_expr_scan_close(struct mp_expr_scan *scan);

#endif

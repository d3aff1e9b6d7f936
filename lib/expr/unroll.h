/*
 * unroll.h: small temporary tables that a statement joins with CROSS JOIN to the table that it scans. For the
 * files of lib/expr only.
 *
 * The rows of these tables are read before the first row of the scan. Each combination of them becomes a row of nodes:
 * the terms and conditions of the statement with constants in place of the columns of these tables. So much of a term
 * is computed once (CASE, pick), and the rest is shared between the rows of nodes. Tables before the scanned one in
 * FROM make passes: the scan begins anew for each combination of their rows. SQLite gives the same rows in the same
 * order.
 *
 * The query owns its unroll. One thread at a time. Functions that return int give 0, or -1 with err, unless the comment
 * says otherwise.
 */
#ifndef MP_EXPR_UNROLL_H
#define MP_EXPR_UNROLL_H

#include "expr/expr.h"

struct mp_expr_unroll;

/* Begin with no tables. Returns NULL when memory is short. */
struct mp_expr_unroll *mp_expr_unroll_create(void);

/*
 * Add the next table of FROM. `outer`: it is named before the scanned table. Returns 1, 0 when the table cannot be
 * used, -1 on error.
 */
int mp_expr_unroll_add(struct mp_expr_unroll *u, struct mp_db *db, const struct mp_token *name,
    const struct mp_token *alias, bool outer, struct mp_error *err);

/* Find a column by its name, and the name of its table or NULL. Returns how many columns fit; *table and *number are
 * one. */
int mp_expr_unroll_find(const struct mp_expr_unroll *u, const struct mp_token *table_name, const struct mp_token *name,
    int *table, int *number);

/* Returns whether a table makes passes. */
bool mp_expr_unroll_is_outer(const struct mp_expr_unroll *u);

/* Let a node, a column, take the values of a column of a table. */
void mp_expr_unroll_want(struct mp_expr_unroll *u, int table, int number, int node);

/* Returns whether a node depends on a column of the tables. */
bool mp_expr_unroll_has(const struct mp_expr_unroll *u, const struct mp_expr_query *q, int node);

/*
 * Read the tables, and make the nodes. `conditions` are those of the statement. Returns 1, 0 when there are too many
 * rows or nodes, -1 on error.
 */
int mp_expr_unroll_begin(
    struct mp_expr_unroll *u, struct mp_expr_query *q, const int *conditions, int count, struct mp_error *err);

/* Count the uses of the nodes made. */
void mp_expr_unroll_count(const struct mp_expr_unroll *u, const struct mp_expr_query *q, int *uses);

/* Begin the first or the next pass. Returns false after the last. */
bool mp_expr_unroll_pass(struct mp_expr_unroll *u);

/* Begin a row of the scan. */
void mp_expr_unroll_row(struct mp_expr_unroll *u);

/* Compute the next row of nodes for the row of the scan into q->results. Returns false after the last. */
bool mp_expr_unroll_next(struct mp_expr_unroll *u, struct mp_expr_query *q);

/* Free an unroll. NULL is allowed. */
void mp_expr_unroll_close(struct mp_expr_unroll *u);

#endif

/*
 * clone.h: makes nodes in which columns are replaced by constants, and computes what is constant then. For the
 * files of lib/expr only. No state; one thread at a time.
 */
#ifndef MP_EXPR_CLONE_H
#define MP_EXPR_CLONE_H

#include "expr/expr.h"

/*
 * `copies` has for each node its copy, or MP_CLONE_UNKNOWN: the caller fills in the copies of columns. Returns the copy
 * of a node, which is the node itself where nothing changes, or -1 when there is no room.
 */
enum { MP_CLONE_UNKNOWN = -2 };
int mp_expr_clone(struct mp_expr_query *q, int *copies, int node);

/* Returns whether a constant counts as true. Texts do not: SQLite would convert them. */
bool mp_expr_constant_true(const struct mp_expr *expr);

#endif

/*
 * select.h: finds the parts of a SELECT statement, as ranges of its text. For the files of lib/expr only. No
 * allocation, no state; any thread.
 */
#ifndef MP_EXPR_SELECT_H
#define MP_EXPR_SELECT_H

#include "expr/expr.h"

struct mp_select {
	struct mp_range list, from;
	struct mp_range where, order; /* the text after WHERE, after ORDER; `at` is NULL without the clause */
	/* The SELECT list of the query in FROM; `at` is NULL when the terms of that query cannot be used. */
	struct mp_range source;
	struct mp_range source_from, source_where;
	bool limited;          /* the statement has LIMIT, or the query in FROM has LIMIT or ORDER BY */
	int commons;           /* the number of common table expressions */
	struct mp_token alias; /* the name of the query in FROM; len 0: no name */
};

/* Find the parts of a statement. Returns false when the statement is not a plain SELECT. */
bool mp_select_find(struct mp_range text, struct mp_select *s);

/* Take the next term, with its alias, from a list. Returns false at the end. */
bool mp_select_term(struct mp_range *list, struct mp_range *term);

/* Returns whether ORDER BY may refer to the term with this title, by the title or by a number. */
bool mp_select_orders_by(const struct mp_select *s, const char *title);

#endif

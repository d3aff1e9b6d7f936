/* expr_select.h: the parts of a SELECT statement, as pieces of its text. Used by expr_query.c. */
#ifndef MP_FAST_CELL_SELECT_H
#define MP_FAST_CELL_SELECT_H

#include "fast/expr.h"

struct mp_select {
	struct mp_range list, from;
	struct mp_range where, order; /* what follows WHERE, ORDER; at NULL: nothing */
	struct mp_range
	    source; /* the SELECT list of the query in FROM; at NULL: there is none whose terms may be used */
	struct mp_range source_from, source_where;
	bool limited;          /* it, or the query in FROM, has LIMIT; that one, or ORDER */
	int commons;           /* common tables */
	struct mp_token alias; /* how that is called; len 0: by no name */
};

/* False: no plain SELECT, all of it stays SQLite's. */
bool mp_select_find(struct mp_range text, struct mp_select *s);

/* Take the next term off a list, its alias with it; false at the end. */
bool mp_select_term(struct mp_range *list, struct mp_range *term);

/* Whether ORDER BY may mean the term of that title: it has that name, or numbers of terms. */
bool mp_select_orders_by(const struct mp_select *s, const char *title);

#endif

/*
 * expr.h: computes the SELECT list of a query outside SQLite's interpreter. For the files of lib/expr only.
 *
 * A statement is split into parts (select.c). The program computes (eval.c, functions.c) the terms that it fully
 * understands (parse.c) from the columns that they need. SQLite gets a statement of these columns and the
 * remaining terms, with the same FROM, WHERE and ORDER BY (query.c), or the rows come from the b-trees of the tables or
 * from a row source (scan.c, row.c). Each result has the type and the value that SQLite would compute: nodes.c refuses
 * comparisons whose conversions differ. No column of schema/sql has a collation. A statement that is not a plain SELECT
 * stays SQLite's.
 *
 * A query owns its nodes, statement, scan and texts. One thread at a time. Functions that return int give 0, or -1 with
 * err, unless the comment says otherwise. An error while a row is computed sets rows.failed and `error`, and
 * mp_expr_next reports the error.
 */
#ifndef MP_EXPR_EXPR_H
#define MP_EXPR_EXPR_H

#include "base/index.h"
#include "base/map.h"
#include "leaf/btree.h"
#include "row/columns.h"
#include "store/connection.h"
#include "store/sql_token.h"
#include "store/words.h"

enum {
	MP_EXPR_MAX = 8192,       /* nodes of all terms of a statement */
	MP_EXPR_TERM_MAX = 160,   /* terms of a SELECT list */
	MP_EXPR_COLUMN_MAX = 256, /* columns that SQLite gives */
	MP_EXPR_PARAMETER_MAX = 32,
	MP_EXPR_TABLES_MAX = 5,
	MP_EXPR_CONDITIONS_MAX = 24
};

enum mp_expr_op {
	MP_EXPR_COLUMN,
	MP_EXPR_CONSTANT,
	MP_EXPR_PARAMETER,
	MP_EXPR_ROW_NUMBER, /* the number of the row that the query gives, from 1 */
	MP_EXPR_ADD,
	MP_EXPR_SUBTRACT,
	MP_EXPR_MULTIPLY,
	MP_EXPR_DIVIDE,
	MP_EXPR_BIT_AND,
	MP_EXPR_BIT_OR,
	MP_EXPR_SHIFT_LEFT,
	MP_EXPR_SHIFT_RIGHT,
	MP_EXPR_CONCAT,
	MP_EXPR_LESS,
	MP_EXPR_AT_MOST,
	MP_EXPR_MORE,
	MP_EXPR_AT_LEAST,
	MP_EXPR_EQUAL,
	MP_EXPR_UNEQUAL,
	MP_EXPR_IS,
	MP_EXPR_IS_NOT,
	MP_EXPR_IS_NULL,
	MP_EXPR_NOT_NULL,
	MP_EXPR_CAST_INT,
	MP_EXPR_CAST_REAL,
	MP_EXPR_CAST_TEXT, /* the operators above have one or two children and always compute them */
	MP_EXPR_AND,
	MP_EXPR_OR,
	MP_EXPR_NOT,
	MP_EXPR_CASE, /* [base,] WHEN, THEN, ... [ELSE]; `flag`: the first child is the base */
	MP_EXPR_COALESCE,
	MP_EXPR_NULLIF,
	MP_EXPR_MIN,
	MP_EXPR_MAX_OF,
	MP_EXPR_ROUND,
	MP_EXPR_CHAR,
	MP_EXPR_UNSIGNED, /* the 64 bits of x as an unsigned number, as text */
	MP_EXPR_DECIMAL,  /* `number`: places */
	MP_EXPR_HALF_UP,  /* `number`: places */
	MP_EXPR_TRIMMED,
	MP_EXPR_US,
	MP_EXPR_REPR,
	MP_EXPR_WORD,
	MP_EXPR_CORE_US,
	MP_EXPR_PEEK,
	MP_EXPR_PICK
};

struct mp_expr_query;
struct mp_expr;

/* Computes the value of a node. Returns its place in the current row: the node's own value, or a value of a child. */
typedef const struct mp_value *mp_expr_handler(struct mp_expr_query *q, struct mp_expr *expr);

/* A node of an expression. */
struct mp_expr {
	mp_expr_handler *compute;  /* `handler`, or what calls it */
	mp_expr_handler *handler;  /* of the operator; NULL: a column, constant or parameter */
	const struct mp_value *at; /* the place of the value in the current row; NULL: call `compute` */
	struct mp_value value;     /* the node's own value */
	struct mp_expr *a, *b;     /* the first two children, or NULL */
	bool numbered;             /* depends on the number of the row */
	bool shared;               /* several nodes or terms need the value: computed once a row */
	bool small;                /* a column of a small table */
	bool flag;
	uint8_t op;       /* enum mp_expr_op */
	int first, count; /* the children, in mp_expr_query.children */
	int number;       /* of the column, the parameter or the dictionary's column; places of HALF_UP and DECIMAL */
	union {
		struct mp_words *words; /* of WORD */
		struct mp_map *map;     /* of PEEK */
	};
};

/* A column of the statement that SQLite gets: a bare column, or a whole term that SQLite computes. */
struct mp_expr_column {
	struct mp_range text;
	bool inner; /* a column of the query in FROM */
	bool whole; /* a term that SQLite computes */
	int node;
};

/* Memory for texts of a row. */
struct mp_scratch_part {
	struct mp_scratch_part *next; /* an earlier part, which is full; or NULL */
	size_t room;
	char bytes[];
};

struct mp_scratch {
	struct mp_scratch_part *part;
	size_t used; /* bytes of the first part */
};

/* Rare conversions, for which the program asks SQLite. */
enum mp_expr_conversion { MP_EXPR_TO_NUMBER, MP_EXPR_TO_INT, MP_EXPR_TO_REAL, MP_EXPR_TO_TEXT, MP_EXPR_CONVERSIONS };

/* A table of FROM. */
struct mp_expr_table {
	struct mp_token name, alias;
	bool is_temporary;
	struct mp_row_columns columns;
	int key;                                     /* the column that is the rowid; -1: no column is */
	struct mp_source *source;                    /* gives the rows of a temporary table, or NULL */
	struct mp_btree *tree;                       /* of a table of the file, else NULL */
	struct mp_wanted wanted[MP_EXPR_COLUMN_MAX]; /* in the order of the table */
	int nodes[MP_EXPR_COLUMN_MAX];               /* of the wanted columns */
	int wanted_count;
	struct mp_value *values; /* of a small table: all its rows */
	int row_count, row;      /* row: of the current combination (unroll.c) */
};

/*
 * The tables of a statement, which are read without SQLite: one in the order of its key, perhaps with small temporary
 * tables, joined by CROSS JOIN. The file must not change. SQLite runs all other statements, and those with text
 * parameters in conditions, because it would convert the texts.
 */
struct mp_expr_scan {
	struct mp_expr_table tables[MP_EXPR_TABLES_MAX]; /* in the order of FROM */
	int table_count;
	int scanned;    /* the table that is no small one */
	bool by_source; /* the tables belong to the query in FROM */
	int condition_count;
	int nodes[MP_EXPR_CONDITIONS_MAX + 1], node_count; /* the conditions, then the column of ORDER BY */
	/* The state of a run: */
	int64_t first, last; /* the range of rowids to read */
	bool begun;
	int active[MP_EXPR_CONDITIONS_MAX], active_count; /* the conditions to test in each row */
};

struct mp_expr_query {
	struct mp_engine_rows rows; /* the part that the store sees */
	struct mp_db *db;
	sqlite3_stmt *whole;           /* the statement in whose place the rows are computed; the caller's */
	sqlite3_stmt *statement;       /* gives the columns */
	struct mp_expr_scan *scan;     /* gives the columns without the statement; or NULL */
	struct mp_expr_unroll *unroll; /* what the small tables of `scan` make, or NULL */
	int node_count, child_count;
	struct mp_index index; /* of nodes: equal expressions are one node */
	struct mp_expr_column columns[MP_EXPR_COLUMN_MAX];
	int column_count;
	struct mp_value parameters[MP_EXPR_PARAMETER_MAX + 1]; /* by their numbers in the statement, from 1 */
	char *texts[MP_EXPR_PARAMETER_MAX + 1];                /* of these values, owned, or NULL */
	int terms[MP_EXPR_TERM_MAX], term_count;               /* the nodes of the SELECT list */
	char *literals;                                        /* texts of constants */
	size_t literals_used;
	struct mp_query *conversions[MP_EXPR_CONVERSIONS]; /* opened on demand, or NULL */

	/* The state of a run: */
	bool begun;               /* mp_expr_next was called */
	bool scans;               /* the rows come from `scan` */
	bool folded;              /* nodes with the same value in all rows are computed */
	bool unrolled;            /* rows of small tables make the rows */
	struct mp_expr *numbered; /* the node of the row number, or NULL */
	struct mp_error error;
	struct mp_scratch scratch, kept; /* texts of the current row; texts of all rows */
	int shared_count;
	int live[MP_EXPR_TERM_MAX], live_count;           /* terms that get a value for each row */
	const struct mp_value *results[MP_EXPR_TERM_MAX]; /* the values of the terms in the current row */

	/* Large, and therefore not cleared: there are as many items as are counted above. */
	struct mp_expr nodes[MP_EXPR_MAX];
	int children[2 * MP_EXPR_MAX];
	int shared[MP_EXPR_MAX]; /* shared nodes that change with the row */
};

/* The terms of the query in FROM, which replace the columns that name them. */
struct mp_expr_source {
	const char *name; /* the alias of the query in FROM; len 0: no alias */
	size_t len;
	struct mp_token titles[MP_EXPR_TERM_MAX];
	int nodes[MP_EXPR_TERM_MAX]; /* -1: not understood */
	int count;
};

/* The parts of a SELECT statement, as ranges of its text. */
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

/*
 * Parse an expression. Returns the root node, or -1 when the expression is not understood. A column that `source` has
 * becomes the node of that term. Other columns become bare columns, marked `inner` or not. `source` may be NULL.
 */
int mp_expr_parse(struct mp_expr_query *q, struct mp_range text, const struct mp_expr_source *source, bool inner);

/* Returns the operator of a function with so many arguments, or -1 when the function is not found. */
int mp_expr_function(const struct mp_token *name, int count);

/*
 * Add a node like *what with these children. Returns the new node, an equal node added before, or -1 when a child is -1
 * or there is no room.
 */
int mp_expr_add(struct mp_expr_query *q, const struct mp_expr *what, const int *children, int count);

/* Keep only the first nodes and children, which must not have children among the others. */
void mp_expr_forget(struct mp_expr_query *q, int node_count, int child_count);

/* Add a constant. Returns as mp_expr_add. */
int mp_expr_constant(struct mp_expr_query *q, struct mp_value v);

/* Returns whether `test` holds for a node or for one below it. */
typedef bool mp_expr_test(const struct mp_expr_query *q, const struct mp_expr *expr, void *user);
bool mp_expr_any(const struct mp_expr_query *q, int node, mp_expr_test *test, void *user);

/*
 * Returns whether all comparisons of a node give SQLite's results in all rows. The statement must be prepared.
 * `no_texts`: the parameters have no texts.
 */
bool mp_expr_check(const struct mp_expr_query *q, int node, bool no_texts);

/* Find the parts of a statement. Returns false when the statement is not a plain SELECT. */
bool mp_select_find(struct mp_range text, struct mp_select *s);

/* Take [AS] alias after a table. *t is the token after the table, and receives the next one. len 0: no alias. */
struct mp_token mp_select_alias(struct mp_range *text, struct mp_token *t);

/* Take the next term, with its alias, from a list. Returns false at the end. */
bool mp_select_term(struct mp_range *list, struct mp_range *term);

/* Returns whether ORDER BY may refer to the term with this title, by the title or by a number. */
bool mp_select_orders_by(const struct mp_select *s, const char *title);

/* For mp_expr_room only: add a part to the scratch memory. */
char *mp_expr_more_room(struct mp_expr_query *q, size_t size);

/* Returns room for a text of the current row, or NULL with rows.failed when memory is short. */
static inline char *mp_expr_room(struct mp_expr_query *q, size_t size)
{
	struct mp_scratch *s = &q->scratch;

	if (!s->part || size > s->part->room - s->used)
		return mp_expr_more_room(q, size);
	s->used += size;
	return s->part->bytes + s->used - size;
}

/* Convert a value to an integer or a real as SQLite's functions and operators do. NULL becomes 0. */
int64_t mp_expr_to_int(struct mp_expr_query *q, struct mp_value v);
double mp_expr_to_real(struct mp_expr_query *q, struct mp_value v);

/* The same, faster for a value that needs no conversion. */
static inline int64_t mp_expr_int(struct mp_expr_query *q, struct mp_value v)
{
	return v.type == MP_INT ? v.i : mp_expr_to_int(q, v);
}

static inline double mp_expr_real(struct mp_expr_query *q, struct mp_value v)
{
	return v.type == MP_REAL ? v.d : mp_expr_to_real(q, v);
}

/* Convert any value but NULL to a text. */
struct mp_value mp_expr_text(struct mp_expr_query *q, struct mp_value v);

/* Compare two values: NULL, numbers, texts, blobs ascend in this order. Returns less than 0, 0, or more than 0. */
int mp_expr_compare(const struct mp_value *a, const struct mp_value *b);

/* Returns the handler of a function; and of any node: NULL for a column, constant or parameter. */
mp_expr_handler *mp_expr_call(unsigned op);
mp_expr_handler *mp_expr_handler_of(unsigned op);

/* Returns the place of a node's value in the current row, valid until the next row. */
static inline const struct mp_value *mp_expr_get(struct mp_expr_query *q, struct mp_expr *expr)
{
	return expr->at ? expr->at : expr->compute(q, expr);
}

/* The same by the number of the node. */
static inline const struct mp_value *mp_expr_at(struct mp_expr_query *q, int node)
{
	return mp_expr_get(q, &q->nodes[node]);
}

/* Returns whether the condition is true in the current row. */
bool mp_expr_holds(struct mp_expr_query *q, int node);

/*
 * Set the own value of a node and return its place, for `return` in a handler.
 */
static inline const struct mp_value *mp_expr_give(struct mp_expr *expr, struct mp_value v)
{
	expr->value = v;
	return &expr->value;
}

static inline const struct mp_value *mp_expr_give_real(struct mp_expr *expr, double d)
{
	mp_set_real(&expr->value, d);
	return &expr->value;
}

static inline const struct mp_value *mp_expr_give_thousandths(struct mp_expr *expr, uint32_t n)
{
	return mp_expr_give(
	    expr, (struct mp_value){.d = n / 1000.0, .type = MP_REAL, .marks = MP_MARK_THOUSANDTHS, .len = n});
}

/* Empty a scratch memory but keep one part for the next row. */
void mp_expr_reuse(struct mp_scratch *s);
/* Free a scratch memory. */
void mp_expr_clear(struct mp_scratch *s);

/* scan.c: */

/* Open the tables, and add the conditions to the nodes of q. q->scan is NULL when a scan cannot serve the statement. */
int mp_expr_scan_open(
    struct mp_expr_query *q, const struct mp_select *s, const struct mp_expr_source *source, struct mp_error *err);

/*
 * Find the columns of q in the tables, once the statement is prepared. Returns false when a scan cannot serve the
 * statement. The columns of q must not change afterwards.
 */
bool mp_expr_scan_settle(struct mp_expr_query *q);

/* Close the scan of q, if there is one. */
void mp_expr_scan_close(struct mp_expr_query *q);

/*
 * unroll.c: the rows of small tables are read before the first row of the scan. Each combination of them becomes a row
 * of nodes: the terms and conditions of the statement with constants in place of the columns of these tables. So much
 * of a term is computed once (CASE, pick), and the rest is shared between the rows of nodes. Tables before the scanned
 * one in FROM make passes: the scan begins anew for each combination of their rows. SQLite gives the same rows in the
 * same order.
 */

/* Read the small tables of the scan, and make the nodes. Returns 1, 0 when there are too many rows or nodes, or -1. */
int mp_expr_unroll_begin(struct mp_expr_query *q, struct mp_error *err);

/* Count the uses of the nodes made. */
void mp_expr_unroll_count(const struct mp_expr_query *q, int *uses);

/* Returns whether a node is a column of a small table; for mp_expr_any. */
bool mp_expr_is_small(const struct mp_expr_query *q, const struct mp_expr *expr, void *user);

/* Compute the next row that the small tables make of those of the scan into q->results, in all passes. Returns as
 * mp_expr_next. */
int mp_expr_unroll_next(struct mp_expr_query *q, struct mp_error *err);

void mp_expr_unroll_free(struct mp_expr_unroll *u);

/* row.c: the functions of the rows that an engine makes (store/connection.h). */
int mp_expr_scan_next(struct mp_expr_query *q, struct mp_error *err); /* the next row that meets the conditions */
int mp_expr_next(struct mp_rows *rows, struct mp_error *err);
int mp_expr_rewind(struct mp_engine_rows *rows);
int mp_expr_bind(struct mp_engine_rows *rows, int number, const struct mp_value *v, struct mp_error *err);

#endif

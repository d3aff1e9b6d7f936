/*
 * expr.h: computes the SELECT list of a query outside SQLite's interpreter. For the files of lib/expr only.
 *
 * A statement is split into parts (select.c). The program computes (eval.c) the terms that it fully
 * understands (parse.c) from the columns that they need. SQLite gets a statement of these columns and the
 * remaining terms, with the same FROM, WHERE and ORDER BY. Each result has the type and the value that SQLite would
 * compute: check.c refuses comparisons whose conversions differ. No column of schema/sql has a collation. A
 * statement that is not a plain SELECT stays SQLite's.
 *
 * A query owns its nodes, statement and texts. One thread at a time. Functions that
 * return int give 0, or -1 with err, unless the comment says otherwise. An error while a row is computed sets
 * rows.failed and `error`, and mp_expr_next reports the error.
 */
#ifndef MP_EXPR_EXPR_H
#define MP_EXPR_EXPR_H

#include "base/map.h"
#include "store/connection.h"
#include "store/sql_token.h"
#include "store/words.h"

enum {
	MP_EXPR_MAX = 8192,       /* nodes of all terms of a statement */
	MP_EXPR_TERM_MAX = 160,   /* terms of a SELECT list */
	MP_EXPR_COLUMN_MAX = 256, /* columns that SQLite gives */
	MP_EXPR_PARAMETER_MAX = 32
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

enum mp_affinity { MP_AFFINITY_NONE, MP_AFFINITY_BLOB, MP_AFFINITY_TEXT, MP_AFFINITY_NUMERIC, MP_AFFINITY_UNKNOWN };

/* A node of an expression. */
struct mp_expr {
	/* Returns the place of the node's value in the current row: `value`, or a value of a child. */
	const struct mp_value *(*compute)(struct mp_expr_query *q, struct mp_expr *expr);
	const struct mp_value *at; /* the place of the value in the current row; NULL: call `compute` */
	struct mp_value value;     /* the node's own value */
	struct mp_expr *a, *b;     /* the first two children, or NULL */
	bool numbered;             /* depends on the number of the row */
	bool shared;               /* several nodes or terms need the value: computed once a row */
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
	const char *text;
	size_t len;
	bool inner; /* a column of the query in FROM */
	int node;   /* -1: a term that SQLite computes */
};

struct mp_expr_parameter {
	char name[64];
	struct mp_value value;
	char *text; /* the text of the value, owned, or NULL */
};

struct mp_expr_term {
	int node;              /* -1: SQLite computes the term */
	int column;            /* of the statement, when SQLite computes the term */
	struct mp_value value; /* the value of that column */
	char *title;
};

/* A term that gets a value for each row. */
struct mp_expr_live {
	struct mp_expr *expr; /* NULL: SQLite computes the term */
	int term;
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

struct mp_expr_query {
	struct mp_engine_rows rows; /* the part that the store sees */
	struct mp_db *db;
	char *text;                    /* the whole query */
	sqlite3_stmt *statement;       /* gives the columns */
	struct mp_expr_scan *scan;     /* gives the columns without the statement; or NULL */
	struct mp_expr_unroll *unroll; /* the small tables that `scan` joins, or NULL */
	struct mp_expr nodes[MP_EXPR_MAX];
	int children[2 * MP_EXPR_MAX];
	int node_count, child_count;
	uint32_t slots[2 * MP_EXPR_MAX]; /* a hash index of nodes: equal expressions are one node */
	struct mp_expr_column columns[MP_EXPR_COLUMN_MAX];
	int column_count;
	struct mp_expr_parameter parameters[MP_EXPR_PARAMETER_MAX];
	int parameter_count;
	struct mp_expr_term terms[MP_EXPR_TERM_MAX];
	int term_count;
	char *literals; /* texts of constants */
	size_t literals_used;
	struct mp_query *conversions[MP_EXPR_CONVERSIONS]; /* opened on demand, or NULL */

	/* The state of a run: */
	bool begun;               /* mp_expr_next was called */
	bool scans;               /* the rows come from `scan` */
	bool folded;              /* nodes with the same value in all rows are computed */
	bool unrolled;            /* rows of small tables make the rows */
	struct mp_expr *numbered; /* the node of the row number, or NULL */
	struct mp_error error;
	struct mp_scratch scratch, kept;       /* texts of the current row; texts of all rows */
	int shared[MP_EXPR_MAX], shared_count; /* shared nodes that change with the row */
	struct mp_expr_live live[MP_EXPR_TERM_MAX];
	int live_count;
	const struct mp_value *results[MP_EXPR_TERM_MAX]; /* the values of the terms in the current row */
};

/* The terms of the query in FROM, which replace the columns that name them. */
struct mp_expr_source {
	const char *name; /* the alias of the query in FROM; len 0: no alias */
	size_t len;
	struct mp_range list; /* the SELECT list of the query in FROM */
	struct mp_token titles[MP_EXPR_TERM_MAX];
	int nodes[MP_EXPR_TERM_MAX]; /* -1: not understood */
	int count;
};

/*
 * Parse the expression at the beginning of *range and leave the rest (an alias) in *range. Returns the root node, or -1
 * when the expression is not understood. A column that `source` has becomes the node of that term. Other columns become
 * bare columns, marked `inner` or not. `source` may be NULL.
 */
int mp_expr_parse(struct mp_expr_query *q, struct mp_range *range, const struct mp_expr_source *source, bool inner);

/* Returns a node that calls a function, or -1 when the function is unknown. */
int mp_expr_function(struct mp_expr_query *q, const struct mp_token *name, const int *children, int count);

/*
 * Add a node like *what with these children. Returns the new node, an equal node added before, or -1 when a child is -1
 * or there is no room.
 */
int mp_expr_add(struct mp_expr_query *q, const struct mp_expr *what, const int *children, int count);

/* Keep only the first nodes and children, which must not have children among the others. */
void mp_expr_forget(struct mp_expr_query *q, int node_count, int child_count);

/* Add a constant. Returns as mp_expr_add. */
int mp_expr_constant(struct mp_expr_query *q, struct mp_value v);

/*
 * Returns whether all comparisons of a node give SQLite's results in all rows. The statement must be prepared.
 * `no_texts`: the parameters have no texts.
 */
bool mp_expr_check(const struct mp_expr_query *q, int node, bool no_texts);

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

/* Convert a text or blob to the number that an operator uses. */
struct mp_value mp_expr_number(struct mp_expr_query *q, struct mp_value v);

/* Convert any value but NULL to a text. */
struct mp_value mp_expr_text(struct mp_expr_query *q, struct mp_value v);

/* Compare two values: NULL, numbers, texts, blobs ascend in this order. Returns less than 0, 0, or more than 0. */
int mp_expr_compare(const struct mp_value *a, const struct mp_value *b);

/* Computes the value of a node and returns the place of the value. */
typedef const struct mp_value *mp_expr_handler(struct mp_expr_query *q, struct mp_expr *expr);

/* Returns the handler of a function; NULL when not found. */
mp_expr_handler *mp_expr_call(enum mp_expr_op op);

/* Returns the handler of a node; a column, constant or parameter has none (NULL). */
mp_expr_handler *mp_expr_handler_of(const struct mp_expr *expr);

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

static inline const struct mp_value *mp_expr_give_thousandths(struct mp_expr *expr, uint32_t n)
{
	return mp_expr_give(
	    expr, (struct mp_value){.d = n / 1000.0, .type = MP_REAL, .marks = MP_MARK_THOUSANDTHS, .len = n});
}

/* Empty a scratch memory but keep one part for the next row. */
void mp_expr_reuse(struct mp_scratch *s);
/* Free a scratch memory. */
void mp_expr_clear(struct mp_scratch *s);

/* The functions of the engine on the rows of a query (store/connection.h). */
int mp_expr_next(struct mp_rows *rows, struct mp_error *err);
int mp_expr_rewind(struct mp_engine_rows *rows);
int mp_expr_bind(struct mp_engine_rows *rows, const char *name, const struct mp_value *v, struct mp_error *err);
void mp_expr_unbind(struct mp_engine_rows *rows);

#endif

/*
 * expr.h: the SELECT list of a query, computed here and not by SQLite's interpreter. Used by db.c alone.
 *
 * A statement is taken to pieces (expr_select.c): terms that are fully understood (expr_parse.c) are computed from
 * the bare columns they need (expr_eval.c); SQLite gets these columns and the terms that stay, with the same FROM,
 * WHERE and so on. What is computed is exactly what SQLite would have computed, type and value (expr_check.c
 * refuses comparisons whose affinity is not replayed; no column of schema/sql has a collation). A statement that is no
 * plain SELECT stays whole.
 */
#ifndef MP_FAST_EXPR_H
#define MP_FAST_EXPR_H

#include "base/map.h"
#include "store/row_engine.h"
#include "store/sql_token.h"
#include "store/words.h"

enum {
	MP_EXPR_MAX = 2048,       /* nodes of all terms of a statement */
	MP_EXPR_TERM_MAX = 160,   /* of a SELECT list */
	MP_EXPR_COLUMN_MAX = 256, /* that SQLite gives */
	MP_EXPR_PARAMETER_MAX = 32
};

enum mp_expr_op {
	MP_EXPR_COLUMN,
	MP_EXPR_CONSTANT,
	MP_EXPR_PARAMETER,
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
	MP_EXPR_CAST_TEXT, /* up to here: one or two children, all of which are computed */
	MP_EXPR_AND,
	MP_EXPR_OR,
	MP_EXPR_NOT,
	MP_EXPR_CASE, /* WHEN, THEN, ... [ELSE]; `flag`: the first child is what is compared */
	MP_EXPR_COALESCE,
	MP_EXPR_NULLIF,
	MP_EXPR_MIN,
	MP_EXPR_MAX_OF,
	MP_EXPR_ROUND,
	MP_EXPR_CHAR,
	MP_EXPR_UNSIGNED, /* x as text, its 64 bits unsigned */
	MP_EXPR_DECIMAL,
	MP_EXPR_HALF_UP, /* to `number` places, as DECIMAL */
	MP_EXPR_TRIMMED,
	MP_EXPR_US,
	MP_EXPR_REPR,
	MP_EXPR_WORD,
	MP_EXPR_CORE_US,
	MP_EXPR_PEEK
};

struct mp_expr_query;

enum mp_affinity { MP_AFFINITY_NONE, MP_AFFINITY_BLOB, MP_AFFINITY_TEXT, MP_AFFINITY_NUMERIC, MP_AFFINITY_UNKNOWN };

struct mp_expr {
	const struct mp_scalar *(*compute)(
	    struct mp_expr_query *c, struct mp_expr *expr); /* its value in this row: its own, or that of a child */
	const struct mp_scalar *at; /* its value in this row; NULL: it was not computed, or is needed once */
	struct mp_scalar value;     /* its own */
	struct mp_expr *a, *b;      /* its first two children; or NULL */
	bool shared;                /* it is needed several times: its value is kept for the row */
	bool flag;
	uint8_t op;       /* enum mp_expr_op */
	int first, count; /* of its children, in mp_expr_query.children */
	int number;       /* of the column, parameter or column of a dictionary; places of HALF_UP and DECIMAL */
	union {
		struct mp_words *words; /* of WORD */
		struct mp_map *map;     /* of PEEK */
	};
};

/* A bare column that SQLite gives; `inner`: of the query in FROM. Also a whole term that stays. */
struct mp_expr_column {
	const char *text;
	size_t len;
	bool inner;
	int node; /* -1: a term that stays */
};

struct mp_expr_parameter {
	char name[64];
	struct mp_scalar value;
	char *text; /* of the value */
};

struct mp_expr_term {
	int node; /* -1: the column `column` is the term */
	int column;
	struct mp_scalar value; /* of that column */
	char *title;
};

/* A term that is computed for each row; `expr` is NULL where SQLite gives it. */
struct mp_expr_live {
	struct mp_expr *expr;
	int term;
};

/* Texts of a row. */
struct mp_scratch_part {
	struct mp_scratch_part *next; /* an earlier one, which was too small; or NULL */
	size_t room;
	char bytes[];
};

struct mp_scratch {
	struct mp_scratch_part *part;
	size_t used; /* of it */
};

/* Conversions that are SQLite's own business. */
enum mp_expr_conversion { MP_EXPR_TO_NUMBER, MP_EXPR_TO_INT, MP_EXPR_TO_REAL, MP_EXPR_TO_TEXT, MP_EXPR_CONVERSIONS };

struct mp_expr_query {
	struct mp_engine_rows rows; /* what the store sees */
	struct mp_db *db;
	char *text; /* of the whole query */
	sqlite3_stmt *statement;
	struct mp_expr_scan *scan; /* reads the rows without the statement; NULL: none does */
	struct mp_expr nodes[MP_EXPR_MAX];
	int children[2 * MP_EXPR_MAX];
	int node_count, child_count;
	uint32_t slots[2 * MP_EXPR_MAX]; /* of nodes: the same term is one node */
	struct mp_expr_column columns[MP_EXPR_COLUMN_MAX];
	int column_count;
	struct mp_expr_parameter parameters[MP_EXPR_PARAMETER_MAX];
	int parameter_count;
	struct mp_expr_term terms[MP_EXPR_TERM_MAX];
	int term_count;
	char *literals; /* texts of constants */
	size_t literals_used;
	struct mp_query *conversions[MP_EXPR_CONVERSIONS]; /* opened when they are needed */
	/* of a row */
	bool begun;  /* there was a row, or none at all */
	bool scans;  /* rows come from `scan` */
	bool folded; /* what is the same in all rows is computed */
	struct mp_error error;
	struct mp_scratch scratch, kept; /* of this row, of all rows */
	int shared[MP_EXPR_MAX], shared_count;
	struct mp_expr_live live[MP_EXPR_TERM_MAX]; /* terms whose value is not always at the same place */
	int live_count;
	const struct mp_scalar *results[MP_EXPR_TERM_MAX];
};

/* Columns of the query in FROM that terms may be put in place of. */
struct mp_expr_source {
	const char *name; /* how the outer query calls it; len 0: by no name */
	size_t len;
	struct mp_range list; /* its SELECT list */
	struct mp_token titles[MP_EXPR_TERM_MAX];
	int nodes[MP_EXPR_TERM_MAX]; /* -1: not understood */
	int count;
};

/*
 * A term as nodes: the root, or -1 when it is not understood. What follows the expression (an alias) is left in
 * *range. Columns are those of `source` where it has them (NULL: none has), else bare ones, `inner` or not.
 */
int mp_expr_parse(struct mp_expr_query *c, struct mp_range *range, const struct mp_expr_source *source, bool inner);

/* The function of that name with these children, as a node; -1 where there is none. */
int mp_expr_function(struct mp_expr_query *c, const struct mp_token *name, const int *children, int count);

/* A node like *what with these children; one that is there already if it is the same. -1 where a child is, or no room.
 */
int mp_expr_add(struct mp_expr_query *c, const struct mp_expr *what, const int *children, int count);
int mp_expr_constant(struct mp_expr_query *c, struct mp_scalar v);

/*
 * Whether SQLite compares as this does in all rows: to be asked when the statement is prepared; `no_texts`: if no
 * parameter is a text.
 */
bool mp_expr_check(const struct mp_expr_query *c, int node, bool no_texts);

/* Room for a text of the row; NULL with the row failed. */
char *mp_expr_more_room(struct mp_expr_query *c, size_t size);

static inline char *mp_expr_room(struct mp_expr_query *c, size_t size)
{
	struct mp_scratch *s = &c->scratch;

	if (!s->part || size > s->part->room - s->used)
		return mp_expr_more_room(c, size);
	s->used += size;
	return s->part->bytes + s->used - size;
}

/* Values as SQLite's functions and operators take them. A NULL is 0. */
int64_t mp_expr_to_int(struct mp_expr_query *c, struct mp_scalar v);
double mp_expr_to_real(struct mp_expr_query *c, struct mp_scalar v);

static inline int64_t mp_expr_int(struct mp_expr_query *c, struct mp_scalar v)
{
	return v.type == MP_INT ? v.i : mp_expr_to_int(c, v);
}

static inline double mp_expr_real(struct mp_expr_query *c, struct mp_scalar v)
{
	return v.type == MP_REAL ? v.d : mp_expr_to_real(c, v);
}

/* v, a text or blob, as the number of an operator; any value but NULL as a text. */
struct mp_scalar mp_expr_number(struct mp_expr_query *c, struct mp_scalar v);
struct mp_scalar mp_expr_text(struct mp_expr_query *c, struct mp_scalar v);

/* NULL, numbers, texts, blobs, in this order. */
int mp_expr_compare(const struct mp_scalar *a, const struct mp_scalar *b);

/* What computes nodes of an operator; of a function. */
typedef const struct mp_scalar *mp_expr_handler(struct mp_expr_query *c, struct mp_expr *expr);
mp_expr_handler *mp_expr_operator(enum mp_expr_op op);
mp_expr_handler *mp_expr_call(enum mp_expr_op op);

/* What computes a node, whether it is shared or not. */
mp_expr_handler *mp_expr_handler_of(const struct mp_expr *expr);

/* The value of a node in this row: valid as long as the row is. */
static inline const struct mp_scalar *mp_expr_get(struct mp_expr_query *c, struct mp_expr *expr)
{
	return expr->at ? expr->at : expr->compute(c, expr);
}

static inline const struct mp_scalar *mp_expr_at(struct mp_expr_query *c, int node)
{
	return mp_expr_get(c, &c->nodes[node]);
}

/*
 * What a handler returns when the value is the node's own. Made in its place: a value that is put together elsewhere
 * and then copied waits for its parts.
 */
static inline const struct mp_scalar *mp_expr_give(struct mp_expr *expr, struct mp_scalar v)
{
	expr->value = v;
	return &expr->value;
}

static inline const struct mp_scalar *mp_expr_give_null(struct mp_expr *expr)
{
	return mp_expr_give(expr, mp_null());
}

static inline const struct mp_scalar *mp_expr_give_int(struct mp_expr *expr, int64_t i)
{
	return mp_expr_give(expr, mp_int(i));
}

static inline const struct mp_scalar *mp_expr_give_real(struct mp_expr *expr, double d)
{
	if (isnan(d))
		return mp_expr_give_null(expr);
	return mp_expr_give(expr, (struct mp_scalar){.d = d, .type = MP_REAL});
}

static inline const struct mp_scalar *mp_expr_give_thousandths(struct mp_expr *expr, uint32_t n)
{
	return mp_expr_give(
	    expr, (struct mp_scalar){.d = n / 1000.0, .type = MP_REAL, .marks = MP_MARK_THOUSANDTHS, .len = n});
}

/* NULL where there is no text. */
static inline const struct mp_scalar *mp_expr_give_text(
    struct mp_expr *expr, const char *text, size_t len, unsigned marks)
{
	if (!text)
		return mp_expr_give_null(expr);
	return mp_expr_give(
	    expr, (struct mp_scalar){.text = text, .type = MP_TEXT, .marks = (uint16_t)marks, .len = (uint32_t)len});
}

/* The expressions of the next row: 1; 0: there is none; -1: error. And back to before the first row. */
int mp_expr_query_next(struct mp_expr_query *c, struct mp_error *err);
int mp_expr_query_rewind(struct mp_expr_query *c);

/* Forget the texts of the last row; free all. */
void mp_expr_reuse(struct mp_scratch *s);
void mp_expr_clear(struct mp_scratch *s);

/* Takes the SELECT list of a query over, whose statement is `whole`; *query is NULL where all of it stays SQLite's. */
int mp_expr_query_open(struct mp_expr_query **query, struct mp_db *db, sqlite3_stmt *whole, struct mp_error *err);

/* Give a parameter its value; a name that is not used is no error. */
int mp_expr_query_bind(struct mp_expr_query *c, const char *name, const struct mp_value *v, struct mp_error *err);

/* All parameters are NULL again. */
void mp_expr_query_unbind(struct mp_expr_query *c);

void mp_expr_query_close(struct mp_expr_query *c);

#endif

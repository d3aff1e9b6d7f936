/*
 * cells.h: the SELECT list of a query, computed here and not by SQLite's interpreter. Used by db.c alone.
 *
 * A statement is taken to pieces (cell_select.c): terms that are fully understood (cell_parse.c) are computed from
 * the bare columns they need (cell_eval.c); SQLite gets these columns and the terms that stay, with the same FROM,
 * WHERE and so on. What is computed is exactly what SQLite would have computed, type and value (cell_check.c
 * refuses comparisons whose affinity is not replayed; no column of schema/sql has a collation). A statement that is no
 * plain SELECT stays whole.
 */
#ifndef MP_STORE_CELLS_H
#define MP_STORE_CELLS_H

#include "store/map.h"
#include "store/scalar.h"
#include "store/words.h"

enum {
	MP_CELL_MAX = 2048,       /* nodes of all terms of a statement */
	MP_CELL_TERM_MAX = 160,   /* of a SELECT list */
	MP_CELL_COLUMN_MAX = 256, /* that SQLite gives */
	MP_CELL_PARAMETER_MAX = 32
};

enum mp_cell_op {
	MP_CELL_COLUMN,
	MP_CELL_CONSTANT,
	MP_CELL_PARAMETER,
	MP_CELL_ADD,
	MP_CELL_SUBTRACT,
	MP_CELL_MULTIPLY,
	MP_CELL_DIVIDE,
	MP_CELL_BIT_AND,
	MP_CELL_BIT_OR,
	MP_CELL_SHIFT_LEFT,
	MP_CELL_SHIFT_RIGHT,
	MP_CELL_CONCAT,
	MP_CELL_LESS,
	MP_CELL_AT_MOST,
	MP_CELL_MORE,
	MP_CELL_AT_LEAST,
	MP_CELL_EQUAL,
	MP_CELL_UNEQUAL,
	MP_CELL_IS,
	MP_CELL_IS_NOT,
	MP_CELL_IS_NULL,
	MP_CELL_NOT_NULL,
	MP_CELL_CAST_INT,
	MP_CELL_CAST_REAL,
	MP_CELL_CAST_TEXT, /* up to here: one or two kids, all of which are computed */
	MP_CELL_AND,
	MP_CELL_OR,
	MP_CELL_NOT,
	MP_CELL_CASE, /* WHEN, THEN, ... [ELSE]; `flag`: the first kid is what is compared */
	MP_CELL_COALESCE,
	MP_CELL_NULLIF,
	MP_CELL_MIN,
	MP_CELL_MAX_OF,
	MP_CELL_ROUND,
	MP_CELL_CHAR,
	MP_CELL_UNSIGNED, /* x as text, its 64 bits unsigned */
	MP_CELL_DECIMAL,
	MP_CELL_HALF_UP, /* to `number` places, as DECIMAL */
	MP_CELL_TRIMMED,
	MP_CELL_US,
	MP_CELL_REPR,
	MP_CELL_WORD,
	MP_CELL_CORE_US,
	MP_CELL_PEEK
};

struct mp_cells;

enum mp_affinity { MP_AFFINITY_NONE, MP_AFFINITY_BLOB, MP_AFFINITY_TEXT, MP_AFFINITY_NUMERIC, MP_AFFINITY_UNKNOWN };

struct mp_cell {
	const struct mp_scalar *(*compute)(
	    struct mp_cells *c, struct mp_cell *cell); /* its value in this row: its own, or that of a kid */
	const struct mp_scalar *at; /* its value in this row; NULL: it was not computed, or is needed once */
	struct mp_scalar value;     /* its own */
	struct mp_cell *a, *b;      /* its first two kids; or NULL */
	bool shared;                /* it is needed several times: its value is kept for the row */
	bool flag;
	uint8_t op;       /* enum mp_cell_op */
	int first, count; /* of its kids, in mp_cells.kids */
	int number;       /* of the column, parameter or column of a dictionary; places of HALF_UP and DECIMAL */
	union {
		struct mp_words *words; /* of WORD */
		struct mp_map *map;     /* of PEEK */
	};
};

/* A bare column that SQLite gives; `inner`: of the query in FROM. Also a whole term that stays. */
struct mp_cell_column {
	const char *text;
	size_t len;
	bool inner;
	int node; /* -1: a term that stays */
};

struct mp_cell_parameter {
	char name[64];
	struct mp_scalar value;
	char *text; /* of the value */
};

struct mp_cell_term {
	int node; /* -1: the column `column` is the term */
	int column;
	struct mp_scalar value; /* of that column */
	char *title;
};

/* A term that is computed for each row; `cell` is NULL where SQLite gives it. */
struct mp_cell_live {
	struct mp_cell *cell;
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
enum mp_cell_conversion { MP_CELL_TO_NUMBER, MP_CELL_TO_INT, MP_CELL_TO_REAL, MP_CELL_TO_TEXT, MP_CELL_CONVERSIONS };

struct mp_cells {
	struct mp_db *db;
	char *text; /* of the whole query */
	sqlite3_stmt *statement;
	struct mp_cell_scan *scan; /* reads the rows without the statement; NULL: none does */
	struct mp_cell nodes[MP_CELL_MAX];
	int kids[2 * MP_CELL_MAX];
	int node_count, kid_count;
	int slots[2 * MP_CELL_MAX]; /* nodes + 1 by their hash: the same term is one node */
	struct mp_cell_column columns[MP_CELL_COLUMN_MAX];
	int column_count;
	struct mp_cell_parameter parameters[MP_CELL_PARAMETER_MAX];
	int parameter_count;
	struct mp_cell_term terms[MP_CELL_TERM_MAX];
	int term_count;
	char *literals; /* texts of constants */
	size_t literals_used;
	struct mp_query *conversions[MP_CELL_CONVERSIONS]; /* opened when they are needed */
	/* of a row */
	bool begun;  /* there was a row, or none at all */
	bool scans;  /* rows come from `scan` */
	bool folded; /* what is the same in all rows is computed */
	bool failed; /* the row's error is in `error` */
	struct mp_error error;
	struct mp_scratch scratch, kept; /* of this row, of all rows */
	int shared[MP_CELL_MAX], shared_count;
	struct mp_cell_live live[MP_CELL_TERM_MAX]; /* terms whose value is not always at the same place */
	int live_count;
	const struct mp_scalar *cells[MP_CELL_TERM_MAX];
};

/* A piece of SQL. */
struct mp_range {
	const char *at, *end;
};

enum mp_token_kind {
	MP_TOKEN_END,
	MP_TOKEN_NAME,
	MP_TOKEN_QUOTED,
	MP_TOKEN_STRING,
	MP_TOKEN_INT,
	MP_TOKEN_REAL,
	MP_TOKEN_PARAMETER,
	MP_TOKEN_SIGN,
	MP_TOKEN_UNKNOWN
};

struct mp_token {
	enum mp_token_kind kind;
	const char *text;
	size_t len;
};

/* Take the next token off the range. What begins nothing that is known is UNKNOWN, of length 0, and takes the rest. */
struct mp_token mp_token_next(struct mp_range *range);
/* Whether it is that word (whatever its case) or sign. */
bool mp_token_is(const struct mp_token *t, const char *word);
/* Whether it is a name, and that one: quotes and case do not count. */
bool mp_token_is_name(const struct mp_token *t, const char *name, size_t len);

/* Columns of the query in FROM that terms may be put in place of. */
struct mp_cell_source {
	const char *name; /* how the outer query calls it; len 0: by no name */
	size_t len;
	struct mp_range list; /* its SELECT list */
	struct mp_token titles[MP_CELL_TERM_MAX];
	int nodes[MP_CELL_TERM_MAX]; /* -1: not understood */
	int count;
};

/*
 * A term as nodes: the root, or -1 when it is not understood. What follows the expression (an alias) is left in
 * *range. Columns are those of `source` where it has them (NULL: none has), else bare ones, `inner` or not.
 */
int mp_cell_parse(struct mp_cells *c, struct mp_range *range, const struct mp_cell_source *source, bool inner);

/* The function of that name with these kids, as a node; -1 where there is none. */
int mp_cell_function(struct mp_cells *c, const struct mp_token *name, const int *kids, int count);

/* A node like *what with these kids; one that is there already if it is the same. -1 where a kid is, or no room. */
int mp_cell_add(struct mp_cells *c, const struct mp_cell *what, const int *kids, int count);
int mp_cell_constant(struct mp_cells *c, struct mp_scalar v);

/*
 * Whether SQLite compares as this does in all rows: to be asked when the statement is prepared; `no_texts`: if no
 * parameter is a text.
 */
bool mp_cell_check(const struct mp_cells *c, int node, bool no_texts);

/* Room for a text of the row; NULL with the row failed. */
char *mp_cell_more_room(struct mp_cells *c, size_t size);

static inline char *mp_cell_room(struct mp_cells *c, size_t size)
{
	struct mp_scratch *s = &c->scratch;

	if (!s->part || size > s->part->room - s->used)
		return mp_cell_more_room(c, size);
	s->used += size;
	return s->part->bytes + s->used - size;
}

/* Values as SQLite's functions and operators take them. A NULL is 0. */
int64_t mp_cell_to_int(struct mp_cells *c, struct mp_scalar v);
double mp_cell_to_real(struct mp_cells *c, struct mp_scalar v);

static inline int64_t mp_cell_int(struct mp_cells *c, struct mp_scalar v)
{
	return v.type == MP_INT ? v.i : mp_cell_to_int(c, v);
}

static inline double mp_cell_real(struct mp_cells *c, struct mp_scalar v)
{
	return v.type == MP_REAL ? v.d : mp_cell_to_real(c, v);
}

/* v, a text or blob, as the number of an operator; any value but NULL as a text. */
struct mp_scalar mp_cell_number(struct mp_cells *c, struct mp_scalar v);
struct mp_scalar mp_cell_text(struct mp_cells *c, struct mp_scalar v);

/* NULL, numbers, texts, blobs, in this order. */
int mp_cell_compare(const struct mp_scalar *a, const struct mp_scalar *b);

/* What computes nodes of an operator; of a function. */
typedef const struct mp_scalar *mp_cell_handler(struct mp_cells *c, struct mp_cell *cell);
mp_cell_handler *mp_cell_operator(enum mp_cell_op op);
mp_cell_handler *mp_cell_call(enum mp_cell_op op);

/* What computes a node, whether it is shared or not. */
mp_cell_handler *mp_cell_handler_of(const struct mp_cell *cell);

/* The value of a node in this row: valid as long as the row is. */
static inline const struct mp_scalar *mp_cell_get(struct mp_cells *c, struct mp_cell *cell)
{
	return cell->at ? cell->at : cell->compute(c, cell);
}

static inline const struct mp_scalar *mp_cell_at(struct mp_cells *c, int node)
{
	return mp_cell_get(c, &c->nodes[node]);
}

/*
 * What a handler returns when the value is the node's own. Made in its place: a value that is put together elsewhere
 * and then copied waits for its parts.
 */
static inline const struct mp_scalar *mp_cell_give(struct mp_cell *cell, struct mp_scalar v)
{
	cell->value = v;
	return &cell->value;
}

static inline const struct mp_scalar *mp_cell_give_null(struct mp_cell *cell)
{
	return mp_cell_give(cell, mp_null());
}

static inline const struct mp_scalar *mp_cell_give_int(struct mp_cell *cell, int64_t i)
{
	return mp_cell_give(cell, mp_int(i));
}

static inline const struct mp_scalar *mp_cell_give_real(struct mp_cell *cell, double d)
{
	if (isnan(d))
		return mp_cell_give_null(cell);
	return mp_cell_give(cell, (struct mp_scalar){.d = d, .type = MP_REAL});
}

static inline const struct mp_scalar *mp_cell_give_thousandths(struct mp_cell *cell, uint32_t n)
{
	return mp_cell_give(
	    cell, (struct mp_scalar){.d = n / 1000.0, .type = MP_REAL, .marks = MP_MARK_THOUSANDTHS, .len = n});
}

/* NULL where there is no text. */
static inline const struct mp_scalar *mp_cell_give_text(
    struct mp_cell *cell, const char *text, size_t len, unsigned marks)
{
	if (!text)
		return mp_cell_give_null(cell);
	return mp_cell_give(
	    cell, (struct mp_scalar){.text = text, .type = MP_TEXT, .marks = (uint16_t)marks, .len = (uint32_t)len});
}

/* The cells of the next row: 1; 0: there is none; -1: error. And back to before the first row. */
int mp_cells_next(struct mp_cells *c, struct mp_error *err);
int mp_cells_rewind(struct mp_cells *c);

/* Forget the texts of the last row; free all. */
void mp_cell_reuse(struct mp_scratch *s);
void mp_cell_clear(struct mp_scratch *s);

/* Take the SELECT list of a query over, whose statement is `whole`; *cells is NULL where all of it stays SQLite's. */
int mp_cells_open(struct mp_cells **cells, struct mp_db *db, sqlite3_stmt *whole, struct mp_error *err);

/* Give a parameter its value; a name that is not used is no error. */
int mp_cells_bind(struct mp_cells *c, const char *name, const struct mp_value *v, struct mp_error *err);

/* All parameters are NULL again. */
void mp_cells_unbind(struct mp_cells *c);

void mp_cells_close(struct mp_cells *c);

#endif

/*
 * expr_table.h: a table whose rows expressions read without SQLite: one of a file that does not change, by its b-tree,
 * or a temporary one that this program makes (row_source). Used by expr_scan.c.
 */
#ifndef MP_FAST_CELL_TABLE_H
#define MP_FAST_CELL_TABLE_H

#include "fast/btree.h"
#include "fast/expr.h"
#include "store/row_source.h"

enum { MP_TABLE_COLUMNS_MAX = 128, MP_TABLE_KEY = -1, MP_TABLE_NONE = -2 };

struct mp_expr_table {
	struct mp_token name, alias;
	bool is_temporary;
	const struct mp_row_source *source; /* or */
	struct mp_btree *tree;
	char columns[MP_TABLE_COLUMNS_MAX][64];
	bool real[MP_TABLE_COLUMNS_MAX], integer[MP_TABLE_COLUMNS_MAX]; /* what is declared as that */
	int column_count;
	int key; /* the column that is the rowid, or MP_TABLE_KEY: none has its name */
	struct mp_btree_column wanted[MP_EXPR_COLUMN_MAX]; /* in their order */
	struct mp_scalar *values[MP_EXPR_COLUMN_MAX];      /* theirs; of a source */
	int wanted_count;
	struct mp_scalar *keys[MP_EXPR_COLUMN_MAX]; /* where the rowid goes */
	int key_count;
};

/* The table of that name: 1; 0: it cannot be read like this, or something but the rowid may put its rows in order. */
int mp_expr_table_open(struct mp_expr_table *table, struct mp_db *db, struct mp_error *err);

/* The number of a column; KEY: it is the rowid; NONE. */
int mp_expr_table_find(const struct mp_expr_table *table, const struct mp_token *column);

/* Whether a value of that column equals a rowid only if it is an integer. */
bool mp_expr_table_is_integer(const struct mp_expr_table *table, int column);

/* Each row's value of that column, or its rowid, is to go there. */
void mp_expr_table_want(struct mp_expr_table *table, int column, struct mp_scalar *value);

/* To the first row from `rowid` on; to the next: 1; 0: there is none; -1: error. A source has no rowids. */
int mp_expr_table_seek(struct mp_expr_table *table, int64_t rowid, struct mp_error *err);
int mp_expr_table_next(struct mp_expr_table *table, struct mp_error *err);
int64_t mp_expr_table_rowid(const struct mp_expr_table *table);
int mp_expr_table_give(struct mp_expr_table *table, struct mp_error *err);

void mp_expr_table_close(struct mp_expr_table *table);

#endif

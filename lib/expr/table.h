/*
 * table.h: a table that a scan reads without SQLite. For scan.c only.
 *
 * A table of a file that does not change is read from its b-tree. A temporary table that this program makes is read
 * from its source (row/rows.h). The caller owns the struct and frees its content with mp_expr_table_close. One
 * thread at a time.
 */
#ifndef MP_EXPR_TABLE_H
#define MP_EXPR_TABLE_H

#include "leaf/btree.h"
#include "expr/expr.h"

enum { MP_TABLE_COLUMNS_MAX = 128, MP_TABLE_KEY = -1, MP_TABLE_NONE = -2 };

struct mp_expr_table {
	struct mp_token name, alias;
	bool is_temporary;
	struct mp_source *source; /* of a temporary table, else NULL */
	struct mp_btree *tree;    /* of a table of the file, else NULL */
	char columns[MP_TABLE_COLUMNS_MAX][64];
	bool real[MP_TABLE_COLUMNS_MAX], integer[MP_TABLE_COLUMNS_MAX]; /* the declared types */
	int column_count;
	int key; /* the column that is the rowid; MP_TABLE_KEY: no column is */
	struct mp_btree_column wanted[MP_EXPR_COLUMN_MAX]; /* in the order of the table */
	struct mp_value *values[MP_EXPR_COLUMN_MAX];       /* the places of the wanted values */
	int wanted_count;
	struct mp_value *keys[MP_EXPR_COLUMN_MAX]; /* the places that receive the rowid */
	int key_count;
};

/*
 * Open the table table->name. Returns 1; 0 when only SQLite can read the table, or when rows may come in another order
 * than by rowid; -1 on error.
 */
int mp_expr_table_open(struct mp_expr_table *table, struct mp_db *db, struct mp_error *err);

/* Returns the number of a column, MP_TABLE_KEY for the rowid, or MP_TABLE_NONE when not found. */
int mp_expr_table_find(const struct mp_expr_table *table, const struct mp_token *column);

/* Returns whether only integers of this column can equal a rowid. */
bool mp_expr_table_is_integer(const struct mp_expr_table *table, int column);

/* Choose a column, or the rowid (MP_TABLE_KEY). mp_expr_table_give stores the value of each row in *value. */
void mp_expr_table_want(struct mp_expr_table *table, int column, struct mp_value *value);

/*
 * Move to the first row whose rowid is at least `rowid`, or to the next row. A row source has no rowids: seek moves to
 * its first row. Both return 1 for a row, 0 at the end, -1 on error.
 */
int mp_expr_table_seek(struct mp_expr_table *table, int64_t rowid, struct mp_error *err);
int mp_expr_table_next(struct mp_expr_table *table, struct mp_error *err);

/* Returns the rowid of the current row; 0 for a row source. */
int64_t mp_expr_table_rowid(const struct mp_expr_table *table);

/* Store the chosen values of the current row. Returns 0, or -1 with err. */
int mp_expr_table_give(struct mp_expr_table *table, struct mp_error *err);

/* Close the b-tree. */
void mp_expr_table_close(struct mp_expr_table *table);

#endif

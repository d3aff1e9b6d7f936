/*
 * btree.h: the rows of a table by their rowids, read from its b-tree in the database file.
 *
 * For files that do not change (mp_db.fixed). The format is SQLite's (fileformat2.html); page.h has its numbers.
 * Nothing in the file is trusted: whatever a page says is bounded, and a walk ends however pages point at each other.
 * Rows whose rowids do not ascend are damage.
 */
#ifndef MP_STORE_BTREE_H
#define MP_STORE_BTREE_H

#include "store/scalar.h"

struct mp_btree;

/* Column `column` of the table as it is stored: what a row has too few of is NULL. Texts lie in the row. */
struct mp_btree_column {
	int column;
	bool real;               /* of affinity REAL: integers there are reals */
	struct mp_scalar *value; /* where it goes */
};

/* The tree whose root is that page; *tree is NULL where the file is none that can be read like this. */
int mp_btree_open(struct mp_btree **tree, struct mp_db *db, int64_t root, struct mp_error *err);

/* Stand on the first row from `rowid` on, on the next one: 1; 0: there is none; -1: error, the file is damaged. */
int mp_btree_seek(struct mp_btree *tree, int64_t rowid, struct mp_error *err);
int mp_btree_next(struct mp_btree *tree, struct mp_error *err);

/* Of the current row. Texts are valid until the next move. */
int64_t mp_btree_rowid(const struct mp_btree *tree);
int mp_btree_columns(const struct mp_btree *tree, const struct mp_btree_column *columns, int count,
    struct mp_error *err); /* in their order */

void mp_btree_close(struct mp_btree *tree);

#endif

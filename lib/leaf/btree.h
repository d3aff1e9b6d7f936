/*
 * btree.h: reads the rows of a table in the order of their rowids from the table's b-tree in the database file.
 *
 * Only for files that do not change. The format is SQLite's: https://www.sqlite.org/fileformat2.html. The
 * file is not trusted: all sizes and page numbers are checked, and a walk always ends. Rowids that do not ascend are
 * damage. The caller frees a tree with mp_btree_close. One thread at a time. Functions that return int give 0, or -1
 * with err, unless the comment says otherwise.
 */
#ifndef MP_LEAF_BTREE_H
#define MP_LEAF_BTREE_H

#include "row/cell.h"
#include "row/rows.h"

struct mp_btree;

/* Open the tree with this root page of the database "main". *tree is NULL when only SQLite can read the file. Messages
 * name the file `path`, which stays the caller's. */
int mp_btree_open(struct mp_btree **tree, sqlite3 *handle, const char *path, int64_t root, struct mp_error *err);

/*
 * Move to the first row whose rowid is at least `rowid`, or to the next row. Both return 1 for a row, 0 at the end, -1
 * on error.
 */
int mp_btree_seek(struct mp_btree *tree, int64_t rowid, struct mp_error *err);
int mp_btree_next(struct mp_btree *tree, struct mp_error *err);

/* Returns the rowid of the current row. */
int64_t mp_btree_rowid(const struct mp_btree *tree);

/*
 * Read columns of the current row; `columns` ascend by number, and MP_BTREE_ROWID is the rowid. A column that a row
 * lacks is NULL. Texts point into the row, and are valid until the next move.
 */
enum { MP_BTREE_ROWID = -1 };
int mp_btree_columns(const struct mp_btree *tree, const struct mp_wanted *columns, int count, struct mp_error *err);

/* Free a tree. NULL is allowed. */
void mp_btree_close(struct mp_btree *tree);

#endif

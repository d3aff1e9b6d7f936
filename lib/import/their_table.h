/*
 * their_table.h: a CSV table of another tool, in memory. Its bytes are hostile; its size is bounded.
 *
 * One thread. The table owns its text and cells.
 */
#ifndef MP_IMPORT_THEIR_TABLE_H
#define MP_IMPORT_THEIR_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum { MP_THEIR_COLUMNS_MAX = 128 };

/* Cells lie in the text, row by row; the first row has the titles. */
struct mp_their_table {
	char *text, **cells;
	size_t count, room;
	int columns;
	int decimals[MP_THEIR_COLUMNS_MAX]; /* the most of a cell of a column */
};

/* Read a file of a directory. Returns 0, 1 for a file that is no table, or -1 with err. Free the table in any case. */
int mp_their_table_read(struct mp_their_table *table, int dirfd, const char *name, struct mp_error *err);
void mp_their_table_free(struct mp_their_table *table);

/* Returns whether a cell says that there is no value. */
bool mp_their_table_says_nothing(const char *cell);

/*
 * Returns whether a cell of the table says what ours says: numbers may differ by one in the last digit of the side that
 * has fewer, and names may be cut by '~', or in another encoding, which says nothing.
 */
bool mp_their_table_is_same(const struct mp_their_table *table, int column, const char *ours, const char *theirs);

#endif

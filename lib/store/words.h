/*
 * words.h: dictionaries: tables that are asked by their integer key, row after row. Used by word() in SQL and by cells.
 *
 * Rows are kept once they were asked for, up to a bound, so a table must not change while it is asked. A
 * dictionary is the database's.
 */
#ifndef MP_STORE_WORDS_H
#define MP_STORE_WORDS_H

#include "store/scalar.h"

/* The dictionary of a table; NULL where there is no such table, or no memory. */
struct mp_words *mp_words_find(struct mp_db *db, const char *table, size_t len);

/* The number of a column; -1 where there is none. */
int mp_words_column(const struct mp_words *w, const char *name, size_t len);

/*
 * The value in that column of the row with that key, an MP_NULL where there is no row. It stays until mp_words_release.
 * NULL on an error: SQLite's, or no memory.
 */
const struct mp_scalar *mp_words_get(struct mp_words *w, int64_t key, int column);

/* The values given so far are used no more. */
void mp_words_release(struct mp_db *db);

/* word(table, column, key) for the statements of this database. */
int mp_words_register(struct mp_db *db);

/* Before the connection is closed. */
void mp_words_free(struct mp_db *db);

#endif

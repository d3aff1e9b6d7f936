/*
 * words.h: dictionaries: tables looked up by integer keys, by word() in SQL and by expressions of lib/expr.
 *
 * A dictionary caches rows, up to a bound, so its table must not change. The database owns its dictionaries and frees
 * them with mp_words_free. Only the thread of the database may call.
 */
#ifndef MP_STORE_WORDS_H
#define MP_STORE_WORDS_H

#include "store/connection.h"

enum { MP_WORD_KEYS = 4 };

/*
 * Returns the dictionary of a table by its rowid (one key), or by its primary key of so many columns. Returns NULL when
 * the table or such a key is not found, or memory is short.
 */
struct mp_words *mp_words_find(struct mp_db *db, const char *table, size_t len, int keys);

/* Returns the number of a column, or -1 when not found. */
int mp_words_column(const struct mp_words *w, const char *name, size_t len);

/*
 * Returns the value of a column in the row with these keys; the value has the type MP_NULL when the row is not found.
 * The value is valid until mp_words_release. Returns NULL on an error of SQLite, or when memory is short.
 */
const struct mp_value *mp_words_get(struct mp_words *w, const int64_t *keys, int column);

/* End the use of all values that mp_words_get returned for this database. */
void mp_words_release(struct mp_db *db);

/* Register the SQL function word(table, column, key...). Returns an SQLite code. */
int mp_words_register(struct mp_db *db);

/* Free the dictionaries, before the connection is closed. */
void mp_words_free(struct mp_db *db);

#endif

/*
 * fast.h: the fast paths, which compute, read and write rows without SQLite's interpreter.
 *
 * Other folders include only this header of lib/fast. The fast paths implement store/row_engine.h and store/bulk.h.
 * Each can be switched off (enum mp_plain), and the results stay the same. Only the thread of the database may call.
 */
#ifndef MP_FAST_FAST_H
#define MP_FAST_FAST_H

#include "store/bulk.h"

/* Set db->plain and db->engine: the connection uses the fast paths except those in `plain` (bits of enum mp_plain). */
void mp_fast_attach(struct mp_db *db, unsigned plain);

/*
 * Open the bulks of a file of `db`, which is in a transaction. *bulks is NULL
 * when db->plain has MP_PLAIN_PAGES. The caller frees the bulks with mp_bulks_close, after an error, too. Returns 0, or
 * -1 with err.
 */
int mp_fast_open_pages(
    struct mp_bulks **bulks, struct mp_db *db, const struct mp_bulk_file *file, struct mp_error *err);

#endif

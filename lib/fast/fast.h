/*
 * fast.h: the door of the fast paths: rows computed, read and written without SQLite's interpreter.
 *
 * Nobody else includes another header of this folder. All of it can be switched off (enum mp_plain); results are the
 * same.
 */
#ifndef MP_FAST_FAST_H
#define MP_FAST_FAST_H

#include "store/bulk.h"

/* Queries for many rows of this connection use the fast paths but those of `plain`, bits of enum mp_plain. */
void mp_fast_attach(struct mp_db *db, unsigned plain);

/*
 * Pages for the tables of `db`, which is in a transaction; fd is of its file and stays the caller's. *bulks is NULL
 * where `plain` has MP_PLAIN_PAGES. Close with mp_bulks_close. Returns -1 on error.
 */
int mp_fast_open_pages(struct mp_bulks **bulks, struct mp_db *db, int fd, struct mp_error *err);

#endif

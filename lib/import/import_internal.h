/* import_internal.h: what the files of lib/import share. */
#ifndef MP_IMPORT_INTERNAL_H
#define MP_IMPORT_INTERNAL_H

#include "import/import.h"
#include "store/load.h"

/* Stores what the job says of itself: rows of meta, device and control, and notes of what is assumed. Returns -1 on
 * error. */
int mp_import_job(struct mp_load *load, const struct mp_import_options *options, struct mp_error *err);

/*
 * In place of a database with another schema a private one with this build's, with the rows of the tables and columns
 * that both have. On error *db stays as it is.
 */
int mp_db_renew(struct mp_db **db, struct mp_error *err);

#endif

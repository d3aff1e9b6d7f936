/* import_internal.h: steps of lib/import, for its files only. The caller keeps all arguments. */
#ifndef MP_IMPORT_INTERNAL_H
#define MP_IMPORT_INTERNAL_H

#include "import/import.h"
#include "store/load.h"

/*
 * Store the facts of the job: rows of meta, device, control and source, and notes about assumptions. Returns 0, or -1
 * with err.
 */
int mp_import_job(struct mp_load *load, const struct mp_import_options *options, struct mp_error *err);

/*
 * Make a private database with the schema of this build from one of another schema. It gets the rows of the tables and
 * columns that both schemas have, or of the table `only` unless NULL. Returns 0, or -1 with err.
 */
int mp_db_renew(struct mp_db **renewed, struct mp_db *old, const char *only, struct mp_error *err);

/*
 * Compare the tables of a board's own tool below summary/ with what the database makes of the job, and put the result
 * into data_check: a proof, a contradiction, or a doubt about tables of other data. Needs all views.
 */
int mp_beside_compare(struct mp_db *db, const struct mp_job *job, struct mp_error *err);

#endif

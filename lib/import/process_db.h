/* process_db.h: a private database for the events of one process (schema/sql/process). Close it with mp_db_close. */
#ifndef MP_IMPORT_PROCESS_DB_H
#define MP_IMPORT_PROCESS_DB_H

#include "store/db.h"

/* Make the database. Returns 0, or -1 with err. */
int mp_process_db_make(struct mp_db **db, struct mp_error *err);

#endif

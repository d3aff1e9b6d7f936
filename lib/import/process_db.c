/* process_db.c: makes a private database for the events of one process, with the notes of any job. */
#include "import/process_db.h"

#include "base/schema.h"
#include "store/connection.h"

int mp_process_db_make(struct mp_db **db, struct mp_error *err)
{
	if (mp_db_connect(db, -1, "", err))
		return -1;
	if (mp_db_run(*db, "PRAGMA main.journal_mode=OFF; PRAGMA main.synchronous=OFF; BEGIN;", err) ||
	    mp_db_make(*db, MP_FAMILY_SVP, MP_STEPS_TABLES, err) ||
	    mp_db_run(*db, mp_schema_text("sql/process/tables.sql"), err) ||
	    mp_db_make(*db, MP_FAMILY_SVP, MP_STEPS_VIEWS, err)) {
		mp_db_close(*db);
		*db = NULL;
		return -1;
	}
	return 0;
}

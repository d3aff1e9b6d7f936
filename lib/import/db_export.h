/*
 * db_export.h: the database of a job in the form that other tools read: schema/sql/FAMILY/export.sql.
 */
#ifndef MP_IMPORT_DB_EXPORT_H
#define MP_IMPORT_DB_EXPORT_H

#include "raw/job.h"
#include "store/db.h"

/* Whether the family has such a form. */
bool mp_db_can_export(enum mp_family family);

#define MP_DB_EXPORT_PART ".msprof.db.part"

/*
 * Write NAME into the job's directory, which must be locked, from its open database. The file is made
 * beside its place (MP_DB_EXPORT_PART) and renamed when it is whole.
 */
int mp_db_export(struct mp_db *db, const struct mp_job *job, const char *name, struct mp_error *err);

#endif

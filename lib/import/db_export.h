/*
 * db_export.h: writes the database of a job in the form that other tools read (schema/sql/FAMILY/export.sql).
 *
 * Owns nothing after the call. Only the thread of the database may call.
 */
#ifndef MP_IMPORT_DB_EXPORT_H
#define MP_IMPORT_DB_EXPORT_H

#include "raw/job.h"
#include "store/db.h"

/* Returns whether the family has an export script. */
bool mp_db_can_export(enum mp_family family);

/* The name of the part file. */
#define MP_DB_EXPORT_PART ".msprof.db.part"

struct mp_db_export_options {
	/* Reports rows done and to do; may be NULL. */
	void (*progress)(void *user, int64_t done, int64_t total);
	void *progress_user;
};

/*
 * Export an open database to the file NAME in the job's directory, which must be locked. A complete part file is
 * renamed to NAME. Returns 0, or -1 with err; an earlier file is unchanged then.
 */
int mp_db_export(struct mp_db *db, const struct mp_job *job, const char *name,
    const struct mp_db_export_options *options, struct mp_error *err);

#endif

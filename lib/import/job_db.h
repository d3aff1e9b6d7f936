/*
 * job_db.h: the database of a job: is it there, does it still fit, what does it say was lost.
 */
#ifndef MP_IMPORT_JOB_DB_H
#define MP_IMPORT_JOB_DB_H

#include "raw/job.h"
#include "store/db.h"

/* JOB/sqlite/msprof.db into path[size], for messages. */
int mp_job_db_path(const struct mp_job *job, char *path, size_t size, struct mp_error *err);

/* Whether that file exists. */
bool mp_job_db_exists(const struct mp_job *job);

/*
 * Opens the database, see mp_db_open, with the fast paths but those of `plain` (bits of enum mp_plain). A database with
 * another schema is copied to a private one with the schema of this build. Returns -1 on error.
 */
int mp_job_db_open(struct mp_db **db, const struct mp_job *job, unsigned plain, struct mp_error *err);

/* Whether the schema of the file is that of another version: what this one adds is NULL or empty. */
bool mp_job_db_is_other(const struct mp_db *db);

/* How many of the raw files that the database was made from are not there any more. */
int mp_job_db_gone(struct mp_db *db, const struct mp_job *job, int64_t *gone, struct mp_error *err);

/*
 * Whether the open database was made from the files that are there now, with
 * these layouts and this frequency option. Raw files that are gone do not count: what was
 * parsed needs them no more. Without any raw file another frequency is an error.
 */
int mp_job_db_fresh(struct mp_db *db, const struct mp_job *job, const struct mp_layouts *layouts, int64_t frequency_mhz,
    bool *fresh, struct mp_error *err);

/* A sentence on what was lost ("128 damaged bytes, 2 sequence gaps"), or "" when nothing was. */
int mp_job_db_loss(struct mp_db *db, char *text, size_t size, struct mp_error *err);

/* Remove the database, if there are raw files from which it can be made again. */
int mp_job_db_remove(const struct mp_job *job, struct mp_error *err);

/* meta.key into value[size]; "" when absent. */
int mp_job_db_meta(struct mp_db *db, const char *key, char *value, size_t size, struct mp_error *err);

#endif

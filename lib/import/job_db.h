/*
 * job_db.h: finds, opens, checks and removes the database of a job.
 *
 * The caller closes an open database with mp_db_close. Only the thread of the database may call. Functions that return
 * int give 0, or -1 with err.
 */
#ifndef MP_IMPORT_JOB_DB_H
#define MP_IMPORT_JOB_DB_H

#include "base/dir.h"
#include "raw/job.h"
#include "store/db.h"

/* Write the path JOB/sqlite/msprof.db into path[size], for messages. */
int mp_job_db_path(const struct mp_job *job, char *path, size_t size, struct mp_error *err);

/* Returns whether the database exists, or something that mp_job_db_open must report: a link, a failing disk. */
bool mp_job_db_exists(const struct mp_job *job);

/*
 * Open the database (mp_db_open) with the fast paths except those in `plain` (bits of enum mp_plain). A database of
 * another schema is copied to a private database with the schema of this build; only its list of files is, while all
 * of them are there: mp_job_db_fresh tells that an import is needed.
 */
int mp_job_db_open(struct mp_db **db, const struct mp_job *job, unsigned plain, struct mp_error *err);

/* The same for a database anywhere, by its path. */
int mp_job_db_open_path(struct mp_db **db, const char *path, unsigned plain, struct mp_error *err);

/* Returns whether the file has another schema: tables and columns that the file lacks are empty or NULL then. */
bool mp_job_db_is_other(const struct mp_db *db);

/* Count the raw files of the import that are missing from the job now. */
int mp_job_db_gone(struct mp_db *db, const struct mp_job *job, int64_t *gone, struct mp_error *err);

/*
 * Set *fresh to whether the open database was made from the present files, with these layouts, this schema and this
 * frequency option. Missing raw files do not count, because the database has their records. Without any raw file,
 * another frequency is an error.
 */
int mp_job_db_fresh(struct mp_db *db, const struct mp_job *job, const struct mp_layouts *layouts, int64_t frequency_mhz,
    bool *fresh, struct mp_error *err);

/* Write a summary of lost data ("128 damaged bytes, 2 sequence gaps"), or "" when nothing was lost. */
int mp_job_db_loss(struct mp_db *db, char *text, size_t size, struct mp_error *err);

/* What each kind of data is worth: a line for each that is contradicted or in doubt, and one for all others, such as
 * "times of tasks consistent, calls consistent"; "" for a database of an earlier version. */
int mp_job_db_standing(struct mp_db *db, char *text, size_t size, struct mp_error *err);

/* Open a query of the kinds of data that are contradicted or in doubt: in short, and with the reason and what to do. */
int mp_job_db_doubts(struct mp_query **q, struct mp_db *db, struct mp_error *err);

/* Remove the database, once no other process works on it. Error: the job has no raw files to build it again. */
int mp_job_db_remove(const struct mp_job *job, const struct mp_wait *wait, struct mp_error *err);

/* Write the value of a key of the table meta into value[size]; "" when not found. */
int mp_job_db_meta(struct mp_db *db, const char *key, char *value, size_t size, struct mp_error *err);

/* A private database for the events of one process (schema/sql/process). Close it with mp_db_close. */

/* Make the database. Returns 0, or -1 with err. */
int mp_process_db_make(struct mp_db **db, struct mp_error *err);

/*
 * Temporary tables of a job's database, kept in a file beside it, JOB/sqlite/aggregates.kept.
 *
 * The file counts only for the state of the database that it was made from, and for the program and the schema that
 * made it; each of its bytes counts. In any other case it is as if there were none: nothing is told, and the next one
 * replaces it. Only the thread of the database may call.
 */

struct mp_kept {
	const char *tables;       /* what the names of the tables begin with */
	const char *tool_version; /* of this program */
	/* Tells where a part file may exist, as in struct mp_import_options. */
	void (*part)(int dirfd, const char *name);
};

#define MP_KEPT_NAME "aggregates.kept"

/* Fill the tables, which are empty, from the file. Returns whether they are; else they are empty still. */
bool mp_kept_load(struct mp_db *db, const struct mp_job *job, const struct mp_kept *kept);

/* Keep the tables. Without the right to write there, or without space, they are not kept: that is no error. */
void mp_kept_store(struct mp_db *db, const struct mp_job *job, const struct mp_kept *kept);

#endif

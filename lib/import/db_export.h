/*
 * db_export.h: writes the database of a job in the form that other tools read (schema/sql/FAMILY/export.sql).
 *
 * Owns nothing after the call. Only the thread of the database may call.
 */
#ifndef MP_IMPORT_DB_EXPORT_H
#define MP_IMPORT_DB_EXPORT_H

#include "base/dir.h"
#include "raw/job.h"
#include "store/db.h"
#include "store/sink.h"

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

/* The database of an analysis, which is made of its reports (schema/sql/FAMILY/analysis.sql). */
#define MP_DB_ANALYSIS "communication_analyzer.db"

/*
 * Write MP_DB_ANALYSIS into a locked directory, which messages name `dir`, like mp_db_export. The part file is
 * MP_OUT_PART.
 */
int mp_db_analysis(struct mp_db *db, enum mp_family family, int dirfd, const char *dir, struct mp_error *err);

/* What came of the databases that other tools look for beside raw data. */
struct mp_db_compat {
	int64_t written, kept; /* files; those of other tools stay as they are */
};

/*
 * Write the databases that CANN's msprof leaves in host/sqlite and device_N/sqlite of a PROF directory
 * (schema/reports/compat), and data/all_file.complete, which tells that they are there. Their directories are locked
 * meanwhile. Files that were made of this database are up to date. `part` tells where a part file may exist, as in
 * struct mp_import_options. Returns 0, or -1 with err.
 */
int mp_db_compat(struct mp_db *db, const struct mp_job *job, const struct mp_wait *wait,
    void (*part)(int dirfd, const char *name), struct mp_db_compat *done, struct mp_error *err);

/*
 * Runs statements of an export script in place of SQLite:
 *   INSERT INTO SCHEMA.TABLE SELECT ...        the rows become pages of the new file (leaf/bulk.h)
 *   INSERT INTO temp.TABLE SELECT DISTINCT ... SQLite gets each row once
 * where an engine gives the rows without SQLite (store/connection.h). SQLite runs all other statements, and also those
 * whose rows turn out not to fit pages: with the same results.
 *
 * The caller owns the struct. Only the thread of the database may call.
 */

struct mp_export_rows {
	struct mp_db *db;
	const char *schema;     /* the new database */
	struct mp_bulks *bulks; /* of the new database */
	void (*progress)(void *user, int64_t done, int64_t total);
	void *progress_user;
	int64_t rows, rows_total; /* made so far; expected, or 0 */
};

/* Run a statement. Returns 1, 0 when SQLite must run it, -1 with err. */
int mp_export_rows_run(void *rows, const char *sql, struct mp_error *err);

#endif

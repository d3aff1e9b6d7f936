/*
 * import.h: builds the database msprof.db from the raw files of a job.
 *
 * A part file becomes the database when the file is complete and on disk, so an earlier database survives every
 * failure before the rename. A second import of the same job waits for the first one. Damaged data is no error: the
 * database records the damage (mp_job_db_loss). The caller keeps the job, layouts and options. One thread at a time.
 */
#ifndef MP_IMPORT_IMPORT_H
#define MP_IMPORT_IMPORT_H

#include "base/dir.h"
#include "raw/job.h"
#include "store/db.h"

struct mp_import_options {
	int64_t frequency_mhz; /* given by the user; 0: use the frequency of the job */
	const char *tool_version;
	void (*progress)(void *user, int64_t done_bytes, int64_t total_bytes); /* may be NULL */
	void *progress_user;
	struct mp_wait wait;   /* how to wait for another import of the job */
	unsigned plain;        /* mechanisms that stay unused: bits of enum mp_plain */
	struct mp_db **opened; /* receives the new database, open, unless the result is 1; or NULL */
	bool only_first;       /* after waiting for another import, use its database and build no other */
	/* Tells where a part file may exist, so that the caller can remove the file when a signal ends the program. The
	   directory is open and locked. dirfd -1: no part file exists. May be NULL. */
	void (*part)(int dirfd, const char *name);
};

/*
 * Build JOB/sqlite/msprof.db. Returns 0; 1 when another import built the database and only_first is set; or -1 with
 * err.
 */
int mp_import(const struct mp_job *job, const struct mp_layouts *layouts, const struct mp_import_options *options,
    struct mp_error *err);

/*
 * Build a private database, which exists only until the caller closes *db. Nothing is written to the job. Returns 0, or
 * -1 with err.
 */
int mp_import_private(struct mp_db **db, const struct mp_job *job, const struct mp_layouts *layouts,
    const struct mp_import_options *options, struct mp_error *err);

#endif

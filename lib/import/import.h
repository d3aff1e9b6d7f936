/*
 * import.h: from a job's raw files to msprof.db.
 *
 * The database is built beside its place and renamed when it is whole and on disk, so
 * an earlier one survives every failure. Of two imports of one job one waits.
 * Damage is not failure: it is counted in the database, see mp_job_db_loss.
 */
#ifndef MP_IMPORT_IMPORT_H
#define MP_IMPORT_IMPORT_H

#include "base/dir.h"
#include "raw/job.h"
#include "store/db.h"

struct mp_import_options {
	int64_t frequency_mhz; /* given by the user; 0: from the job */
	const char *tool_version;
	void (*progress)(void *user, int64_t done_bytes, int64_t total_bytes); /* may be NULL */
	void *progress_user;
	struct mp_wait wait; /* for another import of the job */
	unsigned plain;      /* mechanisms that stay unused: bits of enum mp_plain */
	bool only_first;     /* where there was another one, its database may be what is wanted: make none */
	/* May be NULL: until the next call a part file of that name may be in the directory, which is open and locked;
	 * dirfd -1: none is. */
	void (*part)(int dirfd, const char *name);
};

/* Build JOB/sqlite/msprof.db: 0; 1: another import has ended, and only_first is set; -1: error. */
int mp_import(const struct mp_job *job, const struct mp_layouts *layouts, const struct mp_import_options *options,
    struct mp_error *err);

/* Build a database that nobody else sees and that vanishes with *db; the job is not written to. */
int mp_import_private(struct mp_db **db, const struct mp_job *job, const struct mp_layouts *layouts,
    const struct mp_import_options *options, struct mp_error *err);

#endif

/*
 * kept.h: temporary tables of a job's database, kept in a file beside it, JOB/sqlite/aggregates.kept.
 *
 * The file counts only for the state of the database that it was made from, and for the program and the schema that
 * made it; each of its bytes counts. In any other case it is as if there were none: nothing is told, and the next one
 * replaces it. Only the thread of the database may call.
 */
#ifndef MP_IMPORT_KEPT_H
#define MP_IMPORT_KEPT_H

#include "raw/job.h"
#include "store/db.h"

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

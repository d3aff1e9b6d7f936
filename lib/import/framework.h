/*
 * framework.h: what a front end recorded beside a PROF directory: the files of FRAMEWORK and the settings of the
 * profiler, as temporary tables of the job's open database (schema/pytorch).
 *
 * Nothing is written, and nothing of it stays. Only the thread of the database may call. Functions that return int give
 * 0, or -1 with err.
 */
#ifndef MP_IMPORT_FRAMEWORK_H
#define MP_IMPORT_FRAMEWORK_H

#include "raw/layout.h"
#include "store/db.h"

/*
 * Load the files of the directory `dirfd`, which messages name `label`, and join them to the tasks of the database.
 * Bytes that are no record are damage: a row of temp.framework_loss for each file that lost something, as a text.
 */
int mp_framework_load(
    struct mp_db *db, int dirfd, const char *label, const struct mp_layouts *layouts, struct mp_error *err);

#endif

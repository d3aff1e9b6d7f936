/*
 * lake.h: jobs as files of a directory that engines read without a server: newline-delimited JSON, packed by gzip.
 *
 * TABLE/day=YYYY-MM-DD/JOB-LOAD.ndjson.gz has the rows of a job, which began on that day (UTC). Files of a load appear
 * one after the other, that of the table `job` last: where loads differ, a job's row tells which is its own. Functions
 * return 0, or -1 with err. One thread at a time.
 */
#ifndef MP_FLEET_LAKE_H
#define MP_FLEET_LAKE_H

#include "fleet/wire.h"

struct mp_lake;

/* Make the directory, its tables, and a text for each engine that declares them; what loads left that were cut goes. */
int mp_lake_prepare(const char *path, struct mp_error *err);

/* Open a directory that was prepared. Free with mp_lake_free; what is not complete then goes. */
int mp_lake_open(struct mp_lake **lake, const char *path, struct mp_error *err);
void mp_lake_free(struct mp_lake *lake);

/* Take a frame, as msprof-publish does. After an error of a job the next one may follow. */
int mp_lake_take(struct mp_lake *lake, enum mp_wire_kind kind, const void *bytes, size_t size, struct mp_error *err);

#endif

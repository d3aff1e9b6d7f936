/*
 * aggregate.h: what a job is summed up to, as the temporary tables aggregate_… of its open database.
 *
 * schema/aggregate declares and fills them; `cluster`, `aggregate` and `publish` read them. Functions return 0, or -1
 * with err. One thread.
 */
#ifndef MP_AGGREGATE_AGGREGATE_H
#define MP_AGGREGATE_AGGREGATE_H

#include "store/db.h"

/* The names of the tables begin with this. */
#define MP_AGGREGATE_TABLES "aggregate_"

/* Make the tables, without rows. Once for a connection. */
int mp_aggregate_open(struct mp_db *db, struct mp_error *err);

/* Fill them from the facts of the job (insight/advise.h), which this makes. */
int mp_aggregate_fill(struct mp_db *db, const char *family, struct mp_error *err);

#endif

/*
 * cluster.h: what a rank of a training is summed up to, and many ranks as one database.
 *
 * An aggregate is a JSON text of some KB: docs/CLUSTER.md has its members, schema/cluster/rank the queries that make
 * them. A cluster is a private database of the rows of any number of aggregates; schema/cluster/join.sql compares the
 * ranks, and schema/reports/cluster prints the result. Functions return 0, or -1 with err. One thread.
 */
#ifndef MP_CLUSTER_CLUSTER_H
#define MP_CLUSTER_CLUSTER_H

#include "store/db.h"

struct mp_out;

/* What an aggregate begins with. */
#define MP_AGGREGATE_BEGIN "{\"schema\": \"msprof.aggregate/1\""

enum { MP_AGGREGATE_SIZE_MAX = 8 << 20 };

/* Write the aggregate of the open database of a PROF directory, which has the tables of aggregate/aggregate.h. `name`:
 * that of the directory. */
int mp_aggregate_write(struct mp_db *db, const char *name, struct mp_out *out, struct mp_error *err);

/* Open an empty cluster. Close it with mp_db_close. */
int mp_cluster_open(struct mp_db **cluster, struct mp_error *err);

/* Add the ranks of an aggregate. The text is not trusted: a wrong member is an error that names `path`. */
int mp_cluster_add(struct mp_db *cluster, const char *path, const char *text, size_t len, struct mp_error *err);

/* Compare the ranks, once all are there. */
int mp_cluster_join(struct mp_db *cluster, struct mp_error *err);

/* What of the data of ranks is in doubt, after mp_cluster_join; "" if nothing. */
int mp_cluster_doubt(struct mp_db *cluster, char *text, size_t size, struct mp_error *err);

#endif

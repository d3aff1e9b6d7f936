/*
 * cluster.h: what a rank of a training is summed up to, and many ranks as one database.
 *
 * An aggregate is a JSON text of some KB: docs/CLUSTER.md has its members, schema/cluster/rank the queries that make
 * them. A cluster is a private database of the rows of any number of aggregates; schema/cluster/join.sql compares the
 * ranks, and schema/reports/cluster prints the result. Functions return 0, or -1 with err. One thread.
 */
#ifndef MP_CLUSTER_CLUSTER_H
#define MP_CLUSTER_CLUSTER_H

#include "report/writer.h"
#include "store/db.h"

struct mp_out;

/* What an aggregate begins with. */
#define MP_AGGREGATE_BEGIN "{\"schema\": \"msprof.aggregate/1\""

enum { MP_AGGREGATE_SIZE_MAX = 8 << 20 };

/* Write the aggregate of the open database of a PROF directory, which has the tables of insight/advise.h. `name`:
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

/*
 * A writer of reports for documents whose members are tables: "TITLE": [ROW, ...].
 *
 * A row is an array of its cells, or with `objects` an object whose keys follow from the titles: "Step(us)" is step_us,
 * "Share(%)" share_percent. A missing value is null. Every title may occur once. The writer borrows its mp_out, which
 * keeps errors; the caller writes the braces. One thread at a time.
 */

enum { MP_ROWS_KEY_SIZE = 96 };

struct mp_rows_json {
	struct mp_writer writer;
	struct mp_out *out;
	bool objects;
	const char *const *titles; /* of the section; borrowed until its end */
	int columns;
	bool has_row;
};

void mp_rows_json_init(struct mp_rows_json *json, struct mp_out *out, bool objects);

/* Write the key of a title. */
void mp_rows_json_key(char key[MP_ROWS_KEY_SIZE], const char *title);

#endif

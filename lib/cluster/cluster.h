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

/* Tell where hosts stand, before mp_cluster_join: a line for each, a host and a rack. Other lines are an error. */
int mp_cluster_racks(struct mp_db *cluster, const char *text, const char *path, struct mp_error *err);

/*
 * One trace of all ranks, after mp_cluster_join: of these ranks, or of all if there are none, from a time after the
 * first event to another. Its times are those of the wall clock that the ranks share.
 */
struct mp_cluster_choice {
	int64_t from_ns, to_ns; /* INT64_MAX: to the end */
	const int64_t *ranks;
	size_t count;
};

/* Error: a rank that is not there. */
int mp_cluster_choose(struct mp_db *cluster, const struct mp_cluster_choice *choice, struct mp_error *err);

/* Write the steps and the collectives of the chosen ranks as a Perfetto trace; *events receives their number. */
int mp_cluster_trace(struct mp_db *cluster, struct mp_out *out, int64_t *events, struct mp_error *err);

/*
 * Where a chosen rank is: the number of its aggregate, from 1 on in the order of mp_cluster_add, and its device. Times
 * of its own wall clock are base_ns more than those of the trace; from_ns to to_ns of its own clock are wanted.
 */
struct mp_cluster_rank {
	int64_t doc, device_id, rank, base_ns, from_ns, to_ns;
};

/* Ask for all of them, in order: mp_cluster_rank_next gives 1, 0 at the end, or -1 with err. */
int mp_cluster_ranks(struct mp_query **ranks, struct mp_db *cluster, struct mp_error *err);
int mp_cluster_rank_next(struct mp_query *ranks, struct mp_cluster_rank *rank, struct mp_error *err);

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

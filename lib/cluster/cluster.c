/* cluster.c: puts the rows of aggregates into one private database. */
#include "cluster/cluster.h"

#include <stdio.h>
#include <string.h>

#include "base/json_check.h"
#include "base/schema.h"
#include "store/sql_script.h"

/* Groups of a training form a grid of few dimensions. */
enum { STEPS_MAX = 16 };

static int run(struct mp_db *db, const char *path, struct mp_error *err)
{
	return mp_script_run(db, path, mp_schema_text(path), err);
}

int mp_cluster_open(struct mp_db **cluster, struct mp_error *err)
{
	if (mp_db_private(cluster, err))
		return -1;
	/* one transaction: nobody else reads it */
	if (run(*cluster, "cluster/tables.sql", err) == 0 && mp_db_run(*cluster, "BEGIN", err) == 0)
		return 0;
	mp_db_close(*cluster);
	*cluster = NULL;
	return -1;
}

static int put_document(struct mp_db *db, const char *text, size_t len, struct mp_error *err)
{
	static const char sql[] = "UPDATE document SET id = id + 1, text = :text";
	struct mp_query *q;
	int status;

	if (mp_query_open(&q, db, sql, strlen(sql), err))
		return -1;
	status =
	    mp_query_bind(q, "text", &(struct mp_value){.type = MP_TEXT, .text = text, .len = (uint32_t)len}, err) ||
		    mp_query_next(q, err) < 0
		? -1
		: 0;
	mp_query_close(q);
	return status;
}

int mp_cluster_add(struct mp_db *cluster, const char *path, const char *text, size_t len, struct mp_error *err)
{
	struct mp_error why;

	if (len > MP_AGGREGATE_SIZE_MAX)
		return mp_fail(err, "'%s' is larger than %d MiB: not an aggregate", path, MP_AGGREGATE_SIZE_MAX >> 20);
	if (len < strlen(MP_AGGREGATE_BEGIN) || memcmp(text, MP_AGGREGATE_BEGIN, strlen(MP_AGGREGATE_BEGIN)) != 0 ||
	    !mp_json_is_object(text, len))
		return mp_fail(err, "'%s' is not an aggregate of 'msprof aggregate'", path);
	if (mp_db_run(cluster, "SAVEPOINT aggregate", err))
		return -1;
	if (put_document(cluster, text, len, err) == 0) {
		if (run(cluster, "cluster/load.sql", &why) == 0)
			return mp_db_run(cluster, "RELEASE aggregate", err);
		mp_error_set_kind(err, why.kind, "'%s' is not a valid aggregate: %s", path, why.text);
	}
	/* its first rows go, too */
	mp_db_run(cluster, "ROLLBACK TO aggregate; RELEASE aggregate", &why);
	return -1;
}

/* Clocks are known by the ranks that met: also of those that only met one that met the first. */
static int reach_clocks(struct mp_db *cluster, struct mp_error *err)
{
	int64_t reached = 1;
	int status = 0;

	for (int step = 0; !status && reached && step < STEPS_MAX; step++)
		status = run(cluster, "cluster/reach.sql", err) ||
				 mp_db_number(cluster, "SELECT changes()", 0, &reached, err)
			     ? -1
			     : 0;
	return status;
}

int mp_cluster_join(struct mp_db *cluster, struct mp_error *err)
{
	return run(cluster, "cluster/join.sql", err) || reach_clocks(cluster, err) ||
		       run(cluster, "cluster/tell.sql", err)
		   ? -1
		   : 0;
}

int mp_cluster_doubt(struct mp_db *cluster, char *text, size_t size, struct mp_error *err)
{
	static const char sql[] =
	    "SELECT group_concat(text, '; ') FROM (SELECT text FROM doubt ORDER BY rowid LIMIT 2)";
	struct mp_query *q;
	int status;

	text[0] = '\0';
	if (mp_query_open(&q, cluster, sql, sizeof(sql) - 1, err))
		return -1;
	status = mp_query_next(q, err);
	if (status == 1 && mp_query_value(q, 0).type == MP_TEXT)
		snprintf(text, size, "%.*s", (int)mp_text_of(mp_query_value(q, 0)).len, mp_query_text(q, 0));
	mp_query_close(q);
	return status < 0 ? -1 : 0;
}

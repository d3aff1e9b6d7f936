/* clickhouse.h: a connection to a shard of ClickHouse, for the files that use it. */
#ifndef MP_FLEET_CLICKHOUSE_H
#define MP_FLEET_CLICKHOUSE_H

#include "fleet/engine/http.h"

struct mp_clickhouse {
	struct mp_http *http;
	struct mp_http *bulk; /* for an INSERT that stays open while others are made */
	char database[MP_FLEET_NAME_SIZE], cluster[MP_FLEET_NAME_SIZE];
};

/* Run a statement whose answer is empty. Returns 0, or -1 with err. */
int mp_clickhouse_run(struct mp_clickhouse *c, const char *sql, struct mp_error *err);

/* Remove rows of a job and a load from all tables of the shard: `pairs` is "(JOB,LOAD),(JOB,LOAD)". */
int mp_clickhouse_remove(struct mp_clickhouse *c, const char *pairs, struct mp_error *err);

/* Load jobs (engine.h). */
int mp_clickhouse_load(void *connection, int in, int out, struct mp_error *err);

#endif

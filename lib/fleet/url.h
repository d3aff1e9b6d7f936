/*
 * url.h: where a fleet's database is: the value of `msprof publish --to`.
 *
 * A URL never holds a password: other users can read the arguments of a process. Nothing is allocated; any thread.
 */
#ifndef MP_FLEET_URL_H
#define MP_FLEET_URL_H

#include <stdbool.h>

#include "base/error.h"

/* A lake is a directory of files (lake.h). */
enum mp_fleet_engine { MP_FLEET_POSTGRESQL, MP_FLEET_CLICKHOUSE, MP_FLEET_LAKE };

enum { MP_FLEET_SHARD_MAX = 64, MP_FLEET_HOST_SIZE = 192, MP_FLEET_NAME_SIZE = 64, MP_FLEET_PATH_SIZE = 1024 };

struct mp_fleet_url {
	enum mp_fleet_engine engine;
	char path[MP_FLEET_PATH_SIZE]; /* of a lake */
	/* Of ClickHouse only; libpq reads the URL of PostgreSQL itself. */
	char hosts[MP_FLEET_SHARD_MAX][MP_FLEET_HOST_SIZE]; /* "host:port" of each shard */
	int host_count;                                     /* of PostgreSQL 1 */
	char user[MP_FLEET_NAME_SIZE], database[MP_FLEET_NAME_SIZE];
	char cluster[MP_FLEET_NAME_SIZE]; /* whose Distributed tables lie over the shards; "" for a single one */
	bool secure;                      /* HTTPS */
	bool clear;                       /* the URL says that a password may cross the network in clear */
};

/* The variable of the environment with ClickHouse's password. */
#define MP_FLEET_CLICKHOUSE_PASSWORD "MSPROF_CLICKHOUSE_PASSWORD"

/* Whether a host, "localhost", "127.0.0.1" or "::1", is this machine. */
bool mp_fleet_is_here(const char *host);

/* Read a URL. Returns 0, or -1 with err, which never shows the URL. */
int mp_fleet_url_parse(struct mp_fleet_url *url, const char *text, struct mp_error *err);

#endif

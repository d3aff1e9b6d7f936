/* clickhouse.h: a connection to a shard of ClickHouse, for the files that use it. */
#ifndef MP_FLEET_CLICKHOUSE_H
#define MP_FLEET_CLICKHOUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fleet/engine/engine.h"

/*
 * Requests of SQL over HTTP, as ClickHouse takes them.
 *
 * A connection belongs to one thread; free it with mp_http_free. Functions that return int give 0, or -1 with err. No
 * redirect is followed; an answer that is longer than it may be is an error.
 */

struct mp_http;

/* Confines the process as an engine does (engine.h). */
int mp_http_open(
    struct mp_http **http, const struct mp_fleet_url *url, int host, bool *is_confined, struct mp_error *err);
void mp_http_free(struct mp_http *http);

/* What is sent with a statement, and who takes the answer. A struct of zeros: nothing, and nobody. */
struct mp_http_body {
	const char *bytes; /* the whole body; or */
	size_t size;
	size_t (*next)(void *user, char *dst, size_t size); /* the next bytes; 0 at the end, MP_HTTP_STOP to give up */
	int (*take)(void *user, const char *bytes, size_t size, struct mp_error *err); /* of the answer */
	void *user;
};
#define MP_HTTP_STOP ((size_t)-1)

/* Run a statement in the database of the URL, or in none. An answer that nobody takes must be empty. */
int mp_http_run(
    struct mp_http *http, const char *sql, bool in_database, const struct mp_http_body *body, struct mp_error *err);

/* Run a statement whose answer is short: lines of columns separated by tabs. *text is valid until the next call. */
int mp_http_read(struct mp_http *http, const char *sql, const char **text, struct mp_error *err);

/* The same for a number: anything else is an error. */
int mp_http_number(struct mp_http *http, const char *sql, int64_t *number, struct mp_error *err);

struct mp_clickhouse {
	struct mp_http *http;
	struct mp_http *bulk; /* for an INSERT that stays open while others are made */
	char database[MP_FLEET_NAME_SIZE], cluster[MP_FLEET_NAME_SIZE];
	int days; /* for how long jobs are kept */
};

/* Run a statement whose answer is empty. Returns 0, or -1 with err. */
int mp_clickhouse_run(struct mp_clickhouse *c, const char *sql, struct mp_error *err);

/* Read loads, which the caller frees: `sql` gives columns job and load. *pairs is "(JOB,LOAD),(JOB,LOAD)", or NULL for
 * none. Returns 0, or -1 with err. */
int mp_clickhouse_pairs(struct mp_clickhouse *c, const char *sql, char **pairs, struct mp_error *err);

/* Remove rows of such loads from all tables of the shard but that of jobs. */
int mp_clickhouse_remove(struct mp_clickhouse *c, const char *pairs, struct mp_error *err);

/* Those of engine.h. */
int mp_clickhouse_script(void *connection, const char *text, struct mp_error *err);
int mp_clickhouse_sweep(void *connection, struct mp_error *err);
int mp_clickhouse_forget(void *connection, const struct mp_forget *which, int64_t *jobs, struct mp_error *err);
int mp_clickhouse_quote(void *connection, char *dst, size_t size, const char *text, struct mp_error *err);

/* Load jobs (engine.h). */
int mp_clickhouse_load(void *connection, int in, int out, struct mp_error *err);

#endif

/*
 * engine.h: an engine that a fleet's database is in. Only msprof-publish uses these files: msprof has no network.
 *
 * A connection belongs to one thread; close it with the engine's close. Functions that return int give 0, or -1 with
 * err, whose text may be a server's: sanitise it before a terminal shows it.
 */
#ifndef MP_FLEET_ENGINE_H
#define MP_FLEET_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "fleet/engine/reach.h"
#include "fleet/url.h"

struct mp_engine {
	const char *name; /* the folder of its texts: "postgresql" */
	/* Connect to a host of the URL. Before the first byte of a server is read the process is confined (reach.h),
	 * unless *is_confined. */
	int (*open)(void **connection, const char *text, const struct mp_fleet_url *url, int host, bool *is_confined,
	    struct mp_error *err);
	void (*close)(void *connection);
	/* The version of the tables that the server has; 0: none. */
	int (*version)(void *connection, int64_t *version, struct mp_error *err);
	/* Run the statements of a text of the schema, which end with ';' and a newline. */
	int (*script)(void *connection, const char *text, struct mp_error *err);
	/* Remove what loads left that were cut. */
	int (*sweep)(void *connection, struct mp_error *err);
	/* The statement that gives the jobs of a shard, one number a row; NULL: there are no shards. */
	const char *jobs;
	/* Ask one statement. */
	int (*ask)(void *connection, const char *sql, struct mp_answer *answer, struct mp_error *err);
	/* Write a text as a literal of SQL. */
	int (*quote)(void *connection, char *dst, size_t size, const char *text, struct mp_error *err);
	/* Load the jobs that come as frames of wire.h from `in`, with answers to `out`, until the end of the input. */
	int (*load)(void *connection, int in, int out, struct mp_error *err);
};

extern const struct mp_engine mp_engine_postgresql, mp_engine_clickhouse;

const struct mp_engine *mp_engine_of(enum mp_fleet_engine engine);

/* The version of the tables that this program loads. */
int64_t mp_engine_version_known(const struct mp_engine *engine);

/* Connect, and make the tables or bring them to this version; or fail where they are not of this version. */
int mp_engine_prepare(const struct mp_engine *engine, void *connection, struct mp_error *err);
int mp_engine_check(const struct mp_engine *engine, void *connection, const char *where, struct mp_error *err);

/* The ready questions of schema/fleet/ask. */

/* Read a question as a frame from `in`, ask it at the first host, and write the answer, of so many bytes at most, as
 * frames to `out`. Returns 0, or -1 with err. */
int mp_question_ask(
    const char *text, const struct mp_fleet_url *url, int64_t bytes_max, int in, int out, struct mp_error *err);

#endif

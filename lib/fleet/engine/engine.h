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
#include "fleet/url.h"

/*
 * What a client of a database may reach from the moment when it reads the first byte of a server: the network,
 * and the files that resolvers, TLS and Kerberos read. It writes no file and starts no program.
 */

/*
 * Confine the process, unless *is_confined, which becomes true; `files`, which ends with NULL, may be read or listed,
 * too. Returns 0, or -1 with err.
 */
int mp_reach_confine(const char *const *files, bool *is_confined, struct mp_error *err);

/*
 * How long a server may go on without giving what was asked for.
 *
 * Silence ends a conversation, and so do bytes that come too slowly: an answer is progress by each MP_PATIENCE_BYTES.
 * Nothing is allocated; one thread at a time.
 */

enum { MP_PATIENCE_BYTES = 64 << 10, MP_PATIENCE_S = 600 };

/* The variable of the environment with the seconds without progress. */
#define MP_PATIENCE_VARIABLE "MSPROF_MAX_SILENCE"

struct mp_patience {
	int64_t limit_ms, since_ms;
	int64_t bytes; /* since then */
};

/* The limit that the environment sets, or that of MP_PATIENCE_S. Returns 0, or -1 with err. */
int mp_patience_limit(int64_t *limit_ms, struct mp_error *err);

/* Something came that was asked for. */
void mp_patience_renew(struct mp_patience *patience);

/* Bytes of an answer came. */
void mp_patience_add(struct mp_patience *patience, int64_t bytes);

/* What is left; 0: the server is given up. */
int64_t mp_patience_left_ms(const struct mp_patience *patience);

/* Time in which somebody else is waited for does not count: it begins and ends, where `begun` is the first's result. */
int64_t mp_patience_pause(void);
void mp_patience_resume(struct mp_patience *patience, int64_t begun);

/* Store that the server was given up. Returns -1. */
int mp_patience_fail(const struct mp_patience *patience, const char *what, struct mp_error *err);

/* Takes an answer of a server, which may be any: its size is bounded. */

enum { MP_ANSWER_COLUMNS = 64, MP_ANSWER_ROWS = 1000000 };

/* What a column has by its type: others than whole numbers may be written without a point by one engine alone. */
enum mp_answer_kind { MP_ANSWER_TEXT, MP_ANSWER_NUMBER, MP_ANSWER_REAL };

/* Takes titles, which columns have numbers by their type, and rows, cells as text; a NULL cell is a NULL pointer.
 * Functions return 0, or -1 with err. */
struct mp_answer {
	void *user;
	int (*titles)(void *user, const char *const *titles, int count, struct mp_error *err);
	int (*numbers)(void *user, const char *kinds, int count, struct mp_error *err); /* of enum mp_answer_kind */
	int (*row)(void *user, const char *const *cells, const uint32_t *sizes, int count, struct mp_error *err);
	int64_t bytes_max; /* of all cells, each with its size */
	int64_t rows, bytes;
};

/* Count a row, and give it on. Returns 0, or -1 with err, which says what is too much. */
int mp_answer_row(
    struct mp_answer *answer, const char *const *cells, const uint32_t *sizes, int count, struct mp_error *err);

/* Which jobs are forgotten: those of a run, or those that were published longer ago. */
struct mp_forget {
	const char *run; /* or NULL */
	int days;
};

struct mp_engine {
	const char *name; /* the folder of its texts: "postgresql" */
	/* Connect to a host of the URL. Before the first byte of a server is read the process is confined,
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
	/* Remove jobs; *jobs is how many there were. */
	int (*forget)(void *connection, const struct mp_forget *which, int64_t *jobs, struct mp_error *err);
	/* The words before "(SELECT …)" of a condition, which all shards ask: of any number of rows; and, with a
	 * further parenthesis around it, of a few, by which rows of a large table are found. */
	const char *in, *among;
	/* The statement that gives the jobs of a shard, one number a row; NULL: there are no shards. */
	const char *jobs;
	/* Ask one statement. */
	int (*ask)(void *connection, const char *sql, struct mp_answer *answer, struct mp_error *err);
	/* Write a text as a literal of SQL. */
	int (*quote)(void *connection, char *dst, size_t size, const char *text, struct mp_error *err);
	/* Load the jobs that come as frames of wire.h from `in`, with answers to `out`, until the end of the input. */
	int (*load)(void *connection, int in, int out, struct mp_error *err);
};

/* Answer how many jobs were loaded; `why`: why they were not, or NULL. Returns 0, or -1 with err. */
int mp_engine_answer(int out, int64_t jobs, const char *why, struct mp_error *err);

extern const struct mp_engine mp_engine_postgresql, mp_engine_clickhouse;

const struct mp_engine *mp_engine_of(enum mp_fleet_engine engine);

/* The version of the tables that this program loads. */
int64_t mp_engine_version_known(const struct mp_engine *engine);

/* Connect, and make the tables or bring them to this version; or fail where they are not of this version. */
int mp_engine_prepare(const struct mp_engine *engine, void *connection, struct mp_error *err);
int mp_engine_check(const struct mp_engine *engine, void *connection, const char *where, struct mp_error *err);

/* The ready questions of schema/fleet/ask: read one as a frame from `in`, ask it at the first host, and write the
 * answer, of so many bytes at most, as frames to `out`. Returns 0, or -1 with err. */
int mp_question_ask(
    const char *text, const struct mp_fleet_url *url, int64_t bytes_max, int in, int out, struct mp_error *err);

#endif

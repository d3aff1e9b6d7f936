/*
 * db.h: an open database; queries and scripts on it, sums of rows, and teams of connections.
 *
 * Code that does not use SQLite sees the store through this header. The caller owns a database and its queries; close
 * the queries before their database. A database and its queries belong to one thread at a time. Functions that return
 * int give 0, or -1 with err, unless the comment says otherwise. Errors name the database and carry SQLite's message.
 */
#ifndef MP_STORE_DB_H
#define MP_STORE_DB_H

#include <stdbool.h>

#include "base/error.h"
#include "base/value.h"

/* Raised only when earlier programs must refuse a database. Another schema is known by its statements: db_schema.c. */
enum { MP_SCHEMA_VERSION = 5 };

struct mp_db;
struct mp_query;

/* The mechanisms beside SQLite, each a bit that switches one off. The results stay the same (docs/PERFORMANCE.md). */
enum mp_plain {
	MP_PLAIN_EXPRESSIONS = 1, /* SQLite computes the terms of a SELECT list, and reads the tables */
	MP_PLAIN_LEAVES = 2,      /* SQLite reads the tables */
	MP_PLAIN_PAGES = 4,       /* SQLite writes the rows */
	MP_PLAIN_THREADS = 8,     /* one thread does all work */
	MP_PLAIN_ALL = 15
};

/*
 * Open the database NAME in the directory dirfd for reading. Messages name the database `path`. The content is not
 * trusted, a link is an error, and SQLite ignores the files beside the database. Errors: file not found, not a
 * database, damaged, a newer schema version. A database of an older schema version opens.
 */
int mp_db_open(struct mp_db **db, int dirfd, const char *name, const char *path, struct mp_error *err);

/*
 * Open any SQLite file for reading, like mp_db_open but for the schema: the file may have any tables. Errors: also a
 * database of ours, which is no foreign one. Its queries fail once they took about a second of a processor together.
 */
int mp_db_open_foreign(struct mp_db **db, int dirfd, const char *name, const char *path, struct mp_error *err);

/* Open an empty private database in a temporary file, for rows of any kind. */
int mp_db_private(struct mp_db **db, struct mp_error *err);

/* Close and free a database. NULL is allowed. */
void mp_db_close(struct mp_db *db);

/* Run SQL statements and ignore their rows. */
int mp_db_run(struct mp_db *db, const char *sql, struct mp_error *err);

/*
 * The user's choice: a job, one of its models, and a range of iterations. Reports read the choice from the temporary
 * table `choice`. Without mp_db_choose the choice is iteration 1 of any model.
 */
struct mp_choice {
	const char *job;   /* the name of the job's directory */
	const char *label; /* the name given by the user, or NULL */
	const char *dir;   /* the job's path as given, as one word of a shell; NULL: not known */
	int64_t model_id;  /* -1: any model */
	int64_t iteration_id;
	int64_t iteration_count;
	bool chosen; /* false: the values are defaults; a report that needs no choice exports all rows */
	/* For tables in the terminal. */
	int64_t step;         /* the number of an inference or iteration; -1: any */
	bool each_step;       /* a table for each of them */
	const char *grouping; /* what the rows of an overview are: "name", "type", "layer", "stream" */
};
int mp_db_choose(struct mp_db *db, const struct mp_choice *choice, struct mp_error *err);

/*
 * Set the timeline layers that the user does not want: the members of the object "json_process" that are false. Reports
 * read the layers from the temporary table `unwanted`. Errors: invalid JSON, no object "json_process", or a member that
 * is neither true nor false.
 */
int mp_db_unwanted(struct mp_db *db, const char *json, struct mp_error *err);

/*
 * What the user wants of the time, the devices and the models of a job. Reports read it from the temporary tables
 * `time_range`, `wanted_device` and `choice`, at the places of report/report.h.
 */
enum mp_limit { MP_LIMIT_TIME = 1, MP_LIMIT_DEVICES = 2, MP_LIMIT_MODEL = 4, MP_LIMIT_STEP = 8 };

/* Want what touches from_ns to to_ns of a clock, "host" or "device". */
int mp_db_want_time(struct mp_db *db, const char *clock, int64_t from_ns, int64_t to_ns, struct mp_error *err);

/* Want a device, beside those wanted before. */
int mp_db_want_device(struct mp_db *db, int64_t device_id, struct mp_error *err);

/* Want the model (MP_LIMIT_MODEL) or the step (MP_LIMIT_STEP) of mp_db_choose alone. */
void mp_db_want_choice(struct mp_db *db, enum mp_limit limit);

/* Returns the limits in force, a set of enum mp_limit. */
unsigned mp_db_limits(const struct mp_db *db);

/* Prepare one statement of len bytes. Close the query with mp_query_close. */
int mp_query_open(struct mp_query **q, struct mp_db *db, const char *sql, size_t len, struct mp_error *err);

/* Like mp_query_open, for many rows: an engine (connection.h) may compute the rows in place of SQLite's interpreter. */
int mp_query_open_rows(struct mp_query **q, struct mp_db *db, const char *sql, size_t len, struct mp_error *err);

/*
 * Prepare the one SELECT that a user wrote. It may read every table, and change nothing: all other statements are
 * errors.
 */
int mp_query_open_select(struct mp_query **q, struct mp_db *db, const char *sql, struct mp_error *err);

/* Bind a value to the parameter :name. Without such a parameter nothing happens. `text` may be NULL. */
int mp_query_bind(struct mp_query *q, const char *name, const struct mp_value *value, struct mp_error *err);
int mp_query_bind_int(struct mp_query *q, const char *name, int64_t value, struct mp_error *err);
int mp_query_bind_text(struct mp_query *q, const char *name, const char *text, struct mp_error *err);

/* A list of values, as two arguments: the list, and that its end is marked. Parameters have numbers in the order of
 * their first use. */
enum { MP_VALUES_END = UINT16_MAX };
#define MP_VALUES(...) (const struct mp_value[]){__VA_ARGS__, {.i = 0, .type = MP_VALUES_END}}, -1

/*
 * Bind values to the first parameters, and run a statement without rows. The query can be used again. Not for queries
 * of mp_query_open_rows.
 */
int mp_query_put(struct mp_query *q, const struct mp_value *values, int count, struct mp_error *err);

/* The same for a statement that is run once. */
int mp_db_put(struct mp_db *db, const char *sql, const struct mp_value *values, int count, struct mp_error *err);

/*
 * Open a query, bind values to its first parameters, and go to its first row. Returns 1 for a row, 0 for none, -1 on
 * error. Close the query in any case.
 */
int mp_query_ask(struct mp_query **q, struct mp_db *db, const char *sql, const struct mp_value *values, int count,
    struct mp_error *err);

/* Makes errors of the rows name a line of a text below schema/. The path must stay valid. */
void mp_query_locate(struct mp_query *q, const char *path, int line);

/* Returns 1 for a row, 0 at the end, -1 on error. */
int mp_query_next(struct mp_query *q, struct mp_error *err);

/* Go back to before the first row. Bound values stay. */
void mp_query_rewind(struct mp_query *q);

/* Returns the number of columns. */
int mp_query_column_count(const struct mp_query *q);

/* Returns the alias of a column, valid until the query is closed. */
const char *mp_query_title(const struct mp_query *q, int column);

/*
 * Returns a value of the current row; a blob is a text. A text is valid until the next call of mp_query_next.
 */
struct mp_value mp_query_value(const struct mp_query *q, int column);

/* Returns an integer of the current row, or 0; a text, or "". */
static inline int64_t mp_query_int(const struct mp_query *q, int column)
{
	return mp_int_of(mp_query_value(q, column));
}
static inline const char *mp_query_text(const struct mp_query *q, int column)
{
	return mp_text_of(mp_query_value(q, column)).text;
}

/* Store the first `count` values of the current row. */
void mp_query_row(const struct mp_query *q, struct mp_value *values, int count);

/* Close a query. NULL is allowed. */
void mp_query_close(struct mp_query *q);

/* Store the integer in the first column of the first row of a query, or `otherwise` when not found. */
int mp_db_number(struct mp_db *db, const char *sql, int64_t otherwise, int64_t *value, struct mp_error *err);

/* The size of the database in bytes. */
int mp_db_size(struct mp_db *db, int64_t *bytes, struct mp_error *err);

/*
 * A script is a list of statements without results. The line "-- @when CONDITION" begins a section, which the line
 * "-- @end" ends. The condition is an SQL expression, evaluated once. A section whose condition is not true is skipped.
 * Sections do not nest.
 */

/* May run statements in place of SQLite. */
struct mp_script_runner {
	void *user;
	/* Returns 1 when the statement was run, 0 when SQLite must run it, -1 with err. */
	int (*run)(void *user, const char *sql, struct mp_error *err);
};

/* Run a script. `path` is the path of the text below schema/. Returns 0, or -1 with "schema/PATH:LINE: REASON". */
int mp_script_run(struct mp_db *db, const char *path, const char *text, struct mp_error *err);

/* Run the script schema/PATH, which must be there. */
int mp_script_run_file(struct mp_db *db, const char *path, struct mp_error *err);

/* Run a script; `runner` is asked first for each statement outside conditions. NULL is allowed. */
int mp_script_run_by(
    struct mp_db *db, const char *path, const char *text, const struct mp_script_runner *runner, struct mp_error *err);

/*
 * Group the rows of a query by hashing, where GROUP BY would sort millions of rows: run it to its end, and fill
 * temp.tally anew.
 *
 * The query has 1 to 8 key columns, a column `value`, and optionally a column `also`. The result is the temporary table
 * tally. Its columns are the keys (k1, k2, ...); count, total, longest, shortest and squares (the sum of squares) of
 * `value`; and also_total. Totals saturate. Memory is bounded: a key may get several rows when the groups are many, so
 * the reader must still GROUP BY the keys.
 */
int mp_tally(struct mp_db *db, struct mp_query *rows, struct mp_error *err);

/*
 * Several connections to one database, one for each thread that reads. All see the same file and the same choice of the
 * user. A team owns all connections but the first, which is the caller's. A connection that cannot be opened is no
 * error: the team is smaller then. The caller's thread begins, grows and ends the team.
 */
enum { MP_TEAM_MAX = 8 };

struct mp_team {
	struct mp_db *dbs[MP_TEAM_MAX]; /* the first connection is the caller's */
	int count, wanted;              /* open connections, and the number to open */
};

/* Returns the number of processors that this process may use, at most MP_TEAM_MAX. */
int mp_team_processors(void);

/* Begin a team of one connection that may grow to `wanted`. End the team before closing the database. */
void mp_team_begin(struct mp_team *team, struct mp_db *db, int wanted);

/* Open the further connections. A private database gets no further connection. */
void mp_team_grow(struct mp_team *team);

/* Close the connections that the team opened. */
void mp_team_end(struct mp_team *team);

#endif

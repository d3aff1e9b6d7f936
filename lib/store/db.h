/*
 * db.h: an open database and queries on it.
 *
 * The store is the only user of SQLite; others see this header. A database and
 * its queries belong to one thread. Errors carry SQLite's message and name the
 * database. Close queries before their database.
 */
#ifndef MP_STORE_DB_H
#define MP_STORE_DB_H

#include <stdbool.h>

#include "base/error.h"
#include "base/value.h"

/* Raised only when earlier programs must refuse a database. Another schema is known by its statements: db_compare.c. */
enum { MP_SCHEMA_VERSION = 3 };

struct mp_db;
struct mp_query;

/*
 * Mechanisms beside SQLite that can be switched off, each a bit. Results do not depend on them. See
 * docs/PERFORMANCE.md.
 */
enum mp_plain {
	MP_PLAIN_EXPRESSIONS = 1, /* terms of a SELECT list are computed by SQLite; so are LEAVES */
	MP_PLAIN_LEAVES = 2,      /* tables are read by SQLite */
	MP_PLAIN_PAGES = 4,       /* rows are written by SQLite */
	MP_PLAIN_THREADS = 8,     /* one thread */
	MP_PLAIN_ALL = 15
};

/*
 * Open the database NAME in the directory dirfd for reading; messages call it `path`. Nothing in it is trusted, links
 * are not followed, and no file beside it is looked at. Errors: not there, not a database, damaged, of a newer schema
 * version. An older version opens: it is not fresh.
 */
int mp_db_open(struct mp_db **db, int dirfd, const char *name, const char *path, struct mp_error *err);
void mp_db_close(struct mp_db *db);

/* Run a script of statements without results. */
int mp_db_run(struct mp_db *db, const char *sql, struct mp_error *err);

/*
 * What the user chose: a job, of it a model (-1: any), and that many iterations from iteration_id on. Reports
 * find it in the temporary table `choice`; without this call it is iteration 1 of any model.
 */
struct mp_choice {
	const char *job;   /* the name of its directory */
	const char *label; /* what a person calls it, or NULL */
	int64_t model_id;
	int64_t iteration_id;
	int64_t iteration_count;
	bool chosen; /* false: nobody asked; what has no use for a default is exported whole */
};
int mp_db_choose(struct mp_db *db, const struct mp_choice *choice, struct mp_error *err);

/*
 * The layers of timelines that the user does without: the members of the object "json_process" of a JSON text that are
 * false. Reports find them in the temporary table `unwanted`. Refuses what is no such text.
 */
int mp_db_unwanted(struct mp_db *db, const char *json, struct mp_error *err);

/* Prepare one statement of len bytes. */
int mp_query_open(struct mp_query **q, struct mp_db *db, const char *sql, size_t len, struct mp_error *err);

/* The same for many rows: terms of the SELECT list are computed outside SQLite's interpreter where that is exact. */
int mp_query_open_rows(struct mp_query **q, struct mp_db *db, const char *sql, size_t len, struct mp_error *err);

/* Give the parameter :name a value; a statement without that parameter ignores it. */
int mp_query_bind(struct mp_query *q, const char *name, const struct mp_value *value, struct mp_error *err);
int mp_query_bind_int(struct mp_query *q, const char *name, int64_t value, struct mp_error *err);
int mp_query_bind_text(struct mp_query *q, const char *name, const char *text, struct mp_error *err);

/* The parameter of that number, from 1 on; it must be there. Not for queries that were opened for many rows. */
int mp_query_bind_at(struct mp_query *q, int index, int64_t value, struct mp_error *err);
int mp_query_bind_value(struct mp_query *q, int index, struct mp_value value, struct mp_error *err);

/* 1: a row is there, 0: no more, -1: error. */
int mp_query_next(struct mp_query *q, struct mp_error *err);

/* Back to before the first row; bound values stay. */
void mp_query_rewind(struct mp_query *q);

int mp_query_column_count(const struct mp_query *q);

/* The alias of a column; valid until close. */
const char *mp_query_title(const struct mp_query *q, int column);

/* A value of the current row; text is valid until the next call of mp_query_next. */
struct mp_value mp_query_value(const struct mp_query *q, int column);

/* The first `count` values of the row; members that the type of a value does not name are undefined. */
void mp_query_row(const struct mp_query *q, struct mp_value *values, int count);

void mp_query_close(struct mp_query *q);

/* The first column of the first row of a query, as an integer; `otherwise` when there is none. */
int mp_db_number(struct mp_db *db, const char *sql, int64_t otherwise, int64_t *value, struct mp_error *err);

#endif

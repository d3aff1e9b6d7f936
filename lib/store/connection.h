/*
 * connection.h: a connection to a database, for the folders that use SQLite: store, expr, join, import.
 *
 * A connection owns all its members but `source` and `engine`; mp_db_close frees the connection. One thread at a time
 * uses a connection. Functions that return int give 0, or -1 with err, unless the comment says otherwise.
 */
#ifndef MP_STORE_CONNECTION_H
#define MP_STORE_CONNECTION_H

#include "raw/layout.h"
#include "row/cell.h"
#include "row/rows.h"
#include "store/db.h"

/*
 * The rows of a query in place of SQLite's interpreter: the values and types that SQLite would give. lib/expr makes
 * them, with this struct first in its own. The query owns them, and its statement outlives them.
 */
struct mp_engine_rows {
	struct mp_rows base;
	const struct mp_source *source; /* that the rows are made of, or NULL */
	bool alone;                     /* no statement of SQLite gives the rows; before the first row: perhaps */
	bool failed;                    /* a row had an error: the query must not be used again */
	/* Binds a value to the parameter with this number in the statement. Returns 0, or -1 on error. */
	int (*bind)(struct mp_engine_rows *rows, int parameter, const struct mp_value *value, struct mp_error *err);
	/* Goes back to before the first row. Returns an SQLite code. */
	int (*rewind)(struct mp_engine_rows *rows);
	void (*close)(struct mp_engine_rows *rows);
};

/* Makes rows for the query of a statement; *rows is NULL when SQLite must give them. Returns 0, or -1 on error. */
typedef int mp_engine(struct mp_engine_rows **rows, struct mp_db *db, sqlite3_stmt *statement, struct mp_error *err);

enum { MP_ONCE_MAX = 8 };

struct mp_db {
	sqlite3 *handle;
	int fd;                 /* the descriptor of a file opened for reading, owned; else -1 */
	struct mp_maps *maps;   /* the maps of SQL functions and virtual tables (map.h) */
	struct mp_words *words; /* the dictionaries (words.h) */
	bool words_out;         /* dictionaries have more rows than they may keep */
	int64_t version;        /* of the schema */
	/* The file does not change: the program may read its pages, and keeps closed queries. */
	bool fixed;
	struct mp_query *kept;         /* closed queries, the latest first */
	struct mp_source *source;      /* a temporary table whose rows the program makes, or NULL */
	mp_engine *engine;             /* gives rows in place of SQLite; NULL: SQLite gives all rows */
	bool narrowed;                 /* temporary tables hide some of the file's (schema/sql/prof/chosen.sql) */
	const char *once[MP_ONCE_MAX]; /* the texts of temporary tables that are there (mp_db_once) */
	int once_count;
	unsigned limits;   /* what the user wants: bits of enum mp_limit */
	unsigned plain;    /* mechanisms that stay unused: bits of enum mp_plain */
	bool full;         /* the disk was full */
	bool foreign;      /* the schema is not of this build: its views must not run */
	int foreign_steps; /* what a foreign database has cost so far (mp_db_open_foreign) */
	bool renewed;      /* a private copy of a database of another schema (mp_db_renew) */
	char path[4096];   /* for messages; "" for a private database */
};

/* Store the sentence "DOING 'PATH': SQLite's message"; mp_db_fail also returns -1. */
#define mp_db_fail(db, err, doing) (mp_db_error(db, err, doing), mp_failed())
void mp_db_error(struct mp_db *db, struct mp_error *err, const char *doing);

/*
 * Connect to the file behind fd, or to a new private database (fd -1). The connection has the settings and functions
 * of this program. The descriptor stays the caller's, open until mp_db_close. Messages name the database `path`.
 */
int mp_db_connect(struct mp_db **db, int fd, const char *path, struct mp_error *err);

/* Run the statements of `sql`, and free it. Returns 0, or -1 with err. */
int mp_db_run_built(struct mp_db *db, sqlite3_str *sql, struct mp_error *err);

/* Attach the empty file behind fd to a connection under a name. The descriptor stays the caller's. */
int mp_db_attach(struct mp_db *db, int fd, const char *name, struct mp_error *err);

/*
 * Run the scripts of steps of an import, a list that ends with NULL. To make what a database has, scripts of all
 * families run first; to derive from its rows, those of the family do. A family may have no script for a step.
 */
#define MP_STEPS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define MP_STEPS_TABLES MP_STEPS("tables", "rates", "records", "kinds")
#define MP_STEPS_VIEWS MP_STEPS("sums", "views") /* sums: those that an older schema lacks; all rows are stored */
int mp_db_make(struct mp_db *db, enum mp_family family, const char *const *steps, struct mp_error *err);
int mp_db_derive(struct mp_db *db, enum mp_family family, const char *const *steps, struct mp_error *err);

/*
 * Returns script i of a step ("tables", "views", ...): 0 is that of all families, 1 that of families with samples, 2
 * that of this family; and its path below schema/. NULL: there is none.
 */
enum { MP_STEP_SCRIPTS = 3, MP_SCRIPT_PATH = 64 };
const char *mp_schema_script(char path[MP_SCRIPT_PATH], enum mp_family family, const char *step, int i);

/* Returns the family named in the table meta, or MP_FAMILY_SVP when the name is missing or unknown. */
enum mp_family mp_db_family(struct mp_db *db);

/* Set db->foreign by comparing the schema with the one of this build. */
int mp_db_compare_schema(struct mp_db *db, struct mp_error *err);

/* Run a statement without rows, with the place of each value; the values are not copied. */
int mp_query_put_row(struct mp_query *q, const struct mp_value *const *values, int count, struct mp_error *err);

/* Returns the rows of a query, for a sink: those of the engine, if it gives them. The query owns them. */
struct mp_rows *mp_query_rows(struct mp_query *q);

/* Returns what the engine gives for a query; NULL: SQLite gives the rows. */
const struct mp_engine_rows *mp_query_engine(const struct mp_query *q);

/* Convert the cycles of a task to microseconds. Returns false when the time is unknown. */
bool mp_core_us(int64_t cycles, int64_t mhz, int64_t blocks, int64_t cores, double *us);

/* Register SQL functions (functions.c), and virtual tables (tables.c; sets db->maps). Returns an SQLite code. */
int mp_functions_register(sqlite3 *handle);
int mp_tables_register(struct mp_db *db);

#endif

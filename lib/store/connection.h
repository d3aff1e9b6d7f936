/* connection.h: a connection to a database, for the rooms that use SQLite: store, fast, prof, import. */
#ifndef MP_STORE_CONNECTION_H
#define MP_STORE_CONNECTION_H

#include <sqlite3.h>

#include "raw/family.h"
#include "store/db.h"

struct mp_db {
	sqlite3 *handle;
	int fd;                 /* of a file that is read, which goes with the connection; else -1 */
	struct mp_maps *maps;   /* of its functions, see map.h */
	struct mp_words *words; /* see words.h */
	bool words_out;         /* some of their rows wait to be freed */
	int64_t version;        /* of the schema */
	bool fixed; /* a file that does not change: its pages may be read, and queries that were closed are kept */
	struct mp_query *kept;              /* the one closed last first */
	const struct mp_row_source *source; /* rows of a temporary table that this program makes, or NULL */
	const struct mp_row_engine *engine; /* gives rows in place of SQLite; NULL: SQLite gives all rows */
	unsigned plain;                     /* mechanisms that stay unused: bits of enum mp_plain */
	bool full;                          /* there was no space for what was written past SQLite */
	bool foreign;                       /* the schema is none of this build: nothing in it may be run */
	bool renewed;                       /* it stands for a database of another schema: see mp_db_renew */
	char path[4096];                    /* for messages; "" for a private database */
};

/* "DOING 'PATH': SQLite's message" */
#define mp_db_fail(db, err, doing) (mp_db_error(db, err, doing), mp_failed())
void mp_db_error(struct mp_db *db, struct mp_error *err, const char *doing);

/*
 * A connection with the settings and functions of this program to the file behind fd, which stays the caller's and open
 * as long; -1: to a private database. Messages call it `path`.
 */
int mp_db_connect(struct mp_db **db, int fd, const char *path, struct mp_error *err);

/* The empty file behind fd as a further database of a connection; the descriptor stays the caller's. */
int mp_db_attach(struct mp_db *db, int fd, const char *name, struct mp_error *err);

/* One more connection to the very file of a database that mp_db_open opened. */
int mp_db_open_again(struct mp_db **again, const struct mp_db *db, struct mp_error *err);

/* The tables of a family, in an empty database. */
int mp_db_make_tables(struct mp_db *db, enum mp_family family, struct mp_error *err);

/* All records are loaded: names, clocks, joins; then, with the tasks stored: what is rarer, notes, views. */
int mp_db_join(struct mp_db *db, enum mp_family family, struct mp_error *err);
int mp_db_finish(struct mp_db *db, enum mp_family family, struct mp_error *err);

/* What users query, once all rows are there; sums that an older schema does not have are made first. */
int mp_db_make_views(struct mp_db *db, enum mp_family family, struct mp_error *err);

/* The texts of a step ("tables", "views", ...): of all families, of those with samples of the same kinds, of this one.
 * Not each is there. */
struct mp_schema_step {
	char paths[3][64];
	int count;
};
void mp_schema_step(struct mp_schema_step *s, enum mp_family family, const char *step);

/* The family that the database says it is of; any when it says nothing. */
enum mp_family mp_db_family(struct mp_db *db);

/* Set db->foreign. */
int mp_db_compare_schema(struct mp_db *db, struct mp_error *err);

/* The current row of a query as pointers to its values. NULL: SQLite gives the rows; use mp_query_value. */
struct mp_scalar;
const struct mp_scalar *const *mp_query_scalars(const struct mp_query *q);

/* Returns whether an engine takes the rows of that source for the query. */
bool mp_query_takes(const struct mp_query *q, const struct mp_row_source *source);

/* The result of a function of SQL. */
void mp_result(sqlite3_context *context, const struct mp_value *v);

/* A task's cycles as time; false: it is not known. */
bool mp_core_us(int64_t cycles, int64_t mhz, int64_t blocks, int64_t cores, double *us);

/* decimal(), repr(), ...: see functions.c */
int mp_functions_register(sqlite3 *handle);
int mp_maps_register(struct mp_db *db);            /* see maps.c; sets db->maps */
int mp_functions_register_ascend(sqlite3 *handle); /* see functions_ascend.c */
int mp_numbers_register(sqlite3 *handle);          /* see numbers.c */

#endif

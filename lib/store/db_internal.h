/* db_internal.h: what the files of store/ share. The only header that knows SQLite. */
#ifndef MP_STORE_DB_INTERNAL_H
#define MP_STORE_DB_INTERNAL_H

#include <sqlite3.h>

#include "raw/family.h"
#include "store/db.h"

struct mp_db {
	sqlite3 *handle;
	struct mp_maps *maps; /* of its functions, see map.h */
	struct mp_words *words; /* see words.h */
	bool words_out;         /* some of their rows wait to be freed */
	int64_t version; /* of the schema */
	bool fixed;              /* a file that does not change: its pages may be read, and queries that were closed are kept */
	struct mp_query *kept;   /* the one closed last first */
	const struct mp_row_source *source; /* rows of a temporary table that need no SQLite, or NULL; see cell_table.h */
	bool full;       /* there was no space for what was written past SQLite */
	bool foreign;    /* the schema is none of this build: nothing in it may be run */
	char path[4096]; /* for messages; "" for a private database */
};

/* "DOING 'PATH': SQLite's message" */
#define mp_db_fail(db, err, doing) (mp_db_error(db, err, doing), mp_failed())
void mp_db_error(struct mp_db *db, struct mp_error *err, const char *doing);

/* A connection with the settings and functions of this program; messages call it `path`. */
int mp_db_connect(struct mp_db **db, const char *uri, const char *path, int flags, const char *vfs,
    struct mp_error *err);

/* One more connection to the file of an open database, believed to be the same: the caller sees to that. */
int mp_db_open_again(struct mp_db **again, const struct mp_db *db, struct mp_error *err);

/* The tables of a family, in an empty database. */
int mp_db_make_tables(struct mp_db *db, enum mp_family family, struct mp_error *err);

/* All records are loaded: names, clocks, joins; then, with the tasks stored: what is rarer, notes, views. */
int mp_db_join(struct mp_db *db, enum mp_family family, struct mp_error *err);
int mp_db_finish(struct mp_db *db, enum mp_family family, struct mp_error *err);

/* The texts of a step ("tables", "views", ...): of all families, of those with samples of the same kinds, of this one. Not each is there. */
struct mp_schema_step {
	char paths[3][64];
	int count;
};
void mp_schema_step(struct mp_schema_step *s, enum mp_family family, const char *step);

/* Set db->foreign. */
int mp_db_compare_schema(struct mp_db *db, struct mp_error *err);

/* The row of a query whose columns are all cells, as they are (see cells.h); NULL: it is SQLite's. */
struct mp_scalar;
const struct mp_scalar *const *mp_query_cells(const struct mp_query *q);

/* The result of a function of SQL. */
void mp_result(sqlite3_context *context, const struct mp_value *v);

/* A task's cycles as time; false: it is not known. */
bool mp_core_us(int64_t cycles, int64_t mhz, int64_t blocks, int64_t cores, double *us);

/* decimal(), repr(), ...: see functions.c */
int mp_functions_register(sqlite3 *handle);
int mp_maps_register(struct mp_db *db);            /* see maps.c; sets db->maps */
int mp_functions_register_ascend(sqlite3 *handle); /* see functions_ascend.c */

#endif

/* import_internal.h: steps of lib/import, for its files only. The caller keeps all arguments. */
#ifndef MP_IMPORT_INTERNAL_H
#define MP_IMPORT_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "import/import.h"
#include "report/report.h"
#include "store/load.h"

/*
 * Store the facts of the job: rows of meta, device, control and source, and notes about assumptions. Returns 0, or -1
 * with err.
 */
int mp_import_job(struct mp_load *load, const struct mp_import_options *options, struct mp_error *err);

/*
 * Make a private database with the schema of this build from one of another schema. It gets the rows of the tables and
 * columns that both schemas have, or of the table `only` unless NULL. Returns 0, or -1 with err.
 */
int mp_db_renew(struct mp_db **renewed, struct mp_db *old, const char *only, struct mp_error *err);

/* A hash of the scripts that a database of a job is made by: one with another hash was made by another schema. */
uint64_t mp_db_made_by(void);

/* A new database, which the name "out" is attached to while it is filled. */
struct mp_new_db {
	int dirfd; /* a locked directory, `dir` in messages */
	const char *dir, *part, *name;
	unsigned stamp;   /* its user_version */
	bool keeps_empty; /* tables without rows are there, too */
	bool or_nothing;  /* without a table there is no file */
	/* Make its tables. Returns 0, or -1 with err. */
	int (*fill)(struct mp_db *db, const struct mp_new_db *new, int fd, const char *label, struct mp_error *err);
	void *user;
};

/* Write it as PART, and rename that. Returns 1; 0 where there is no file; -1 with err: an earlier file is unchanged. */
int mp_new_db_write(struct mp_db *db, const struct mp_new_db *new, struct mp_error *err);

/*
 * Compare the tables of a board's own tool below summary/ with what the database makes of the job, and put the result
 * into data_check: a proof, a contradiction, or a doubt about tables of other data. Needs all views.
 */
int mp_beside_compare(struct mp_db *db, const struct mp_job *job, struct mp_error *err);

/*
 * A file of another tool beside the data of a job, and what came of its comparison. For the files
 * beside*.c. Functions return 0, or -1 with err. One thread.
 */

/* What is compared: a file, and the report whose rows for the current row of `each` it should have. */
struct mp_beside {
	struct mp_db *db;
	enum mp_family family;
	int dirfd;
	const char *label; /* of the directory, below the job */
	const char *name;  /* of the file */
	const struct mp_report *report;
	const struct mp_query *each;
	enum mp_style style;
};

/* What was compared of a kind of data in tables. */
struct mp_beside_tally {
	const char *about;
	int64_t cells, differ; /* or rows */
	char file[512], found[256];
};

enum { MP_BESIDE_KINDS = 3 };

struct mp_beside_sums {
	struct mp_beside_tally tallies[MP_BESIDE_KINDS];
	int64_t theirs;       /* rows of theirs */
	int64_t ours, absent; /* rows of ours, and those that tables lack */
	size_t steps;         /* of the search for rows, in all tables */
	bool cut;             /* the search has ended before its tables did */
};

/* Compare a table, cell by cell. *fits tells whether it has the titles of the report. */
int mp_beside_table(const struct mp_beside *b, struct mp_beside_sums *sums, bool *fits, struct mp_error *err);

/*
 * Compare a trace, event by event. *fits tells whether it is whole and has tasks or calls. The scripts
 * beside/events.sql and beside/end.sql run before the first trace and after the last.
 */
int mp_beside_trace(const struct mp_beside *b, struct mp_beside_sums *sums, bool *fits, struct mp_error *err);

/*
 * A CSV table of another tool, in memory. Its bytes are hostile; its size is bounded.
 *
 * One thread. The table owns its text and cells.
 */

enum { MP_THEIR_COLUMNS_MAX = 128 };

/* Cells lie in the text, row by row; the first row has the titles. */
struct mp_their_table {
	char *text, **cells;
	size_t count;
	int columns;
	int decimals[MP_THEIR_COLUMNS_MAX]; /* the most of a cell of a column */
};

/* Read a file of a directory. Returns 0, 1 for a file that is no table, or -1 with err. Free the table in any case. */
int mp_their_table_read(struct mp_their_table *table, int dirfd, const char *name, struct mp_error *err);
void mp_their_table_free(struct mp_their_table *table);

/* Returns whether a cell says that there is no value. */
bool mp_their_table_says_nothing(const char *cell);

/*
 * Returns whether a cell of the table says what ours says: numbers may differ by one in the last digit of the side that
 * has fewer, and names may be cut by '~', or in another encoding, which says nothing.
 */
bool mp_their_table_is_same(const struct mp_their_table *table, int column, const char *ours, const char *theirs);

#endif

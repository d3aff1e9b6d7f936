/*
 * beside_internal.h: a file of another tool beside the data of a job, and what came of its comparison. For the files
 * beside*.c. Functions return 0, or -1 with err. One thread.
 */
#ifndef MP_IMPORT_BESIDE_INTERNAL_H
#define MP_IMPORT_BESIDE_INTERNAL_H

#include "import/import_internal.h"
#include "report/report.h"

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
 * Compare a trace, event by event. *fits tells whether it is whole and has tasks or calls. What came of all is put into
 * data_check at the end.
 */
int mp_beside_traces_begin(struct mp_db *db, struct mp_error *err);
int mp_beside_trace(const struct mp_beside *b, struct mp_beside_sums *sums, bool *fits, struct mp_error *err);
int mp_beside_traces_end(struct mp_db *db, struct mp_error *err);

#endif

/*
 * learn.h: finds where the hardware's counters are in the aicore records of a job, from the tables that the board's own
 * tool made of them, and proves it by making these tables again.
 *
 * The caller opens the job with the built-in layouts, keeps it, and frees what was learned with mp_learned_free.
 * Nothing is written to the job. One thread at a time.
 */
#ifndef MP_LEARN_LEARN_H
#define MP_LEARN_LEARN_H

#include "learn/records.h"

/* How one table came out. */
struct mp_proof_line {
	const char *name;    /* of the table; borrowed */
	size_t cells, equal; /* compared, and equal */
	size_t unknown;      /* columns that were not compared, because their title is unknown */
	char first[256];     /* the first difference: row, column, both values; or "" */
};

struct mp_learned {
	struct mp_references refs;
	struct mp_records records;
	struct mp_row_match match;
	struct mp_learn_finding findings[MP_COUNTERS];
	struct mp_proof_line *proof; /* one a table */
	size_t proof_count;
	char *text;         /* of a .rec file with the layout; NULL when nothing was found */
	bool is_proven;     /* every cell of every table came out, and every counter has one place */
	bool is_guess;      /* there were no tables */
	char sentence[512]; /* why nothing was found */
	struct mp_work work;
	char not_searched[256]; /* how far the search came before its work ended; "": to the end */
};

/* Where to learn from, and who is told of progress. */
struct mp_learn_options {
	const char *const *from; /* files and directories with tables; else those below summary of the job */
	size_t from_count;
	void (*progress)(void *user, int64_t done, int64_t total); /* may be NULL */
	void *progress_user;
};

/*
 * Learn from tables of the job. Returns 0, or -1 with err. To find nothing is no error, nor is a search that ends
 * before its end: the work is bounded by the records and rows that there are.
 */
int mp_learn(
    struct mp_learned *learned, const struct mp_job *job, const struct mp_learn_options *options, struct mp_error *err);
void mp_learned_free(struct mp_learned *learned);

/* Why what was learned from tables is not proven, as one text: "not every counter has one place, not every cell came
 * out". Returns `text`, which is "" where it is proven. */
enum { MP_DOUBTS_SIZE = 256 };
const char *mp_learned_doubts(const struct mp_learned *learned, char text[MP_DOUBTS_SIZE]);

/* Whether all rows that say something of a counter have one explanation, and are enough. */
bool mp_finding_is_sure(const struct mp_learn_finding *finding);

#endif

/*
 * learn.h: finds the layouts of a job's raw files from the tables that the board's own tool made of them, and proves
 * them by making these tables again.
 *
 * The caller opens the job with the built-in layouts, keeps it, and frees what was learned with mp_learned_free.
 * Nothing is written to the job. One thread at a time.
 */
#ifndef MP_LEARN_LEARN_H
#define MP_LEARN_LEARN_H

#include "learn/found.h"
#include "learn/proof.h"

enum { MP_LEARNED_MAX = 8 };

struct mp_learn_options {
	const char *const *from;                        /* files and directories with tables */
	size_t from_count;                              /* 0: those of the job */
	void (*progress)(void *user, const char *what); /* may be NULL */
	void *progress_user;
};

struct mp_learned {
	struct mp_references refs;
	struct mp_found found[MP_LEARNED_MAX]; /* what has no text, and misses nothing, is not there */
	size_t found_count;
	struct mp_proof proof; /* empty when no layout was found */
	char *text;            /* of a .rec file with all layouts that were found; NULL without a layout */
	bool is_proven;        /* every cell of every table came out, and nothing is missing or guessed */
};

/* Returns 0, or -1 with err. To find nothing is no error. */
int mp_learn(
    struct mp_learned *learned, const struct mp_job *job, const struct mp_learn_options *options, struct mp_error *err);
void mp_learned_free(struct mp_learned *learned);

#endif

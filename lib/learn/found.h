/*
 * found.h: what was learned of the files of one layout: the text of a layout, and the evidence for each part.
 *
 * Plain lists. A caller adds to a list and frees it with mp_found_free. Texts are copied. Functions that return int
 * give 0, or -1 with err when there is no memory. One thread at a time.
 */
#ifndef MP_LEARN_FOUND_H
#define MP_LEARN_FOUND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* A field, or another thing that was found. */
struct mp_finding {
	char name[64];     /* of the column or key */
	char type[24];     /* "u32", "char[64]", "json" */
	char place[64];    /* "@12", or a path */
	char unit[48];     /* "50mhz", "x 32 bytes", "" */
	size_t rows, fits; /* how many rows of references say something of it, and in how many it fits */
	char others[160];  /* what else would explain the same, or "" */
};

struct mp_found {
	char layout[32];       /* "svp.aicore" */
	char *text;            /* the layout in the layout language, from "record …" on; NULL: nothing was found */
	size_t record, header; /* bytes; 0 for texts */
	bool is_guess;         /* no reference says anything of it, or not of all that reports need */
	char guess[160];       /* what is a guess, or "" */
	struct mp_finding *findings;
	size_t finding_count;
	char **missing; /* sentences: columns of references that nothing explains, or that reports need */
	size_t missing_count;
	char **unexplained; /* "8 bytes at 24: zero", "… constant", "… counting", "… noise" */
	size_t unexplained_count;
};

int mp_found_add(struct mp_found *found, const struct mp_finding *finding, struct mp_error *err);
int mp_found_missing(struct mp_found *found, struct mp_error *err, const char *fmt, ...) MP_PRINTF(3, 4);
int mp_found_unexplained(struct mp_found *found, struct mp_error *err, const char *fmt, ...) MP_PRINTF(3, 4);
/* Append to the text of the layout. */
int mp_found_write(struct mp_found *found, struct mp_error *err, const char *fmt, ...) MP_PRINTF(3, 4);
void mp_found_free(struct mp_found *found);

#endif

/* answer.h: takes an answer of a server, which may be any: its size is bounded. */
#ifndef MP_FLEET_ANSWER_H
#define MP_FLEET_ANSWER_H

#include <stdint.h>

#include "base/error.h"

enum { MP_ANSWER_COLUMNS = 64, MP_ANSWER_ROWS = 1000000 };

/* Takes titles, which columns have numbers by their type, and rows, cells as text; a NULL cell is a NULL pointer.
 * Functions return 0, or -1 with err. */
struct mp_answer {
	void *user;
	int (*titles)(void *user, const char *const *titles, int count, struct mp_error *err);
	int (*numbers)(
	    void *user, const char *are_numbers, int count, struct mp_error *err); /* 1 or 0 for each column */
	int (*row)(void *user, const char *const *cells, const uint32_t *sizes, int count, struct mp_error *err);
	int64_t bytes_max; /* of all cells, each with its size */
	int64_t rows, bytes;
};

/* Count a row, and give it on. Returns 0, or -1 with err, which says what is too much. */
int mp_answer_row(
    struct mp_answer *answer, const char *const *cells, const uint32_t *sizes, int count, struct mp_error *err);

#endif

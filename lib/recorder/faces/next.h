/*
 * next.h: the vendor's library beside a face. A program may link or open both, in any order; whichever has the
 * program's call, both must begin and end.
 */
#ifndef MP_RECORDER_NEXT_H
#define MP_RECORDER_NEXT_H

#include <stdbool.h>

/* Libraries that the program may have opened, by file name; ends with NULL. */
struct mp_next {
	const char *init, *finalize; /* the functions that begin and end a process */
	const char *libraries[3];
};

/* Call the vendor's function. Returns its result, and 0 without a library. *found tells whether there is one. */
int mp_next_init(const struct mp_next *next, const char *config, bool *found);
int mp_next_finalize(const struct mp_next *next);

/* Returns whether another library may have begun the process without this one. */
bool mp_next_exists(const struct mp_next *next);

#endif

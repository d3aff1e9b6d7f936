/*
 * made.h: which files of a directory are our own exports. A list beside them, .msprof, has the size and name of each.
 * Traces need no list: they are known by their first bytes.
 *
 * A file of another tool under a listed name has another size, or counts as ours. Functions return 0, or -1 with err.
 * One thread.
 */
#ifndef MP_BASE_MADE_H
#define MP_BASE_MADE_H

#include <stdbool.h>

#include "base/error.h"

struct mp_made {
	char *text; /* a line "SIZE NAME" for each file; NULL: none */
};

/* Read the list of a directory, which is empty where there is none. Free with mp_made_free in any case. */
int mp_made_read(struct mp_made *made, int dirfd, struct mp_error *err);
void mp_made_free(struct mp_made *made);

/* Returns whether the file is there and listed, or is a trace of ours. */
bool mp_made_here(const struct mp_made *made, int dirfd, const char *name);

/* Returns whether there is a regular file of that name that we did not make. */
bool mp_made_elsewhere(const struct mp_made *made, int dirfd, const char *name);

/* Returns whether two files have the same bytes. */
bool mp_made_same(int dirfd, const char *name, const char *other);

/*
 * Add a file that is there. What the list says of the name is replaced when it is written. Only mp_made_write tells the
 * directory.
 */
int mp_made_add(struct mp_made *made, int dirfd, const char *name, struct mp_error *err);

/* Write the list, with what an earlier list says of other files that are still there. `label` names the directory. */
int mp_made_write(const struct mp_made *made, int dirfd, const char *label, struct mp_error *err);

#endif

/*
 * made.h: which files of a directory are our own exports. A list beside them, .msprof, has the size and name of each.
 * Traces need no list: they are known by their first bytes.
 *
 * An export adds a line before the file appears. So at each moment, also after a crash, what we made is listed, and
 * whoever reads the directory meanwhile takes no file of ours for another tool's. A file of another tool under a listed
 * name has another size, or counts as ours. Functions return 0, or -1 with err. One thread.
 */
#ifndef MP_BASE_MADE_H
#define MP_BASE_MADE_H

#include <stdbool.h>

#include "base/error.h"

struct mp_made {
	char *text; /* lines "SIZE NAME"; NULL: none */
	int fd;     /* of the list, when a line was added; else 0 */
};

/* Read the list of a directory, which is empty where there is none. Free with mp_made_free in any case. */
int mp_made_read(struct mp_made *made, int dirfd, struct mp_error *err);
void mp_made_free(struct mp_made *made);

/* Returns whether there is a regular file of that name that we did not make. The list is read again if need be. */
bool mp_made_elsewhere(struct mp_made *made, int dirfd, const char *name);

/* Returns whether two files have the same bytes. */
bool mp_made_same(int dirfd, const char *name, const char *other);

/* Add a line for the file NAME, which the file `as` is going to be, or is. The caller locks the directory. */
int mp_made_add(struct mp_made *made, int dirfd, const char *as, const char *name, struct mp_error *err);

/* Write the list anew where lines were added: without those of files that are gone. `label` names the directory. */
int mp_made_write(const struct mp_made *made, int dirfd, const char *label, struct mp_error *err);

#endif

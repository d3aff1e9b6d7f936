/*
 * whole_file.h: a file of the user that is written whole or not at all.
 *
 * Its directory is locked meanwhile, and a signal leaves no partial file. Functions return 0, or -1 with err.
 */
#ifndef MSPROF_WHOLE_FILE_H
#define MSPROF_WHOLE_FILE_H

#include "base/out.h"

struct whole_file {
	struct mp_out *out;
	int dirfd;
};

/*
 * Begin a file beside PATH. A device, a pipe or a link would give way to the file: they are refused, and so is a file
 * that is neither empty nor begins like the new file, such as the raw data of a job.
 */
int whole_file_open(struct whole_file *file, const char *path, const char *begin, struct mp_error *err);

/* Rename the file to PATH; with a status that is not 0 remove it, and return that status. */
int whole_file_close(struct whole_file *file, int status, struct mp_error *err);

#endif

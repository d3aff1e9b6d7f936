/* export_kept.h: which files of a directory are our exports, so that an export replaces no file of another tool. */
#ifndef MSPROF_EXPORT_KEPT_H
#define MSPROF_EXPORT_KEPT_H

#include <stdint.h>

#include "base/made.h"
#include "base/out.h"

struct export_kept {
	int dirfd;                    /* the caller's, as is the label of the directory */
	const char *label;            /* NULL: all files are replaced */
	bool lists;                   /* the files are no traces, which are known without a list */
	struct mp_made made, earlier; /* the files of this export, and those of earlier ones */
	int64_t foreign;              /* files of other tools that are in the way */
	char first[512];
};

/* Read the list of earlier exports. Call export_kept_end in any case, which writes the list. 0, or -1 with err. */
int export_kept_begin(struct export_kept *k, struct mp_error *err);
int export_kept_end(struct export_kept *k, struct mp_error *err);

/* Let a file that is written appear under its name, unless another tool's is there. Frees `out`. 0, or -1 with err. */
int export_kept_commit(struct export_kept *k, struct mp_out *out, const char *name, struct mp_error *err);

/* -1 with err where files of other tools were in the way; else 0. */
int export_kept_refuse(const struct export_kept *k, const char *path, struct mp_error *err);

#endif

/* progress.h: shows the progress of an import or export as one line on a terminal; shows nothing elsewhere. */
#ifndef MSPROF_PROGRESS_H
#define MSPROF_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct progress {
	bool active;
	bool shown;
	const char *what;
	char name[128];
	struct timespec begun, last;
};

/* Start; returns whether progress is shown: stderr is a terminal, and `quiet` is false. */
bool progress_begin(struct progress *p, bool quiet, const char *what, const char *name);

/* Show `done` of `total`; `user` is the struct progress. */
void progress_update(void *user, int64_t done, int64_t total);

/* Remove the line. */
void progress_end(struct progress *p);

#endif

/* progress.h: one line that counts up on a terminal; nothing elsewhere. */
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

/* Whether progress will be shown: stderr is a terminal and not quiet. */
bool progress_begin(struct progress *p, bool quiet, const char *what, const char *name);

/* `user` is a struct progress. */
void progress_update(void *user, int64_t done, int64_t total);

/* Take the line away. */
void progress_end(struct progress *p);

#endif

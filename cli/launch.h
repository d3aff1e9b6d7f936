/*
 * launch.h: a program that msprof runs beside itself: found, started, waited for.
 */
#ifndef MSPROF_LAUNCH_H
#define MSPROF_LAUNCH_H

#include <sys/types.h>

#include "base/error.h"
#include "samples.h"

/* The file that `word` names, as a shell finds it: *path is the caller's to free. Errors: not found, not a program. */
int launch_find(char **path, const char *word, struct mp_error *err);

/* The directory of this program, or of the library beside it: *path is the caller's to free. */
int launch_library(char **path, const char *name, struct mp_error *err);

struct launch_request {
	const char *path;
	char *const *words;          /* argv */
	const char *const *settings; /* "NAME=VALUE", put into its environment; ends with NULL */
};

/* Its signals are as they were for us; ours wait until launch_wait takes them. */
int launch_start(pid_t *pid, const struct launch_request *request, struct mp_error *err);

/*
 * Wait for its end and take samples meanwhile (NULL: none). Ctrl-C and the like are passed on, the second time as a
 * kill. *status is that of waitpid; *interrupted the number of the first signal, or 0.
 */
int launch_wait(pid_t pid, struct samples *samples, int *status, int *interrupted, struct mp_error *err);

/* Take samples for some seconds; ends early with a signal. */
int launch_sample(struct samples *samples, int64_t seconds, int *interrupted, struct mp_error *err);

#endif

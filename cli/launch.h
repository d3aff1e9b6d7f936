/*
 * launch.h: finds, starts and waits for a program that msprof records.
 */
#ifndef MSPROF_LAUNCH_H
#define MSPROF_LAUNCH_H

#include <sys/types.h>

#include <stdbool.h>

#include "base/error.h"
#include "dynamic.h"
#include "samples.h"

/* Find the file that `word` names, as a shell does; the caller frees *path. Errors: not found, not a program. */
int launch_find(char **path, const char *word, struct mp_error *err);

/* Find a library beside this program or in its ../lib; the caller frees *path. */
int launch_library(char **path, const char *name, struct mp_error *err);

struct launch_request {
	const char *path;
	char *const *words;          /* argv */
	const char *const *settings; /* "NAME=VALUE", put into its environment; ends with NULL */
	bool no_input;               /* its standard input is empty */
};

/* Start the program with the signal mask of the caller. Signals of this process are blocked until launch_wait. */
int launch_start(pid_t *pid, const struct launch_request *request, struct mp_error *err);

/*
 * Wait until the program ends, and meanwhile take samples and commands (NULL: none). The first signal is passed on to
 * the program, the second kills it. *status is that of waitpid; *interrupted is the number of the first signal, or 0.
 */
int launch_wait(
    pid_t pid, struct samples *samples, struct dynamic *dynamic, int *status, int *interrupted, struct mp_error *err);

/* Take samples for `seconds`, or until a signal. */
int launch_sample(struct samples *samples, int64_t seconds, int *interrupted, struct mp_error *err);

#endif

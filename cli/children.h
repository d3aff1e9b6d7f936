/* children.h: processes of a command: workers that are copies of it, and msprof-publish. */
#ifndef MSPROF_CHILDREN_H
#define MSPROF_CHILDREN_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

/*
 * Workers: several at a time, which end with the command.
 *
 * A signal that ends the command, or that it counts (interrupt_watch), is passed on to the processes, so none of them
 * works on, and files that they were writing are removed. A struct of zeros has no process.
 */

enum { WORKERS_MAX = 256 };

struct workers {
	pid_t pids[WORKERS_MAX];
	int count;  /* that run */
	int left;   /* where in pids the one was that workers_wait waited for; the last one is there now. -1: none */
	bool ended; /* they were told to end */
};

/* Start a process. Returns 0 in it, 1 in this one, -1 with the error printed. At most WORKERS_MAX may run. */
int workers_start(struct workers *w);

/*
 * Wait for one of them, and call `meanwhile` (or NULL) now and then. Returns its exit status; EXIT_FAILED, with the
 * error printed, after a signal.
 */
int workers_wait(struct workers *w, void (*meanwhile)(void *user), void *user);

/*
 * msprof-publish as a child: the process with the network, which reads no job.
 *
 * It ends when its input does; the caller closes both pipes and waits. Functions that return int give 0, or -1 with
 * err.
 */

struct loader {
	pid_t pid;
	int to, from; /* its input and output */
};

/* Start it with these words, of which the last is NULL. It gets the environment, with passwords, and no other secret.
 */
int loader_start(struct loader *loader, const char *const *words, struct mp_error *err);

/* Close the pipes that are open (not -1), and wait. Returns its exit status, or -1. */
int loader_end(struct loader *loader);

#endif

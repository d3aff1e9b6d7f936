/*
 * workers.h: processes of a command, several at a time, which end with it.
 *
 * A signal that ends the command, or that it counts (interrupt_watch), is passed on to the processes, so none of them
 * works on, and files that they were writing are removed. A struct of zeros has no process.
 */
#ifndef MSPROF_WORKERS_H
#define MSPROF_WORKERS_H

#include <stdbool.h>
#include <sys/types.h>

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

#endif

/*
 * loader.h: msprof-publish as a child: the process with the network, which reads no job.
 *
 * It ends when its input does; the caller closes both pipes and waits. Functions that return int give 0, or -1 with
 * err.
 */
#ifndef MSPROF_LOADER_H
#define MSPROF_LOADER_H

#include <sys/types.h>

#include "base/error.h"

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

/*
 * confine.h: the sandbox of this process, for all that reads a job.
 *
 * A process enters its sandbox once: what comes later, and is not below `dir`, is out of reach. MSPROF_SANDBOX=off
 * leaves it out.
 */
#ifndef MSPROF_CONFINE_H
#define MSPROF_CONFINE_H

#include "command.h"

/* Before the first byte of a job, a database or a layout below `dir` is read, and before threads are started. */
void confine(const struct options *options, const char *dir);

#endif

/*
 * confine.h: confines a process that reads a job to a sandbox.
 *
 * A process enters its sandbox once. Afterwards it cannot reach other directories than `dir` and those that the options
 * name. With MSPROF_SANDBOX=off there is no sandbox.
 */
#ifndef MSPROF_CONFINE_H
#define MSPROF_CONFINE_H

#include "command.h"

/* Enter the sandbox; `dir` may be NULL. Call before the first byte of a job, database or layout is read and before
 * threads start. */
void confine(const struct options *options, const char *dir);

#endif

/*
 * confine.h: confines a process that reads a job to a sandbox.
 *
 * A process enters its sandbox once. Afterwards it reaches only the places that its options name, each for the use in
 * the option's row. With MSPROF_SANDBOX=off there is no sandbox.
 */
#ifndef MSPROF_CONFINE_H
#define MSPROF_CONFINE_H

#include "command.h"

/* Enter the sandbox; 0, or -1 with err. Call before the first byte of a job, database or layout is read and before
 * threads start. */
int confine(const struct options *options, struct mp_error *err);

#endif

/*
 * recover.h: writes the events that a crashed process left into its result.
 *
 * A process that ends by a signal, or by _exit, leaves the memory of its rings in a file of each result (arena.h). The
 * events in it that are not in the result yet are added to the files of the result, and the file is removed. A result
 * of a process that lives is left alone, and so is one of which another process recovers the events. What the file
 * holds is checked: it may be damaged.
 */
#ifndef MP_RECORDER_RECOVER_H
#define MP_RECORDER_RECOVER_H

#include <stdint.h>

#include "base/error.h"

/*
 * Recover the events of a JOB or PROF directory. *events receives how many waited in rings. Returns 0, also when there
 * is nothing to do; -1 with err.
 */
int mp_recover(const char *path, uint64_t *events, struct mp_error *err);

#endif

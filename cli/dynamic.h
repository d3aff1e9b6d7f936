/*
 * dynamic.h: commands on standard input that start and stop the recording of a program (--dynamic=on).
 *
 * The commands "start", "stop" and "quit" are lines. They become times in a file, which the recorders of the program
 * read (lib/recorder/windows.h). After "quit" and at the end of the input there are no further commands; "quit" also
 * stops. For one thread.
 */
#ifndef MSPROF_DYNAMIC_H
#define MSPROF_DYNAMIC_H

#include <stdint.h>

#include "base/error.h"

struct dynamic;

/* Create the file. The caller closes it. Returns 0, or -1 with err. */
int dynamic_open(struct dynamic **dynamic, int dirfd, const char *name, struct mp_error *err);

/* Do the commands that have come; *wait_ns is lowered to the time after which to look again. Returns 0, or -1 with err.
 */
int dynamic_take(struct dynamic *dynamic, int64_t *wait_ns, struct mp_error *err);

/* Close and free. NULL is allowed. */
void dynamic_close(struct dynamic *dynamic);

#endif

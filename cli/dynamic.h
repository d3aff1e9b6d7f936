/*
 * dynamic.h: commands on standard input that start and stop the recording of a program (--dynamic=on).
 *
 * The commands "start", "stop" and "quit" are lines. They become times in a file, which the recorders of the program
 * read (lib/recorder/session.h). "quit" stops and, like the end of the input, is the last
 * command. Several processes may command a program: a lock of the file orders them. For one thread.
 */
#ifndef MSPROF_DYNAMIC_H
#define MSPROF_DYNAMIC_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct dynamic;

/* Create the file. The caller closes it. Returns 0, or -1 with err. */
int dynamic_open(struct dynamic **dynamic, int dirfd, const char *name, struct mp_error *err);

/*
 * Open the file of a program that another msprof has started, by a process of the program; *output is the directory of
 * its results, freed by the caller. Program and file must be this user's.
 */
int dynamic_attach(struct dynamic **dynamic, pid_t pid, char **output, struct mp_error *err);

/* Do commands until the input or the process ends; *ended tells whether the process has. Returns 0, or -1 with err. */
int dynamic_follow(struct dynamic *dynamic, pid_t pid, bool *ended, struct mp_error *err);

/* Do the commands that have come; *wait_ns is lowered to the time after which to look again. Returns 0, or -1 with err.
 */
int dynamic_take(struct dynamic *dynamic, int64_t *wait_ns, struct mp_error *err);

/* Close and free. NULL is allowed. */
void dynamic_close(struct dynamic *dynamic);

#endif

/*
 * pager.h: shows tables that are longer than the terminal in a pager.
 *
 * The pager is the value of MSPROF_PAGER or PAGER, a command of the shell, else less. An empty value and "cat" are no
 * pager. Standard output is a pipe to the pager until pager_finish().
 */
#ifndef MSPROF_PAGER_H
#define MSPROF_PAGER_H

#include "command.h"

#ifdef MSPROF_WITHOUT_SSH
static inline void pager_start(const struct command *command, const struct options *options)
{
	(void)command;
	(void)options;
}

static inline int pager_finish(int status)
{
	return status;
}
#else

/* Start the pager if the command prints tables on a terminal. Call before the process enters its sandbox. */
void pager_start(const struct command *command, const struct options *options);

/* Wait until the pager has ended. Returns `status`, or EXIT_FAILED with the error printed. */
int pager_finish(int status);

#endif
#endif

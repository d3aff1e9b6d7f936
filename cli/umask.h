/* umask.h: warns about a umask that leaves new files open to other users. Files of msprof itself are always private. */
#ifndef MSPROF_UMASK_H
#define MSPROF_UMASK_H

#include "command.h"

/* With --strict such a umask is an error: -1 with the error printed. */
int umask_check(const struct options *options);

/* Print the warning; nothing with -q or --dry-run. */
void umask_warn(const struct options *options);

#endif

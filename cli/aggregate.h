/* aggregate.h: sums a PROF directory up into a file. */
#ifndef MSPROF_AGGREGATE_H
#define MSPROF_AGGREGATE_H

#include "command.h"

/* Write the aggregate of the job of OPTION_DIR to the empty file `fd`, which stays so after an error. Below the
 * directory `top` links are not followed. */
int aggregate_to(const struct options *options, const char *top, int fd);

#endif

/* diff_sides.h: reads the sides of a comparison: jobs, a database or a baseline. */
#ifndef MSPROF_DIFF_SIDES_H
#define MSPROF_DIFF_SIDES_H

#include "command.h"
#include "compare/side.h"

/* Read what lies at the path into a side. Returns an exit status: EXIT_FAILED with the error printed, EXIT_DAMAGED
 * where data is lost. The side must be freed in all cases. */
int diff_side_read(struct mp_side *side, const struct options *options, const char *path);

#endif

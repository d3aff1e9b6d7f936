/* plain_mode.h: the fast paths that MSPROF_PLAIN switches off. */
#ifndef MSPROF_PLAIN_MODE_H
#define MSPROF_PLAIN_MODE_H

#include "base/error.h"

/* Set *plain to bits of enum mp_plain (store/db.h); -1: the variable is invalid. */
int plain_mode_read(unsigned *plain, struct mp_error *err);

#endif
